// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/message_filter.h"

#include "algorithms/behavior/trace_series.h"
#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/comm/message_sums.h"
#include "algorithms/timeline/message_histogram.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <numeric>

namespace skein::message_filter_test {

using namespace skein::test;

namespace {

/// Halos along x (tags 100 and 101, 4096 bytes) and y (102 and 103, 2048), sent by MPI_Isend().
ExperimentPtr heatflow()
{
    static const ExperimentPtr opened =
        openExperiment(sourcePath("examples/heatflow-16x2/trace-otf2"), Task()).value();
    return opened;
}

MessageFilter filterOf(std::string_view text, MessageRuleEffect effect = MessageRuleEffect::Keep)
{
    return MessageFilter(*heatflow(), {{effect, *parseAttributeConditions(text)}});
}

std::size_t passing(const MessageFilter& filter)
{
    std::size_t count = 0;
    for (const Message& message : heatflow()->trace->messages) count += filter.passes(message) ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("messages are told apart by tag, bytes, communicator, ranks and the calls around them")
{
    const auto& messages = heatflow()->trace->messages;
    CHECK(MessageFilter().all());
    CHECK(passing(MessageFilter()) == messages.size());
    CHECK(passing(filterOf("tag=100")) == 1800);
    CHECK(passing(filterOf("TAG=100|103")) == 3600);
    CHECK(passing(filterOf("tag=10?; bytes>2048")) == 3600);
    CHECK(passing(filterOf("tag!=100")) == messages.size() - 1800);
    CHECK(passing(filterOf("tag=100", MessageRuleEffect::Hide)) == messages.size() - 1800);
    CHECK(passing(filterOf("communicator=MPI_COMM_WORLD")) == messages.size());
    CHECK(passing(filterOf("communicator!=MPI_COMM_WORLD")) == 0);
    CHECK(passing(filterOf("sent by=MPI_Isend")) == messages.size());
    CHECK(passing(filterOf("sent by=MPI_Isend()")) == messages.size());
    CHECK(passing(filterOf("sent by=MPI_Send")) == 0);
    CHECK(passing(filterOf("within=time_step")) == messages.size());
    CHECK(passing(filterOf("within!=time_step")) == 0);
    CHECK(passing(filterOf("sent by=time_step")) == 0);
    std::size_t fromThree = 0;
    for (const Message& message : messages)
        fromThree += heatflow()->definitions.location(message.sender).rank == 3 ? 1 : 0;
    REQUIRE(fromThree > 0);
    CHECK(passing(filterOf("sender=3")) == fromThree);
    CHECK(passing(filterOf("sender<4")) + passing(filterOf("sender>=4")) == messages.size());
    CHECK(passing(filterOf("colour=red")) == 0);
}

TEST_CASE("several rules of messages all have to be obeyed, and unknown attributes are named")
{
    const MessageFilter both(*heatflow(),
                             {{MessageRuleEffect::Keep, *parseAttributeConditions("tag=100|101")},
                              {MessageRuleEffect::Hide, *parseAttributeConditions("sender<8")}});
    CHECK(passing(both) == passing(filterOf("tag=100|101; sender>=8")));
    const auto unknown = checkMessageConditions(*parseAttributeConditions("tag=1; colour=red"));
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().text().find("\"colour\"; there are tag, bytes") != std::string::npos);
    CHECK(checkMessageConditions(*parseAttributeConditions("Sent By=x")));
}

TEST_CASE("matrices, sums, series and histograms count the messages that a filter lets pass")
{
    const MessageFilter filter = filterOf("tag=102");
    const Task task;
    std::uint64_t bytes = 0, messages = 0;
    for (const Message& message : heatflow()->trace->messages)
        if (message.tag == 102) {
            bytes += message.bytes;
            ++messages;
        }
    const auto matrix = commMatrixOf(*heatflow(), std::nullopt, filter, task);
    REQUIRE(matrix);
    CHECK((*matrix)->totalBytes() == bytes);
    CHECK((*matrix)->totalMessages() == messages);

    const auto sums = MessageSums::create(heatflow()->trace, filter, task).value();
    const TimeSpan half{0, heatflow()->trace->extent.end / 2};
    for (const std::optional<TimeSpan>& span : {std::optional<TimeSpan>(), std::optional(half)}) {
        std::uint64_t expected = 0, found = 0;
        for (const Message& message : heatflow()->trace->messages)
            expected += message.tag == 102 && (!span || span->contains(message.sendTime)) ? message.bytes : 0;
        for (const PairSum& pair : sums->pairs(span)) found += pair.sum.bytes;
        CHECK(found == expected);
        const auto sizes = sums->sizes(span);
        CHECK(std::accumulate(sizes.bytes.begin(), sizes.bytes.end(), std::uint64_t{0}) == expected);
    }
    const auto [first, last] = sums->sentIn(std::nullopt);
    CHECK(last - first == messages);
    CHECK(heatflow()->trace->messages[sums->messageAt(first)].tag == 102);
    CHECK(
        MessageSums::create(heatflow()->trace, filterOf("tag=7"), task).value()->pairs(std::nullopt).empty());

    TraceSeriesParams params = seriesQuantity("sent-bytes");
    params.edges = equalBins(heatflow()->trace->extent, 7);
    params.messages = {{MessageRuleEffect::Keep, *parseAttributeConditions("tag=102")}};
    const auto series = traceSeries(*heatflow(), params, task);
    REQUIRE(series);
    CHECK(std::accumulate(series->values.begin(), series->values.end(), 0.0) == static_cast<double>(bytes));
    params.per = SeriesEntity::Communicator;
    const auto within = traceSeries(*heatflow(), params, task);
    REQUIRE(within);
    CHECK(std::accumulate(within->values.begin(), within->values.end(), 0.0) == static_cast<double>(bytes));

    const Session session{{heatflow()}};
    const std::vector<MessageFilter> filters{filter};
    const auto histogram = messageHistogram(session, sessionClock(session, {}), heatflow()->trace->extent,
                                            1'000'000, {}, filters, task);
    REQUIRE(histogram);
    CHECK(std::accumulate(histogram->sent.begin(), histogram->sent.end(), std::uint64_t{0}) == messages);
}

}  // namespace skein::message_filter_test
