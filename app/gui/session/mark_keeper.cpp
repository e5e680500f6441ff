// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/mark_keeper.h"

#include "app/gui/session/mark_store.h"
#include "views/common/selection_model.h"

namespace skein::gui {

MarkKeeper::MarkKeeper(SelectionModel& selection, QObject* parent) : QObject(parent), selection_(selection)
{
    connect(&selection_, &SelectionModel::changed, this, [this](ViewParts parts) {
        if (parts.has(ViewParts::kMarks)) keep();
    });
}

const std::vector<Mark>& MarkKeeper::take(const QStringList& paths)
{
    paths_ = paths;
    kept_ = paths_.isEmpty() ? std::vector<Mark>() : MarkStore::load(paths_);
    return kept_;
}

void MarkKeeper::keep()
{
    const auto& marks = selection_.state().marks;
    if (paths_.isEmpty() || marks == kept_) return;
    kept_ = marks;
    MarkStore::save(paths_, marks);
}

}  // namespace skein::gui
