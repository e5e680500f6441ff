// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gap_report.h"

#include "tests/support/catch.h"

namespace skein::gap_report_test {

Definitions withThreads(const std::vector<std::pair<std::int64_t, std::int32_t>>& threads)
{
    Definitions definitions;
    for (const auto& [rank, thread] : threads) {
        Location& location = definitions.locations.emplace_back();
        location.rank = rank;
        location.thread = thread;
    }
    return definitions;
}

TEST_CASE("ranks and threads without gaps are no finding")
{
    ImportReport report;
    reportGaps(withThreads({{0, 0}, {0, 1}, {1, 0}, {2, 0}, {-1, 5}}), report);
    reportGaps(withThreads({}), report);
    CHECK(report.empty());
}

TEST_CASE("missing ranks and threads are told by their numbers and count as lost")
{
    ImportReport report;
    reportGaps(withThreads({{0, 0}, {2, 0}, {6, 0}, {6, 3}, {6, 5}}), report);
    REQUIRE(report.issues().size() == 2);
    CHECK(report.issues()[0].detail == "nothing of ranks 1, 3–5");
    CHECK(report.issues()[0].count == 4);
    CHECK(report.issues()[1].detail == "nothing of threads 1–2, 4 of rank 6");
    CHECK(report.issues()[1].count == 3);
    CHECK(report.lostData());
}

TEST_CASE("a rank whose file a finding names is not told once more")
{
    ImportReport report;
    report.add(IssueKind::Truncated, "profile.1.0.0", "", "the file is empty");
    report.add(IssueKind::CorruptRecord, "tautrace.2.0.0.trc", "", "no records");
    reportGaps(withThreads({{0, 0}, {3, 0}}), report);
    CHECK(report.count(IssueKind::AbsentPart) == 0);
}

TEST_CASE("numbers far beyond those that are there cost nothing")
{
    ImportReport report;
    reportGaps(withThreads({{0, 0}, {4'000'000'000, 0}}), report);
    CHECK(report.count(IssueKind::AbsentPart) == 3'999'999'999);
}

}  // namespace skein::gap_report_test
