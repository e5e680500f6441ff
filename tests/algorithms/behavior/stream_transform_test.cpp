// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/stream_transform.h"

#include "tests/support/catch.h"

#include <cmath>
#include <random>

namespace skein::stream_transform_test {

namespace {

const std::vector<std::string> kNames{"r0/n0/p0", "r0/n0/p1", "r0/n1/p2", "r1/n2/p3"};

StreamTransform made(StreamTransformParams params)
{
    REQUIRE(checkStreamTransform(params));
    StreamTransform transform(std::move(params));
    transform.setEntities(kNames, {});
    return transform;
}

}  // namespace

TEST_CASE("a stream is sampled by count and by time")
{
    StreamTransformParams params;
    params.every = 3;
    StreamTransform third = made(params);
    std::vector<double> times;
    for (int t = 0; t < 10; ++t)
        if (const auto row = third.add(t, std::vector<double>{1, 2, 3, 4})) times.push_back(row->time);
    CHECK(times == std::vector<double>{0, 3, 6, 9});
    CHECK(third.seen() == 10);
    CHECK(third.passed() == 4);
    params.every = 1;
    params.leastInterval = 2.5;
    StreamTransform slow = made(params);
    times.clear();
    for (int t = 0; t < 10; ++t)
        if (const auto row = slow.add(t, std::vector<double>{1, 2, 3, 4})) times.push_back(row->time);
    CHECK(times == std::vector<double>{0, 3, 6, 9});
}

TEST_CASE("entities are filtered and joined by groups of a level")
{
    StreamTransformParams params;
    params.entities = {"r0/*", "*p3"};
    params.level = 2;
    StreamTransform nodes = made(params);
    CHECK(nodes.entities() == std::vector<std::string>{"r0/n0", "r0/n1", "r1/n2"});
    CHECK(nodes.add(0, std::vector<double>{1, 3, 5, std::nan("")})->values[0] == 2);
    CHECK(std::isnan(nodes.add(1, std::vector<double>{1, 3, 5, std::nan("")})->values[2]));
    params.entities = {"*p0", "*p2"};
    params.level = 1;
    params.join = StreamJoin::Sum;
    StreamTransform racks = made(params);
    CHECK(racks.entities() == std::vector<std::string>{"r0"});
    CHECK(racks.add(0, std::vector<double>{1, 3, 5, 7})->values == std::vector<double>{6});
    params.entities.clear();
    StreamTransform told(params);
    told.setEntities(kNames, std::vector<std::string>{"x/a", "y", "x/b", ""});
    CHECK(told.entities() == std::vector<std::string>{"x", "y", "r1"});
    told.setEntities(std::vector<std::string>{kNames[0], kNames[1], kNames[2], kNames[3], "y/z"}, {});
    CHECK(told.entities() == std::vector<std::string>{"x", "y", "r1"});
    CHECK(told.add(0, std::vector<double>{1, 2, 3, 4, 5})->values == std::vector<double>{4, 7, 4});
}

TEST_CASE("rows are joined as a sum over them would")
{
    std::mt19937 random(1);
    for (const StreamJoin how : {StreamJoin::Mean, StreamJoin::Sum, StreamJoin::Least, StreamJoin::Most}) {
        StreamTransformParams params;
        params.rows = 4;
        params.join = how;
        StreamTransform transform = made(params);
        std::vector<std::vector<double>> rows;
        std::vector<TransformedRow> out;
        for (int t = 0; t < 22; ++t) {
            rows.push_back({});
            for (int i = 0; i < 4; ++i)
                rows.back().push_back(random() % 5 == 0 ? std::nan("") : static_cast<double>(random() % 100));
            if (auto row = transform.add(t, rows.back())) out.push_back(std::move(*row));
        }
        if (auto row = transform.flush()) out.push_back(std::move(*row));
        CHECK_FALSE(transform.flush());
        REQUIRE(out.size() == 6);
        for (std::size_t block = 0; block < 6; ++block)
            for (std::size_t i = 0; i < 4; ++i) {
                double sum = 0, least = INFINITY, most = -INFINITY, count = 0;
                for (std::size_t t = block * 4; t < std::min<std::size_t>(22, block * 4 + 4); ++t) {
                    if (std::isnan(rows[t][i])) continue;
                    sum += rows[t][i];
                    least = std::min(least, rows[t][i]);
                    most = std::max(most, rows[t][i]);
                    ++count;
                }
                const double expected = how == StreamJoin::Mean ? sum / count
                    : how == StreamJoin::Sum                    ? sum
                    : how == StreamJoin::Least                  ? least
                                                                : most;
                if (count == 0) CHECK(std::isnan(out[block].values[i]));
                else CHECK(out[block].values[i] == Approx(expected));
            }
    }
}

TEST_CASE("only large changes are passed on, measured from what was passed on last")
{
    StreamTransformParams params;
    params.leastChange = 0.1;
    StreamTransform transform = made(params);
    int passed = 0;
    for (int t = 0; t < 100; ++t) passed += transform.add(t, std::vector<double>{100.0 + t, 0, 0, 0}) ? 1 : 0;
    // 100, then each first value beyond 1.1 times the one before: 111, 123, 136, 150, 166, 183.
    CHECK(passed == 7);
    CHECK(transform.withheld() == 93);
    CHECK(transform.add(100, std::vector<double>{199, 0, std::nan(""), 0}));
}

TEST_CASE("what no stream can be taken with is refused")
{
    for (StreamTransformParams wrong :
         {StreamTransformParams{.every = 0}, StreamTransformParams{.leastInterval = -1},
          StreamTransformParams{.rows = 0}, StreamTransformParams{.leastChange = NAN}})
        CHECK_FALSE(checkStreamTransform(wrong));
}

TEST_CASE("entities are filtered by what they are like when they come, and tell where they are joined")
{
    StreamTransformParams params;
    params.where = *parseAttributeConditions("kind=io");
    params.level = 1;
    params.join = StreamJoin::Sum;
    StreamTransform transform(params);
    const auto kindOf = [](std::size_t entity, std::string_view name) -> std::optional<std::string_view> {
        if (name != "kind") return std::nullopt;
        return entity == 1 ? "compute" : "io";
    };
    transform.setEntities(kNames, {}, kindOf);
    CHECK(transform.entities() == std::vector<std::string>{"r0", "r1"});
    CHECK(transform.add(0, std::vector<double>{1, 3, 5, 7})->values == std::vector<double>{6, 7});
    CHECK(transform.placeOf(0) == 0U);
    CHECK_FALSE(transform.placeOf(1));
    CHECK(transform.placeOf(3) == 1U);
    CHECK_FALSE(transform.placeOf(4));
    CHECK(transform.joinedAt(0) == 2);
    CHECK(transform.joinedAt(1) == 1);
    // Who tells nothing is like nothing.
    StreamTransform silent(params);
    silent.setEntities(kNames, {});
    CHECK(silent.entities().empty());
    // Without any other transform, too, only the wanted ones are passed on.
    params.level = 0;
    StreamTransform alone(params);
    alone.setEntities(kNames, {}, kindOf);
    CHECK(alone.add(0, std::vector<double>{1, 3, 5, 7})->values == std::vector<double>{1, 5, 7});
}

}  // namespace skein::stream_transform_test
