// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/sink.h"
#include "core/index/disk/open_archive.h"

#include <vector>

namespace skein::cli {

/// Opens archives through their indexes and remembers which have none yet. To be used by one thread.
class IndexedOpener {
public:
    explicit IndexedOpener(disk::IndexSettings settings) : settings_(std::move(settings)) {}

    Result<ExperimentPtr> open(const std::filesystem::path& path, const Task& task);

    /// Saves the indexes of what was imported. That one cannot be saved is said once and changes nothing
    /// else.
    void saveAll(const Task& task, Sink& err);

private:
    disk::IndexSettings settings_;
    std::vector<disk::PendingIndex> unsaved_;
};

}  // namespace skein::cli
