// SPDX-License-Identifier: GPL-3.0-or-later
// The explicit list of importers, alphabetical: one line each.
#include "core/io/comm_text/comm_table.h"
#include "core/io/comm_text/matrix_market.h"
#include "core/io/comm_text/route_file.h"
#include "core/io/cube/cube_importer.h"
#include "core/io/hatchet/hatchet_importer.h"
#include "core/io/importer.h"
#include "core/io/otf2/otf2_importer.h"
#include "core/io/tau_profile/tau_profile_importer.h"
#include "core/io/tau_trace/tau_trace_importer.h"

#include <array>

namespace skein {

std::span<const Importer> builtinImporters()
{
    static const std::array importers{
        comm_text::kCommTableImporter,
        kCubeImporter,
        hatchet::kHatchetImporter,
        comm_text::kMatrixMarketImporter,
        kOtf2Importer,
        comm_text::kRouteImporter,
        tau::kProfileImporter,
        tau::kTraceImporter,
    };
    return importers;
}

}  // namespace skein
