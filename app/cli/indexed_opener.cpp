// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/indexed_opener.h"

#include "app/cli/output/text.h"

#include <fmt/format.h>

namespace skein::cli {

Result<ExperimentPtr> IndexedOpener::open(const std::filesystem::path& path, const Task& task)
{
    auto opened = disk::openArchive(path, settings_, task);
    if (!opened) return tl::make_unexpected(std::move(opened.error()));
    if (opened->unsaved) unsaved_.push_back(std::move(*opened->unsaved));
    return std::move(opened->experiment);
}

void IndexedOpener::saveAll(const Task& task, Sink& err)
{
    for (const disk::PendingIndex& unsaved : unsaved_) {
        const auto saved = disk::saveIndex(unsaved, settings_, task);
        if (saved || saved.error().cancelled()) continue;
        err.write(fmt::format(
            "skein-cli: information: {} Opening it again will take as long; --no-index saves the attempt.\n",
            printable(saved.error().text())));
        return;
    }
}

}  // namespace skein::cli
