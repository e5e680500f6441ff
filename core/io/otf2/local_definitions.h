// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/definitions/definitions.h"
#include "core/io/otf2/location_corrections.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <otf2/otf2.h>
#include <string>
#include <vector>

/// The definitions of one location: how its ids map to the archive's, and corrections of its clock.
namespace skein::otf2 {

struct LocalDefinitions {
    LocalIds ids;
    std::vector<RecordedClockOffset> clockOffsets;
    bool hasMappings = false;
    bool onlyLibrary = false;  ///< only libotf2 knows what they mean for the location's events
    bool outOfMemory = false;
    ImportReport report;
};

/// A location's file of local definitions.
struct LocalDefinitionFile {
    std::filesystem::path path;
    LocationId location;
    OTF2_LocationRef id = OTF2_UNDEFINED_LOCATION;
    std::string label;             ///< of the location, for findings
    std::uint64_t chunkBytes = 0;  ///< of definitions, in the archive; 0 where it packs its files
};

/// Decodes a file, without the megabytes that libotf2 clears for each: a file has some hundred bytes, and an
/// archive thousands of files. Nothing where it differs in any way from what libotf2 3.0 writes on machines
/// of this byte order, or does not fit into one chunk: it has to be read by libotf2 then. Linear; may be
/// called for several files at once.
std::optional<LocalDefinitions> decodeLocalDefinitions(const LocalDefinitionFile& file);

/// Lets libotf2 read a file, which from then on applies what stands in it to the location's events. What
/// libotf2 is not to be trusted with in files that are not packed (files that are cut off, tables and groups
/// of more entries than their records hold, ids that do not rise, more than 64 MiB) is reported and left out
/// as a whole. The reader's definition files have to be open. May be called for several locations at once.
LocalDefinitions readLocalDefinitions(OTF2_Reader* reader, const LocalDefinitionFile& file);

}  // namespace skein::otf2
