// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// What the fuzzers run on their input. Anything may be wrong with the input; the reader must end, and what
/// it gives must be consistent, else the program is aborted.
namespace skein::fuzz {

/// A table, matrix or route file of communication, given to the reader of each kind.
void readCommText(std::string_view input);

/// A Cube profile, as it lies in a file; all of its columns are read.
void readCube(std::string_view input);

/// The anchor file and global definitions of an archive, then local definitions and events of each of up to
/// four locations, separated by a line "%%%%". They are written to a temporary folder for libotf2 to read, on
/// one thread and on four, which must give the same: memory of one location's file must not get into
/// another's.
void readOtf2(std::string_view input);

/// A launcher's map file, given to the reader of each launcher.
void readRankMap(std::string_view input);

/// Files of a profile, separated by a line "%%%%"; what each is, is told by its content.
void readTauProfile(std::string_view input);

/// An event file, a line "%%%%", and the records of a trace.
void readTauTrace(std::string_view input);

/// A description of a machine, given to the reader of each format.
void readTopology(std::string_view input);

}  // namespace skein::fuzz
