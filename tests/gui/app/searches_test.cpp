// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/search/searches.h"

#include "core/select/filters.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"

namespace skein::searches_test {

using namespace skein::gui;

TEST_CASE("messages are searched among what filters leave, by the name of an end, and on shifted clocks")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const Session session = *fixture.window->loader().session();
    const auto& messages = session.experiments[0]->trace->messages;
    const auto found = [&](const char* query, const ViewState& state) {
        return findInTrace(session, state, query, 2000, Task()).value();
    };
    const ViewState all = fixture.window->selection().state();
    CHECK(found("message", all).totalMessages == 1136);
    const auto third = found("message rank 3", all);
    CHECK(third.totalMessages > 0);
    CHECK(third.totalMessages < 1136);
    for (const MessageRef& message : third.messages)
        CHECK((messages[message.index].sender == LocationId(3)
               || messages[message.index].receiver == LocationId(3)));
    CHECK(found("message rank 9", all).totalMessages == 0);
    ViewState filtered = all;
    filtered.filters = {locationFilter(FilterEffect::Keep, "two", {{0, LocationId(3)}, {0, LocationId(2)}})};
    const auto between = found("messages", filtered);
    CHECK(between.totalMessages > 0);
    CHECK(between.totalMessages < third.totalMessages);
    filtered.filters = {spanFilter({600'000'000, 610'000'000})};
    const auto early = found("message", filtered);
    CHECK(early.totalMessages > 0);
    filtered.clockShiftsNs = {300'000'000};
    CHECK(found("message", filtered).totalMessages < early.totalMessages);
    filtered = all;
    filtered.filters = {messageFilter(FilterEffect::Keep, *parseAttributeConditions("tag=2048"))};
    const auto tagged = found("message", filtered);
    CHECK(tagged.totalMessages == 280);
    for (const MessageRef& message : tagged.messages) CHECK(messages[message.index].tag == 2048);
}

}  // namespace skein::searches_test
