// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/hand_over_share.h"

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

Result<SessionHandOversPtr> read(const Session& session, const std::filesystem::path& file, const Task& task)
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

void HandOverShare::setFile(const std::optional<std::filesystem::path>& file)
{
    const std::scoped_lock lock(mutex_);
    file_ = file;
    session_.reset();
}

Result<SessionHandOversPtr> HandOverShare::of(const SessionPtr& session, const Task& task)
{
    const std::scoped_lock lock(mutex_);
    if (found_ && session_.lock() == session) return found_;
    const auto file = file_ ? file_ : findCouplingFile(*session);
    auto found = file ? read(*session, *file, task)
                      : Result<SessionHandOversPtr>(std::make_shared<const SessionHandOvers>());
    if (!found) return found;
    session_ = session;
    found_ = *found;
    return found_;
}

}  // namespace skein
