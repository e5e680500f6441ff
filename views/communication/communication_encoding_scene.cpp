// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_encoding_scene.h"

#include "core/base/parse_number.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string_view>

namespace skein {
namespace {

using Encoding = CommunicationEncoding;

constexpr EncodingField kEncodingFields[] = {
    {"nodes", "Size of nodes", &Encoding::nodes, 0.1, 5},
    {"smallest_node", "Smallest node", &Encoding::smallestNodePx, 0.5, 20, "px"},
    {"pairs", "Width of pairs", &Encoding::pairs, 0.1, 10},
    {"routes", "Width of routes", &Encoding::routes, 0.1, 10},
    {"rings", "Width of rings", &Encoding::rings, 0, 5},
    {"faded_opacity", "Opacity of what is not selected", &Encoding::fadedOpacity, 0, 1},
    {"faded_grey", "Grey of lines that are not selected", &Encoding::fadedGrey, 0, 1},
    {"curves", "Strength of curves", &Encoding::curves, 0, 1.5},
};

constexpr const char* kDiscsKey = "discs";
/// As sessions keep them, and as users choose them.
constexpr const char* kDiscNames[] = {"share", "sent_on_received", "received_on_sent", "smaller_on_larger"};
constexpr const char* kDiscLabels[] = {"One, its colour what is received", "Sent on received",
                                       "Received on sent", "The smaller on the larger"};

}  // namespace

std::span<const char* const> nodeDiscLabels() { return kDiscLabels; }

std::span<const EncodingField> encodingFields() { return kEncodingFields; }

CommunicationEncoding encodingOf(const ViewState& state)
{
    CommunicationEncoding encoding;
    const auto panel = state.panels.find(kEncodingPanel);
    if (panel == state.panels.end()) return encoding;
    if (const auto discs = panel->second.find(kDiscsKey); discs != panel->second.end()) {
        const auto found = std::ranges::find(kDiscNames, std::string_view(discs->second));
        if (found != std::end(kDiscNames))
            encoding.discs = static_cast<NodeDiscs>(found - std::begin(kDiscNames));
    }
    for (const EncodingField& field : kEncodingFields) {
        const auto text = panel->second.find(field.key);
        if (text == panel->second.end()) continue;
        const auto number = parseNumber<double>(text->second);
        if (number && *number >= field.least && *number <= field.most) encoding.*field.member = *number;
    }
    return encoding;
}

PanelSettings encodingSettings(const CommunicationEncoding& encoding)
{
    PanelSettings settings;
    for (const EncodingField& field : kEncodingFields)
        settings[field.key] = fmt::format("{:.4g}", encoding.*field.member);
    settings[kDiscsKey] = kDiscNames[static_cast<std::size_t>(encoding.discs)];
    return settings;
}

}  // namespace skein
