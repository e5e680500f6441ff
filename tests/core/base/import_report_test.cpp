// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/import_report.h"
#include "tests/support/catch.h"

namespace skein::import_report_test {

TEST_CASE("findings of one kind in one place are one issue, however many places lie between them")
{
    ImportReport report;
    for (int round = 0; round < 3; ++round)
        for (int place = 0; place < 5000; ++place)
            report.add(IssueKind::CorruptRecord, "file " + std::to_string(place), "Rank 0",
                       "round " + std::to_string(round));
    REQUIRE(report.issues().size() == 5000);
    for (const Issue& issue : report.issues()) {
        REQUIRE(issue.count == 3);
        REQUIRE(issue.detail == "round 0");
    }
    CHECK(report.issues()[17].file == "file 17");
}

TEST_CASE("kind, file and location tell issues apart, and merging sums them")
{
    ImportReport one, other;
    one.add(IssueKind::CorruptRecord, "a", "b", "first", 7);
    one.add(IssueKind::CorruptRecord, "ab", "", "second");
    one.add(IssueKind::Truncated, "a", "b", "third", -1, 4);
    other.add(IssueKind::CorruptRecord, "a", "b", "later", 9, 2);
    one.merge(other);
    REQUIRE(one.issues().size() == 3);
    CHECK(one.issues()[0].count == 3);
    CHECK(one.issues()[0].offset == 7);
    CHECK(one.count(IssueKind::CorruptRecord) == 4);
    CHECK(one.worst() == Severity::DataLoss);
}

TEST_CASE("a finding that is the same on many locations is told once, few are told one by one")
{
    ImportReport report;
    for (int rank = 0; rank < 1000; ++rank)
        report.add(IssueKind::LeaveWithoutEnter, "a.trc", "Rank " + std::to_string(rank), "event 19", 7, 2);
    for (int rank = 0; rank < 3; ++rank)
        report.add(IssueKind::Truncated, "b" + std::to_string(rank), "", "ends early");
    for (int rank = 0; rank < 5; ++rank)
        report.add(IssueKind::UnsupportedRecord, "", "Rank " + std::to_string(rank),
                   "kind " + std::to_string(rank));
    const std::vector<Issue> told = report.summary();
    REQUIRE(told.size() == 1 + 3 + 5);
    CHECK(told[0].count == 2000);
    CHECK(told[0].file == "a.trc");
    CHECK(told[0].location == "Rank 0, Rank 1, Rank 2 and 997 more");
    CHECK(told[0].detail == "event 19");
    CHECK(told[0].offset == 7);
    CHECK(told[3].file == "b2");
    std::uint64_t sum = 0;
    for (const Issue& issue : told) sum += issue.count;
    CHECK(sum == 2000 + 3 + 5);
}

}  // namespace skein::import_report_test
