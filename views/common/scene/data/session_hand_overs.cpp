// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_hand_overs.h"

#include "core/io/coupling/coupling_file.h"

#include <fmt/format.h>

namespace skein {
namespace {

/// What the user should know about lines that are not drawn.
std::string lossesOf(const CouplingTable& table, const PlacedHandOvers& placed)
{
    std::uint64_t unreadable = 0;
    for (const Issue& issue : table.report.issues()) unreadable += issue.count;
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(unreadable, "lines could not be read");
    add(placed.unread, "pieces were written and never read");
    add(placed.unwritten, "were read and never written");
    add(placed.misplaced, "lie outside of the traces");
    return text.empty() ? text : text + ".";
}

Result<SessionHandOversPtr> readTable(const Session& session, const std::filesystem::path& file,
                                      const Task& task)
{
    auto found = std::make_shared<SessionHandOvers>();
    found->file = file;
    const auto table = readCoupling(file, task);
    if (!table && table.error().cancelled()) return cancelled();
    if (!table) {
        found->problem = table.error().text();
        return SessionHandOversPtr(std::move(found));
    }
    auto placed = placeCoupling(session, *table);
    if (placed) {
        found->problem = lossesOf(*table, *placed);
        found->placed = std::move(*placed);
    } else {
        found->problem = placed.error().text();
    }
    return SessionHandOversPtr(std::move(found));
}

}  // namespace

Result<SessionHandOversPtr> readHandOvers(const Session& session, const Task& task)
{
    const auto file = session.handOverFile ? session.handOverFile : findCouplingFile(session);
    return file ? readTable(session, *file, task)
                : Result<SessionHandOversPtr>(std::make_shared<const SessionHandOvers>());
}

}  // namespace skein
