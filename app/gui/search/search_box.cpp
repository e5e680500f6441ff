// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/search/search_box.h"

#include <QAction>
#include <QIcon>

namespace skein::gui {

SearchBox::SearchBox(QAction& search, QWidget* parent) : QPushButton(tr("Regions, locations, calls"), parent)
{
    setObjectName("searchBox");
    setIcon(QIcon(":/icons/search.svg"));
    setAccessibleName(tr("Search"));
    setToolTip(tr("Search (%1)").arg(search.shortcut().toString(QKeySequence::NativeText)));
    setCursor(Qt::IBeamCursor);
    setFocusPolicy(Qt::TabFocus);
    setEnabled(search.isEnabled());
    connect(&search, &QAction::changed, this, [this, &search] { setEnabled(search.isEnabled()); });
    connect(this, &QPushButton::pressed, &search, &QAction::trigger);
}

}  // namespace skein::gui
