// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/workflow_hand_overs.h"

#include "core/io/coupling/coupling_file.h"

namespace skein::cli {

Result<std::vector<HandOver>> workflowHandOvers(const OpenSession& opened, const std::string& coupling,
                                                const Task& task)
{
    std::optional<std::filesystem::path> file;
    if (!coupling.empty()) file = coupling;
    else file = findCouplingFile(opened.session);
    if (!file) return std::vector<HandOver>();
    const auto table = readCoupling(*file, task);
    if (!table) return tl::make_unexpected(table.error());
    auto placed = placeCoupling(opened.session, *table);
    if (!placed) return tl::make_unexpected(placed.error());
    return std::move(placed->handOvers);
}

}  // namespace skein::cli
