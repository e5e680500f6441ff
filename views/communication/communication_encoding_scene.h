// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace skein {

/// What the disc of a node tells. As two discs each is as large as what was sent or received.
enum class NodeDiscs : std::uint8_t { Share, SentOnReceived, ReceivedOnSent, SmallerOnLarger };

/// How strongly the graph of communication draws what it draws. Factors are of the usual sizes, which follow
/// the distances of nodes.
struct CommunicationEncoding {
    double nodes = 1;             ///< factor of radii
    double smallestNodePx = 1.5;  ///< radius, in logical pixels
    double pairs = 1;             ///< factor of widths of lines from end to end
    double routes = 1;            ///< and of those along ways
    double rings = 1;             ///< factor of what ranks of a node send each other
    double fadedOpacity = 0.3;    ///< of what is not selected, 0 … 1
    double fadedGrey = 1;         ///< how grey its lines are: 0 in their colours … 1
    NodeDiscs discs = NodeDiscs::Share;
    double curves = 1;  ///< how far curves bend: 0 straight, 1 as usual … 1.5

    bool operator==(const CommunicationEncoding&) const = default;
};

/// A number of the encoding as a user may change it.
struct EncodingField {
    const char* key;  ///< in ViewState::panels
    const char* label;
    double CommunicationEncoding::*member;
    double least = 0, most = 1;
    const char* unit = "%";  ///< "%": shown as percent
};

std::span<const EncodingField> encodingFields();
/// The ways to draw discs as a user chooses them, in the order of NodeDiscs.
std::span<const char* const> nodeDiscLabels();

/// Under this name ViewState::panels keeps them, each as a number by its key, and `discs`. What is missing,
/// no number or out of range is as usual.
inline constexpr const char* kEncodingPanel = "communication_encoding";
CommunicationEncoding encodingOf(const ViewState& state);
PanelSettings encodingSettings(const CommunicationEncoding& encoding);

}  // namespace skein
