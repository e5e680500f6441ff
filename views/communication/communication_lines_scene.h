// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/communication/communication_scene.h"

#include <cstdint>
#include <vector>

namespace skein {

/// A flow as it is drawn: its middle line and how wide it is.
struct FlowLine {
    std::uint32_t flow = 0;
    std::vector<Point> points;
    double width = 1;
};

/// Lines of flows beside each other: on every piece of a way those that go there lie to the right of their
/// direction, the first of the order nearest to the middle. Widths are in proportion to what flows; all
/// together on one piece are at most `widest` pixels, or as wide as hairlines beside each other are.
std::vector<FlowLine> stackedLines(const CommunicationPicture& picture, const CommunicationLayout& layout,
                                   const std::vector<std::uint32_t>& flows, const Canvas& canvas);

/// How far lines between neighbours bend out, in pixels.
double bendOfLines(const CommunicationPicture& picture, const CommunicationLayout& layout);

/// Adds a line as one polygon, or as plain lines where it is thin.
void drawFlowLine(DrawList& list, const FlowLine& line, Color color);
/// Adds a line as one plain line for each of its pieces.
void drawPlainFlowLine(DrawList& list, const FlowLine& line, Color color);

/// How many of the flows are drawn exactly.
inline constexpr std::size_t kExactFlows = 1500;
/// Flows for the density at most; the rest is told in the head.
inline constexpr std::size_t kMostDenseFlows = 400'000;

/// The colour of a line that is not selected, where others are.
Color fadedFlowColor(const CommunicationEncoding& encoding, Color color, const Theme& theme);

/// Flows that are drawn exactly, in the order of the picture: the first, and what is selected.
std::vector<std::uint32_t> exactFlows(const CommunicationPicture& picture);

/// The pieces of ways of all other flows, up to kMostDenseFlows.
DensePieces densePieces(const CommunicationPicture& picture, const Task& task);

/// The colour of a value among those that are shown; by the number of the flow for categories.
class FlowColors {
public:
    FlowColors(const CommunicationPicture& picture, bool dark);
    Color of(std::uint32_t flow) const;
    /// Where a flow's value lies between the least and the most; categories have none: 1.
    double partOf(std::uint32_t flow) const;
    /// Of a value between the least (0) and the most (1).
    Color at(double part) const;
    double least() const { return least_; }
    double most() const { return most_; }

private:
    const CommunicationPicture& picture_;
    bool dark_;
    bool logarithmic_ = false;
    double least_ = 0, most_ = 0;
};

}  // namespace skein
