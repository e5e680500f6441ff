// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/index_saver.h"

#include <utility>

namespace skein::gui {
namespace {

Result<std::size_t> saveAll(const std::vector<disk::PendingIndex>& unsaved,
                            const disk::IndexSettings& settings, const Task& task)
{
    const auto count = static_cast<double>(unsaved.size());
    for (std::size_t i = 0; i < unsaved.size(); ++i) {
        const auto at = static_cast<double>(i);
        const auto saved = disk::saveIndex(unsaved[i], settings, task.part(at / count, (at + 1) / count));
        if (!saved) return Unexpected(saved.error());
    }
    return unsaved.size();
}

}  // namespace

IndexSaver::IndexSaver(TaskRunner& tasks, QObject* parent) : QObject(parent), tasks_(tasks)
{
    rest_.setInterval(kRestMs);
    connect(&rest_, &QTimer::timeout, this, &IndexSaver::saveWhenIdle);
}

void IndexSaver::add(std::vector<disk::PendingIndex> unsaved)
{
    for (disk::PendingIndex& index : unsaved) unsaved_.push_back(std::move(index));
    if (!unsaved_.empty()) rest_.start();
}

void IndexSaver::saveWhenIdle()
{
    if (tasks_.anyRunning()) return;
    rest_.stop();
    saving_ = true;
    tasks_.run<std::size_t>(
        {"save index", tr("Saving the index, so that the archive opens at once the next time"),
         JobVisibility::AtOnce},
        this,
        [unsaved = std::exchange(unsaved_, {}), settings = settings_](const Task& task) {
            return saveAll(unsaved, settings, task);
        },
        [this](const Result<std::size_t>&) { saving_ = false; });
}

}  // namespace skein::gui
