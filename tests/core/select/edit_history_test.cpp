// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/edit_history.h"

#include "core/select/metric_choice.h"
#include "tests/support/catch.h"

namespace skein::edit_history_test {

TEST_CASE("edits are named by what came, went or changed")
{
    Edits before, after;
    after.filters = {{"MPI hidden", FilterEffect::Hide, {{0, RegionId(1)}}, {}}};
    CHECK(editName(before, after) == "Filter “MPI hidden”");
    CHECK(editName(after, before) == "Removal of “MPI hidden”");
    Edits two = after;
    two.filters.push_back({"only Rank 3", FilterEffect::Keep, {}, {{0, LocationId(3)}}});
    CHECK(editName(two, before) == "Removal of All Filters");
    CHECK(editName(two, after) == "Removal of “only Rank 3”");
    Edits marked;
    marked.marks = {{TimeSpan{1, 2}, "here"}};
    CHECK(editName(before, marked) == "Mark");
    CHECK(editName(marked, before) == "Removal of a Mark");
    Edits shifted;
    shifted.clockShiftsNs = {5};
    CHECK(editName(before, shifted) == "Shift of Clocks");
    Edits calls, expressed;
    calls.metric = kCallsMetric;
    expressed.derived = "time / calls";
    CHECK(editName(before, calls) == "Choice of the Metric");
    CHECK(editName(before, expressed) == "Metric by Expression");
    ViewState state;
    apply(calls, state);
    CHECK(editsOf(state) == calls);
    apply(expressed, state);
    CHECK(editsOf(state) == expressed);
}

TEST_CASE("the history tells what is taken back and made again")
{
    EditHistory history;
    CHECK(history.undoName().empty());
    Edits one;
    one.panels["balance"]["rowOrder"] = "By name";
    history.record(one, "Balance: Order of the regions");
    Edits two = one;
    two.marks = {{TimeSpan{1, 2}, ""}};
    history.record(two);
    CHECK(history.undoName() == "Mark");
    CHECK(history.redoName().empty());
    CHECK(history.undo() == one);
    CHECK(history.undoName() == "Balance: Order of the regions");
    CHECK(history.redoName() == "Mark");
    CHECK(history.redo() == two);
}

TEST_CASE("parts of a state are copied, and no others")
{
    ViewState from, to;
    from.visible = TimeSpan{1, 2};
    from.brushed = TimeSpan{3, 4};
    from.filters = {{"a", FilterEffect::Hide, {{0, RegionId(1)}}, {}}};
    from.panels["profile"]["order"] = "By name";
    copyParts(from, ViewParts::kBrushed | ViewParts::kPanels, to);
    CHECK(differingParts(from, to) == (ViewParts::kVisible | ViewParts::kFilters));
    copyParts(from, ViewParts::kEverything.without(ViewParts::kVisible), to);
    CHECK(differingParts(from, to) == ViewParts::kVisible);
    CHECK(ViewParts::kEverything.of(ViewParts::kVisible) == ViewParts::kVisible);
}

}  // namespace skein::edit_history_test
