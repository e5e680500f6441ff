// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/turning_splitter.h"

namespace skein {
namespace {

constexpr int kPicturePart = 600, kTablePart = 400;

}  // namespace

void TurningSplitter::resizeEvent(QResizeEvent* event)
{
    const auto wanted = height() < kLowPx && width() > 2 * height() ? Qt::Horizontal : Qt::Vertical;
    const bool turns = orientation() != wanted;
    if (turns) setOrientation(wanted);
    QSplitter::resizeEvent(event);
    // In proportion to what there is: the picture gets more of it.
    if (turns && count() == 2) setSizes({kPicturePart, kTablePart});
}

}  // namespace skein
