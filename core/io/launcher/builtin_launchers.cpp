// SPDX-License-Identifier: GPL-3.0-or-later
// The explicit list of launcher formats, alphabetical by id: one line each.
#include "core/io/launcher/formats.h"

#include <algorithm>
#include <array>

namespace skein {

std::span<const LauncherFormat> launcherFormats()
{
    static const std::array formats{
        launcher::bgqFormat(),      launcher::crayFormat(),    launcher::csvFormat(),
        launcher::fluxFormat(),     launcher::fujitsuFormat(), launcher::hydraFormat(),
        launcher::intelMpiFormat(), launcher::jsrunFormat(),   launcher::lsfFormat(),
        launcher::openMpiFormat(),  launcher::pjmFormat(),     launcher::slurmFormat(),
        launcher::sstFormat(),
    };
    return formats;
}

const LauncherFormat* findLauncherFormat(std::string_view id)
{
    const auto formats = launcherFormats();
    const auto found =
        std::find_if(formats.begin(), formats.end(), [&](const auto& format) { return format.id == id; });
    return found == formats.end() ? nullptr : &*found;
}

const LauncherFormat* recognizeLauncherFormat(std::string_view text)
{
    const LauncherFormat* found = nullptr;
    for (const LauncherFormat& format : launcherFormats()) {
        if (!format.recognizes(text)) continue;
        if (found) return nullptr;
        found = &format;
    }
    return found;
}

std::string_view name(MapFileKind kind)
{
    switch (kind) {
    case MapFileKind::Place: return "place of each rank";
    case MapFileKind::OrderList: return "order list: ranks in slot order";
    case MapFileKind::NodeSets: return "ranks of each host";
    }
    return "invalid";
}

}  // namespace skein
