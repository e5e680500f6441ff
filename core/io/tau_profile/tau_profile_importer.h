// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

namespace skein::tau {

/// Opens TAU profiles in every form TAU and ParaProf write them: folders of profile.N.C.T, of MULTI__METRIC
/// folders or of snapshot.N.C.T, tauprofile.xml, and packed .ppk. Files are known by their content; the
/// numbers of a thread come from the end of its file's name, which is the only place that tells them.
extern const Importer kProfileImporter;

std::optional<std::filesystem::path> sniffProfile(const std::filesystem::path& path, const Task& task);
Result<Experiment> readProfile(const std::filesystem::path& path, const Task& task);

}  // namespace skein::tau
