// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flame/flame_time_scene.h"

#include "core/select/translate.h"
#include "tests/support/scenes.h"
#include "tests/support/tree_rows.h"

#include <cmath>
#include <map>

namespace skein::flame_scene_test {

namespace {

FlamePtr flameOf(SessionPtr session, FlameOrder order = FlameOrder::TopDown, const TreeEdits& edits = {})
{
    FlameRequest request;
    request.order = order;
    request.edits = edits;
    auto flame = makeFlame(std::move(session), request, Task());
    REQUIRE(flame);
    return *flame;
}

std::uint32_t frameNamed(const Flame& flame, const std::string& name)
{
    for (std::uint32_t frame = 0; frame < flame.frames.size(); ++frame)
        if (flame.nameOf(frame) == name) return frame;
    FAIL("no frame " << name);
    return 0;
}

}  // namespace

TEST_CASE("frames are as wide as their amount and lie within their caller's")
{
    const FlamePtr flame = flameOf(test::smallTree());
    CHECK(flame->whole == 200);
    CHECK(flame->levels == 4);
    REQUIRE(flame->frames.size() == 8);
    for (const FlameFrame& frame : flame->frames) {
        CHECK(frame.width == Approx(flame->rows.rows[frame.row].values.inclusive / flame->whole));
        if (frame.parent == kNoFrame) continue;
        const FlameFrame& above = flame->frames[frame.parent];
        CHECK(frame.depth == above.depth + 1);
        CHECK(frame.begin >= above.begin - 1e-12);
        CHECK(frame.begin + frame.width <= above.begin + above.width + 1e-12);
    }
}

TEST_CASE("from the inside out frames add up to the exclusive amounts of functions")
{
    const FlamePtr flame = flameOf(test::smallTree(), FlameOrder::BottomUp);
    CHECK(flame->whole == 200);
    double roots = 0;
    for (const FlameFrame& frame : flame->frames)
        if (frame.parent == kNoFrame) roots += frame.width;
    CHECK(roots == Approx(1.0));
    const std::uint32_t wait = frameNamed(*flame, "MPI_Wait");
    CHECK(flame->frames[wait].parent == kNoFrame);
}

TEST_CASE("pruned calls leave their width free")
{
    const SessionPtr session = test::smallTree();
    const CallTreeRows rows = test::rowsOf(*session);
    const std::uint32_t out = test::rowAt(rows, {"main", "out"});
    const std::uint32_t wait = test::rowAt(rows, {"main", "out", "MPI_Wait"});
    const FlamePtr flame = flameOf(session, FlameOrder::TopDown, withRemoved({}, rows, {out, wait}));
    CHECK(flame->frames.size() == 6);
    CHECK(flame->frames[frameNamed(*flame, "main")].width == Approx(1.0));
}

TEST_CASE("a frame is hit where it is drawn, zoomed in or not, hanging or standing")
{
    const FlamePtr flame = flameOf(test::smallTree());
    const test::PlainCanvas plain(800, 300);
    for (const FlameRoot root : {FlameRoot::Top, FlameRoot::Bottom})
        for (const std::uint32_t focus : {kNoFrame, frameNamed(*flame, "solve")}) {
            FlameOptions options;
            options.root = root;
            options.focus = focus;
            const FlameLayout layout = flameLayout(*flame, options, plain.canvas);
            const DrawList list = flameScene(*flame, {}, options, plain.canvas);
            CHECK(test::unreadable(list, plain.measure) == "");
            std::size_t drawn = 0;
            for (const RectItem& item : test::itemsOf<RectItem>(list)) {
                if (item.id.kind != 1) continue;
                ++drawn;
                const Point middle{item.rect.x + item.rect.width / 2, item.rect.y + item.rect.height / 2};
                CHECK(frameAt(*flame, options, layout, middle) == item.id.item);
            }
            CHECK(drawn >= 5);
        }
}

TEST_CASE("what a search finds is counted once, however deep")
{
    const FlamePtr flame = flameOf(test::smallTree());
    CHECK(searchShare(*flame, "main") == Approx(1.0));
    CHECK(searchShare(*flame, "") == 0.0);
    CHECK(searchShare(*flame, "wait") == Approx((15.0 + 5.0 + 8.0) / 200));
    CHECK(searchShare(*flame, "m") == Approx(1.0));
    FlameOptions options;
    options.search = "norm";
    const test::PlainCanvas plain(800, 300);
    const DrawList lit = flameScene(*flame, {}, options, plain.canvas);
    CHECK(test::itemsOf<RectItem>(lit).size()
          == test::itemsOf<RectItem>(flameScene(*flame, {}, {}, plain.canvas)).size() + 1);
}

TEST_CASE("narrow frames cost no more than the pixels there are")
{
    std::vector<test::Call> calls{{0, 200'000, "main", 0}};
    for (TimeNs at = 0; at < 200'000; at += 10) calls.push_back({at, at + 8, "f" + std::to_string(at), 1});
    const auto session =
        std::make_shared<Session>(Session{{test::ExperimentBuilder("many").process("n0", calls).finish()}});
    const FlamePtr flame = flameOf(session);
    CHECK(flame->frames.size() == 20'001);
    const test::PlainCanvas plain(500, 200);
    CHECK(flameScene(*flame, {}, {}, plain.canvas).items.size() < 1'200);
}

TEST_CASE("over time neighbours of one call path are a frame, in the order of their time")
{
    const SessionPtr session = test::smallTree();
    const TimelineDataPtr data = test::timelineDataOf(session->experiments);
    const test::PlainCanvas plain(1000, 300);
    ViewState state;
    FlameTimeOptions options{flameLocation(*data, state), {0, 100}, {}};
    REQUIRE(options.location.valid());
    const DrawList list = flameTimeScene(*data, state, options, plain.canvas, Task());
    CHECK(test::unreadable(list, plain.measure) == "");
    std::map<std::string, Rect> names;
    for (const RectItem& item : test::itemsOf<RectItem>(list))
        if (item.id.kind == 2)
            names[flameTimeTooltip(*data, item.id).front() + std::to_string(static_cast<int>(item.rect.y))] =
                item.rect;
    CHECK(names.size() == 8);
    for (const auto& [name, rect] : names) {
        INFO(name);
        if (name.starts_with("main")) CHECK(rect.width >= 998);
        if (name.starts_with("solve")) CHECK(std::abs(rect.width - 600) <= 2);
        if (name.starts_with("out")) CHECK(std::abs(rect.x - 700) <= 2);
    }
}

}  // namespace skein::flame_scene_test
