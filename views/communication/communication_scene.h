// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/layout/force_layout.h"
#include "algorithms/routing/comm_graph.h"
#include "core/base/task.h"
#include "views/common/scene/color/color_stops.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/plane_view.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/communication/communication_encoding_scene.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The communication view of Fujiwara et al. (VAST 2017), section 4.2: who exchanges what, over which ways.
namespace skein {

enum class CommunicationLines : std::uint8_t { Pairs, Routes, None };
enum class CommunicationColor : std::uint8_t { Bytes, HighestLoad, Length, HopBytes, Category };
enum class CommunicationStyle : std::uint8_t { Straight, Curved, BSpline, Metro };

struct CommunicationOptions {
    CommunicationLines lines = CommunicationLines::Pairs;
    CommunicationColor color = CommunicationColor::Bytes;
    CommunicationStyle style = CommunicationStyle::Straight;
    double topPercent = 100;  ///< of the flows, those with the most of what colours tell

    bool operator==(const CommunicationOptions&) const = default;
};

/// What flows on a piece of a way that is not drawn line by line.
struct DensePiece {
    std::uint64_t key = 0;  ///< the vertices from and to, 32 bits each
    float lines = 1;
    float value = 0;  ///< the greatest there, by its place in the order; 0 … 1
};

using DensePieces = std::shared_ptr<const std::vector<DensePiece>>;

struct FlowDensityMap;
using FlowDensityMapPtr = std::shared_ptr<const FlowDensityMap>;

/// What is drawn, apart from where. Immutable; may cross threads.
struct CommunicationPicture {
    std::shared_ptr<const CommGraph> graph;
    std::shared_ptr<const std::vector<PlanePoint>> points;  ///< of each vertex
    std::vector<std::string> names;                         ///< of each vertex
    CommunicationOptions options;
    std::vector<std::uint32_t> order;  ///< flows that are shown, the most of what colours tell first
    std::vector<char> selectedVertices, selectedFlows;  ///< empty: none
    /// Of what is not among the exact flows, by key. Never null.
    DensePieces dense = std::make_shared<const std::vector<DensePiece>>();
    std::vector<std::uint32_t> largestFirst;  ///< vertices by degree
    std::uint64_t mostDegree = 1;
    double spacing = 1;  ///< of vertices in the plane, on average
    /// By how much each flow changes what colours tell, and what lines are as wide as; empty: no difference.
    std::vector<double> changes, widths;
    /// Flows that are other ways of routes, blue; the others are the ways before. Where hasAlternatives.
    std::vector<char> alternative;
    bool hasAlternatives = false;
    std::vector<std::string> notes;                       ///< on top of the picture
    std::optional<std::pair<double, double>> range = {};  ///< of the colours, shared with another picture
    double mostOnPiece = 0;                               ///< what the widest bundle carries; 0: the own
    std::uint64_t mostInside = 0;                         ///< of the widest ring; 0: the own
    ColorStops stops;
    CommunicationEncoding encoding;
    std::string head;

    bool anySelected() const { return !selectedVertices.empty(); }
    bool isSelected(std::uint32_t flow) const { return !selectedFlows.empty() && selectedFlows[flow]; }
    /// Vertices on the drawn way of a flow.
    std::vector<std::uint32_t> wayOf(std::uint32_t flow) const;
};

using CommunicationPicturePtr = std::shared_ptr<const CommunicationPicture>;

/// Orders the flows and gathers the pieces of those that are not drawn exactly. O(hops log).
CommunicationPicture communicationPicture(std::shared_ptr<const CommGraph> graph,
                                          const CommunicationOptions& options, const Task& task);

/// Finds the largest vertices of the graph that is set. O(vertices log).
void orderVertices(CommunicationPicture& picture);

/// Gives the vertices their places.
void placeVertices(CommunicationPicture& picture, std::shared_ptr<const std::vector<PlanePoint>> points);

/// What colours tell of a flow, as a number.
double communicationValue(const CommGraph& graph, std::uint32_t flow, CommunicationColor color);
struct CommunicationLayout : PlaneFrame {
    Rect caption, head, foot;
};

CommunicationLayout communicationLayout(const CommunicationPicture& picture, const PlaneView& view,
                                        const Canvas& canvas);

/// The radius of a vertex in pixels: its area is its degree.
double vertexRadius(const CommunicationPicture& picture, const CommunicationLayout& layout,
                    std::uint32_t vertex, const Canvas& canvas);

/// Circles whose area is the degree and whose colour is the part of it that comes in; lines as wide as their
/// bytes, to the right of their direction beside each other, the strongest 1500 of them (and all that are
/// selected, up to as many) exactly, the others as a density. O(pieces · their
/// pixels + pixels), whatever the number of flows.
DrawList communicationScene(const CommunicationPicture& picture, const PlaneView& view, const Canvas& canvas,
                            const Task& task);

/// The same while the view moves, in a time that hardly depends on the number of flows: the density is
/// coarser, and taken from the map of the picture where that is quicker (may be null). Its lines are the
/// same, but wide ones have gaps at turns, and of very long ones only the strongest and the selected stay
/// lines.
DrawList movingCommunicationScene(const CommunicationPicture& picture, const PlaneView& view,
                                  const Canvas& canvas, const FlowDensityMap* map, const Task& task);

/// What lies at a point: a vertex, or a flow within 4 logical pixels of its line.
struct CommunicationHit {
    std::optional<std::uint32_t> vertex = {};
    std::optional<std::uint32_t> flow = {};
    bool operator==(const CommunicationHit&) const = default;
};
CommunicationHit communicationAt(const CommunicationPicture& picture, const PlaneView& view, Point point,
                                 const Canvas& canvas);

/// What a line that closes itself selects.
enum class LassoMode : std::uint8_t {
    Within,    ///< vertices inside, and flows with all of their way inside
    Touching,  ///< flows that pass through as well, with all vertices on their ways
};
struct LassoSelection {
    std::vector<std::uint32_t> vertices, flows;  ///< ascending
};
LassoSelection lassoed(const CommunicationPicture& picture, const std::vector<PlanePoint>& lasso,
                       LassoMode mode);

}  // namespace skein
