// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/io/otf2/archive_files.h"
#include "core/io/otf2/definition_resolver.h"
#include "core/io/otf2/otf2_importer.h"
#include "core/trace/trace_builder.h"

#include <otf2/otf2.h>

namespace skein::otf2 {

/// Reads the local definitions (mapping tables, clock offsets) and events of all locations, several at a
/// time, into the builder; what cannot be read of a location is reported, the others go on. Regions that
/// events name and nobody defines are added to the definitions. The result does not depend on the number of
/// threads. Errors: Cancelled, OutOfMemory.
Result<TraceBuilder> readEvents(OTF2_Reader* reader, const ArchiveFiles& files, ResolvedDefinitions& resolved,
                                EventDecoding decoding, const Task& task);

/// Reads the archive's markers, where it has any.
void readMarkers(OTF2_Reader* reader, const ArchiveFiles& files, ResolvedDefinitions& resolved,
                 TraceBuilder& builder);

}  // namespace skein::otf2
