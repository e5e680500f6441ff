// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/region_groups.h"

namespace skein {

std::vector<RegionPalette> palettesOf(const Session& session, const Theme& theme)
{
    std::vector<RegionPalette> palettes;
    for (const ExperimentPtr& experiment : session.experiments)
        palettes.push_back(regionPalette(experiment->definitions, theme));
    return palettes;
}

std::vector<RegionRef> regionsOfGroup(const Session& session, PaletteGroup group)
{
    std::vector<RegionRef> found;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const Definitions& definitions = session.experiments[number]->definitions;
        for (std::uint32_t id = 0; id < definitions.regions.size(); ++id)
            if (paletteGroupOf(definitions.regions[id], definitions) == group) found.push_back({number, RegionId(id)});
    }
    return found;
}

}  // namespace skein
