// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/correct_clocks.h"
#include "core/clocks/clock_offsets.h"
#include "core/index/disk/index_reader.h"
#include "core/io/importer.h"
#include "tests/core/index/disk/difference.h"
#include "tests/support/catch.h"
#include "tests/support/index_fixture.h"
#include "tests/support/task_archive.h"

namespace skein::saved_attributes_test {

TEST_CASE("attributes of events are in the index as they were imported")
{
    const test::IndexFixture fixture;
    const auto anchor = test::writeTaskArchive(fixture.path() / "archive");
    const auto imported = openExperiment(anchor, Task());
    REQUIRE(imported);
    REQUIRE((*imported)->trace->locations[1].attributes.size() == 5);
    const auto saved = disk::openIndex(fixture.save(anchor), disk::Verify::Always, Task());
    REQUIRE(saved);
    CHECK(test::difference((*imported)->definitions, saved->experiment->definitions).empty());
    CHECK(test::difference(*(*imported)->trace, *saved->experiment->trace).empty());
    CHECK(saved->experiment->trace->locations[1].attributes[2].value == 4096);
}

TEST_CASE("corrected clocks move attributes with their calls")
{
    const test::IndexFixture fixture;
    const auto imported = openExperiment(test::writeTaskArchive(fixture.path() / "archive"), Task());
    REQUIRE(imported);
    ClockOffsets offsets;
    offsets.groups.resize((*imported)->definitions.locationGroups.size());
    offsets.groups[1].offsetNs = -1000.0;
    offsets.violations = 1;
    REQUIRE(offsets.needed());
    const auto corrected = correctClocks(**imported, offsets, Task());
    REQUIRE(corrected);
    const LocationTrace& location = corrected->trace->locations[1];
    CHECK(location.intervals.begin[0] == 1100);
    CHECK(location.attributes[0].time == 1100);
    CHECK(location.attributes[2].time == 1150);
}

}  // namespace skein::saved_attributes_test
