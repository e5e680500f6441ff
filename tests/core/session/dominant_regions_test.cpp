// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/dominant_regions.h"

#include "tests/support/catch.h"

namespace skein::dominant_regions_test {
namespace {

Column<double> amounts(std::vector<double> values) { return Column<double>(std::move(values)); }

/// The second of two metrics can be read when it is asked for, the first cannot.
class ColumnsOfTime : public ProfileColumns {
public:
    Result<ProfileColumn> read(std::size_t column, const Task&) const override
    {
        if (column != 1) return fail(ErrorCode::Io, "The file has changed.");
        return ProfileColumn{amounts({7, 1}), amounts({6, 1}), amounts({7, 1}), amounts({6, 1})};
    }
};

Experiment measured(const char* unitOfSecond)
{
    Experiment experiment;
    experiment.definitions.regions.resize(2);
    experiment.definitions.regions[0].name = "main";
    experiment.definitions.regions[1].name = "solve";
    experiment.definitions.metrics.resize(2);
    experiment.definitions.metrics[0].unit = "occ";
    experiment.definitions.metrics[1].unit = unitOfSecond;
    Profile profile;
    for (MetricCube* cube : {&profile.callPaths, &profile.regions}) {
        cube->metrics = {MetricId(0), MetricId(1)};
        cube->locationOffsets = Column<std::uint64_t>(std::vector<std::uint64_t>{0, 2});
        cube->items = Column<std::uint32_t>(std::vector<std::uint32_t>{1, 0});
        cube->inclusive.resize(2);
        cube->exclusive.resize(2);
    }
    profile.source = std::make_shared<ColumnsOfTime>();
    experiment.profile = std::make_shared<const Profile>(std::move(profile));
    return experiment;
}

}  // namespace

TEST_CASE("own times of a profile whose columns are read when asked for are those of its time")
{
    const Experiment experiment = measured("ns");
    const RegionOwnTimes times = regionOwnTimes(experiment);
    REQUIRE(times->size() == 2);
    CHECK(times->at(0).name == "solve");
    CHECK(times->at(0).time == 6);
    CHECK(times->at(1).name == "main");
    CHECK(times->at(1).time == 1);
    CHECK(regionOwnTimes(experiment) == times);
}

TEST_CASE("a profile whose column cannot be read has no own times")
{
    CHECK(regionOwnTimes(measured("bytes"))->empty());
    Experiment without;
    without.profile = std::make_shared<const Profile>();
    CHECK(regionOwnTimes(without)->empty());
}

}  // namespace skein::dominant_regions_test
