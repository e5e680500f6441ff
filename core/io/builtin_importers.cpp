// SPDX-License-Identifier: GPL-3.0-or-later
// The explicit list of importers, alphabetical: one line each.
#include "core/io/caliper/caliper_importer.h"
#include "core/io/chimbuko/chimbuko_importer.h"
#include "core/io/comm_text/comm_table.h"
#include "core/io/comm_text/matrix_market.h"
#include "core/io/comm_text/route_file.h"
#include "core/io/comm_text/visuco_analysis.h"
#include "core/io/cube/cube_importer.h"
#include "core/io/hatchet/hatchet_importer.h"
#include "core/io/hpctoolkit/hpctoolkit_importer.h"
#include "core/io/importer.h"
#include "core/io/otf2/otf2_importer.h"
#include "core/io/tau_profile/tau_profile_importer.h"
#include "core/io/tau_trace/tau_trace_importer.h"
#include "core/io/tool_profiles/tool_profiles.h"

#include <array>

namespace skein {

std::span<const Importer> builtinImporters()
{
    static const std::array importers{
        kCaliperImporter,
        kCaliperJsonImporter,
        chimbuko::kExecutionsImporter,
        comm_text::kCommTableImporter,
        kCubeImporter,
        kFoldedImporter,
        hatchet::kHatchetImporter,
        kHpctoolkitImporter,
        comm_text::kMatrixMarketImporter,
        kOtf2Importer,
        kPyinstrumentImporter,
        comm_text::kRouteImporter,
        tau::kProfileImporter,
        tau::kTraceImporter,
        kTimemoryImporter,
        comm_text::kVisucoImporter,
    };
    return importers;
}

}  // namespace skein
