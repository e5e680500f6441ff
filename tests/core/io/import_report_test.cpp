// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/import_report.h"
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

}  // namespace skein::import_report_test
