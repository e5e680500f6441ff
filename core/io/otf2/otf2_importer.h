// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

namespace skein {

/// OTF2 archives (Score-P, TAU, EZTrace …), read with libotf2, events mostly without: all definitions and
/// events that the model has a place for; locations in parallel. Time stamps are corrected by the clock
/// offsets that the archive brings.
extern const Importer kOtf2Importer;

namespace otf2 {

/// Who decodes the records of events and the definitions of one location: the importer itself wherever it can
/// (see record_reader.h and local_definitions.h), or libotf2 all of them. What comes of it is the same.
enum class EventDecoding { OwnWherePossible, Library };

/// Reads the archive of an anchor file as kOtf2Importer does, which decodes by itself.
Result<Experiment> readOtf2(const std::filesystem::path& anchor, EventDecoding decoding, const Task& task);

}  // namespace otf2

}  // namespace skein
