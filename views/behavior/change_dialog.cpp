// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/change_dialog.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/utf8_text.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kMostChangedPaths = 200;

std::string shareText(double share) { return fmt::format("{:.2f}", share * 100); }

QString spanText(TimeSpan span)
{
    return toQString(formatDuration(static_cast<double>(span.begin)) + " to "
                     + formatDuration(static_cast<double>(span.end)));
}

}  // namespace

ChangeDialog::ChangeDialog(SelectionModel& selection, SessionPtr session, ChangeComparison comparison,
                           std::size_t number, QWidget* parent)
    : QDialog(parent), selection_(selection), session_(std::move(session)), comparison_(std::move(comparison))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(false);
    setObjectName("behavior.change_dialog");
    setWindowTitle(tr("Call Paths Before and After Change %1").arg(number));
    auto* words =
        new QLabel(tr("Shares of the time of all locations, in the call path itself. Before: %1. After: %2.")
                       .arg(spanText(comparison_.periods.before), spanText(comparison_.periods.after)),
                   this);
    words->setWordWrap(true);
    table_ = new CellTable("behavior.change_table", tr("Call paths before and after the change"), this);
    connect(table_, &CellTable::rowsChosen, this, &ChangeDialog::choose);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* all = new QVBoxLayout(this);
    all->addWidget(words);
    all->addWidget(table_, 1);
    all->addWidget(buttons);
    resize(720, 420);
    fill();
}

void ChangeDialog::fill()
{
    const std::size_t count = std::min(kMostChangedPaths, comparison_.paths.size());
    std::vector<std::vector<TableCell>> rows;
    for (std::size_t i = 0; i < count; ++i) {
        const ChangedPath& path = comparison_.paths[i];
        const double more = path.difference();
        rows.push_back({path.path, WordedNumber{shareText(path.before), path.before},
                        WordedNumber{shareText(path.after), path.after},
                        WordedNumber{(more > 0 ? "+" : "") + shareText(more), more}});
    }
    table_->setRows({{tr("Call path")},
                     {tr("% before"), CellKind::Percent},
                     {tr("% after"), CellKind::Percent},
                     {tr("% difference"), CellKind::Percent}},
                    std::move(rows));
}

void ChangeDialog::choose()
{
    std::vector<CallPathRef> chosen;
    for (const std::size_t row : table_->chosenRows()) {
        const auto& own = comparison_.paths[row].callPaths;
        chosen.insert(chosen.end(), own.begin(), own.end());
    }
    std::sort(chosen.begin(), chosen.end());
    if (session_) selection_.setSelected(select(*session_, chosen), nullptr);
}

}  // namespace skein
