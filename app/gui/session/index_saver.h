// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/disk/open_archive.h"
#include "views/common/task_runner.h"

#include <QObject>
#include <QTimer>

#include <vector>

namespace skein::gui {

/// Saves the indexes of imported archives in the background, once nothing else runs: the first picture does
/// not wait for it. A window that is closed meanwhile leaves them unsaved. To be used on the GUI thread.
class IndexSaver : public QObject {
    Q_OBJECT

public:
    static constexpr int kRestMs = 300;  ///< how long no other job must have run

    IndexSaver(TaskRunner& tasks, QObject* parent);

    void setSettings(disk::IndexSettings settings) { settings_ = std::move(settings); }
    const disk::IndexSettings& settings() const { return settings_; }
    void add(std::vector<disk::PendingIndex> unsaved);
    /// True while something is still to be saved.
    bool busy() const { return saving_ || !unsaved_.empty(); }

private:
    void saveWhenIdle();

    TaskRunner& tasks_;
    disk::IndexSettings settings_{.enabled = false, .folder = {}};
    std::vector<disk::PendingIndex> unsaved_;
    QTimer rest_;
    bool saving_ = false;
};

}  // namespace skein::gui
