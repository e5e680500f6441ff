// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/first_picture.h"

#include "core/base/read_ahead.h"

namespace skein {
namespace {

constexpr std::size_t kNodes =
    8192;  ///< of a tree: those as wide as the columns of a large screen, and wider
constexpr std::size_t kCalls = 8192;  ///< the first ones tell whether there are more calls than two a column
constexpr std::size_t kMessageBlocks = 1u << 18;
constexpr std::size_t kMostOutlierBytes = 32u << 20;

/// The first and the last calls tell which calls the picture has, and which are under way at its begin.
void expectEnds(const CallIntervals& calls)
{
    constexpr std::size_t kAround = 256;
    readAhead(calls.begin, 0, kCalls);
    readAhead(calls.begin, calls.size() - std::min<std::size_t>(1, calls.size()), 1);
    readAhead(calls.end, 0, kAround);
    readAhead(calls.callPath, 0, kAround);
    readAhead(calls.depth, 0, kAround);
}

}  // namespace

void expectFirstPicture(const Trace& trace, const TimelineIndex& index)
{
    for (const BundleTree& bundle : index.bundles) bundle.tree.expect(kNodes);
    for (std::size_t location = 0; index.bundles.empty() && location < index.locations.size(); ++location) {
        index.locations[location].tree.expect(kNodes);
        index.locations[location].skip.expect();
        expectEnds(trace.locations[location].intervals);
    }
    std::size_t outlierBytes = 0;
    for (const TimelineIndex::Location& location : index.locations) {
        if ((outlierBytes += location.outliers.bytes()) > kMostOutlierBytes) break;
        readAhead(location.outliers, 0, location.outliers.size());
    }
    readAhead(index.messages.blocks(), 0, kMessageBlocks);
}

}  // namespace skein
