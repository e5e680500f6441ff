// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/causality/response_scene.h"

#include "tests/support/catch.h"
#include "tests/support/scenes.h"

#include <cmath>
#include <limits>

namespace skein::response_scene_test {

namespace {

/// Two metrics, of which the first moves the second by these values; nothing else moves.
SessionCausality answered(const std::vector<double>& answer)
{
    SessionCausality causality;
    causality.variables.columns = {"calls", "sent-bytes"};
    causality.model.variables = 2;
    causality.response.steps = answer.size() - 1;
    for (const double value : answer)
        causality.response.orthogonal.insert(causality.response.orthogonal.end(), {0, 0, value, 0});
    causality.binNs = 2e6;
    return causality;
}

std::vector<LineItem> answerLines(const DrawList& list)
{
    std::vector<LineItem> found;
    for (const LineItem& item : test::itemsOf<LineItem>(list))
        if (item.color == lightTheme().accent) found.push_back(item);
    return found;
}

CausalLink firstToSecond()
{
    CausalLink link;
    link.from = 0;
    link.to = 1;
    return link;
}

}  // namespace

TEST_CASE("a response is drawn step by step between its axes, below 0 as well")
{
    const SessionCausality causality = answered({0, 4, -2, 1});
    const test::PlainCanvas plain(400, 300);
    const DrawList list = responseScene(causality, firstToSecond(), plain.canvas);
    CHECK(test::shows(list, "sent-bytes after a shock in calls"));
    CHECK(test::shows(list, "steps of 2 ms"));
    const auto lines = answerLines(list);
    REQUIRE(lines.size() == 3);
    const double up = lines[0].from.y - lines[0].to.y;
    CHECK(up > 0);
    CHECK(lines[1].to.y - lines[0].from.y == Approx(up / 2));
    CHECK(lines[2].to.x - lines[0].from.x == Approx(3 * (lines[0].to.x - lines[0].from.x)));
    for (const LineItem& line : lines) {
        CHECK(line.to.x <= 400);
        CHECK(line.to.y <= 300);
        CHECK(line.to.y >= 0);
    }
}

TEST_CASE("an answer that is not known at a step is broken there, and one of nothing but 0 has an axis")
{
    const test::PlainCanvas plain(400, 300);
    const double none = std::numeric_limits<double>::quiet_NaN();
    CHECK(answerLines(responseScene(answered({0, 1, none, 2, 3}), firstToSecond(), plain.canvas)).size()
          == 2);
    CHECK(responseRange({none, none}) == std::pair(0.0, 1.0));
    CHECK(responseRange({-3, -1}) == std::pair(-3.0, 0.0));
    CHECK(answerLines(responseScene(answered({0, 0}), firstToSecond(), plain.canvas)).size() == 1);
    CHECK(answerLines(responseScene(answered({0}), firstToSecond(), plain.canvas)).empty());
}

}  // namespace skein::response_scene_test
