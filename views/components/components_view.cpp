// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/components/components_view.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "views/common/elided_label.h"
#include "views/common/empty_state.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/selection_model.h"
#include "views/common/table/number_text.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <utility>

namespace skein {
namespace {

QString shiftText(TimeNs shiftNs)
{
    if (shiftNs == 0) return QString("0 ms");
    return (shiftNs > 0 ? QString("+") : QString("−"))
        + toQString(formatDuration(tableNs(shiftNs < 0 ? -shiftNs : shiftNs)));
}

QString ranksText(const GlobalRanks& ranks)
{
    if (ranks.count == 0) return QString("–");
    return ranks.count == 1 ? QString::number(ranks.first)
                            : QString("%1 – %2").arg(ranks.first).arg(ranks.first + ranks.count - 1);
}

}  // namespace

ComponentsView::ComponentsView(const ViewContext& context, QWidget* parent) : View(context, parent)
{
    auto* content = new QWidget(this);
    table_ = new QTreeWidget(content);
    table_->setObjectName("components.table");
    table_->setAccessibleName(tr("Components"));
    table_->setRootIsDecorated(false);
    table_->header()->setStretchLastSection(false);
    table_->setUniformRowHeights(true);
    table_->setAlternatingRowColors(true);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setHeaderLabels({tr("Component"), tr("Format"), tr("Locations"), tr("Global ranks"),
                             tr("Starts at"), tr("Duration"), tr("Shift"), tr("Handed over"), tr("Taken"),
                             tr("Waited for data")});
    const char* const kTips[kColumnCount] = {"",
                                             "",
                                             "",
                                             "Its ranks among those of all components",
                                             "On the common clock, shift included",
                                             "From its first to its last event",
                                             "Added to its times; double-click to edit: 12.5 ms, -3 s",
                                             "Pieces of data that others read",
                                             "Pieces of data that others wrote",
                                             "Time its locations waited for data of others"};
    for (int column = 0; column < kColumnCount; ++column)
        table_->headerItem()->setToolTip(column, tr(kTips[column]));
    caption_ = new ElidedLabel(content);
    caption_->setProperty("role", "secondary");
    align_ = new QPushButton(tr("Align Starts"), content);
    align_->setObjectName("components.align");
    align_->setToolTip(tr("Shift every component so that all begin at the same time"));
    recorded_ = new QPushButton(tr("As Recorded"), content);
    recorded_->setObjectName("components.recorded");
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(8, 4, 8, 4);
    controls->setSpacing(4);
    controls->addWidget(caption_, 1);
    controls->addWidget(align_);
    controls->addWidget(recorded_);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(controls);
    column->addWidget(table_, 1);
    pages_ = EmptyState::fill(*this, content, table_);
    connect(align_, &QPushButton::clicked, this, [this] { shift(shiftsToAlignStarts(*session_)); });
    connect(recorded_, &QPushButton::clicked, this, [this] { shift({}); });
    connect(table_, &QTreeWidget::itemDoubleClicked, this,
            [this](QTreeWidgetItem* item, int) { table_->editItem(item, kShift); });
    connect(table_, &QTreeWidget::itemChanged, this, &ComponentsView::edit);
    connect(table_, &QTreeWidget::itemClicked, this,
            [this](QTreeWidgetItem* item, int) { select(table_->indexOfTopLevelItem(item)); });
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kClocks)) showRows();
    });
    setSession(nullptr);
}

std::vector<KeyHint> ComponentsView::keyHints() const
{
    return {{tr("Click"), tr("Select the locations of the component")},
            {tr("Double click, F2"), tr("Edit by how much its clock is shifted")}};
}

void ComponentsView::setSession(SessionPtr session)
{
    tasks().drop("components");
    session_ = std::move(session);
    handOvers_ = nullptr;
    if (!session_)
        return pages_->showMessage(
            tr("Open the archives of a workflow, or of several runs, to see them side by side."));
    pages_->showContent();
    showRows();
    if (session_->experiments.size() > 1) load();
}

void ComponentsView::load()
{
    tasks().run<SessionHandOversPtr>(
        {"components", tr("Looking for hand-overs of files")}, this,
        [session = session_, results = results()](const Task& task) {
            return handOversOf(*results, session, task);
        },
        [this](Result<SessionHandOversPtr> found) {
            if (!found) return;
            handOvers_ = *found;
            showRows();
        });
}

void ComponentsView::showRows()
{
    if (!session_) return;
    const bool filling = std::exchange(filling_, true);
    const auto rows = makeComponentRows(*session_, selection().state().clockShiftsNs,
                                        handOvers_ ? handOvers_->placed.handOvers : std::vector<HandOver>());
    const int current = table_->indexOfTopLevelItem(table_->currentItem());
    table_->clear();
    for (const ComponentRow& row : rows) {
        const QString begin = row.hasTimes ? tableDuration(tableNs(row.span.begin)) : tr("no times");
        auto* item = new QTreeWidgetItem(
            {toQString(row.name), toQString(row.format), QString::number(row.locations), ranksText(row.ranks),
             begin, row.hasTimes ? tableDuration(tableNs(row.span.lengthNs())) : QString("–"),
             shiftText(row.shiftNs), tableCount(static_cast<double>(row.wrote)),
             tableCount(static_cast<double>(row.read)),
             row.read > 0 ? tableDuration(tableNs(row.waitedNs)) : QString("–")});
        for (int column = kLocations; column < kColumnCount; ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        if (row.hasTimes) item->setFlags(item->flags() | Qt::ItemIsEditable);
        table_->addTopLevelItem(item);
    }
    if (QTreeWidgetItem* item = table_->topLevelItem(current)) table_->setCurrentItem(item);
    const bool any = handOvers_ && !handOvers_->placed.handOvers.empty();
    for (const int column : {kWrote, kRead, kWaited}) table_->setColumnHidden(column, !any);
    for (int column = 0; column < kColumnCount; ++column) table_->resizeColumnToContents(column);
    align_->setEnabled(session_->experiments.size() > 1);
    recorded_->setEnabled(!selection().state().clockShiftsNs.empty());
    showCaption();
    filling_ = filling;
}

void ComponentsView::showCaption()
{
    const SessionClock clock = sessionClock(*session_, selection().state().clockShiftsNs);
    QString caption = clock.absolute ? tr("On the clock of the day they ran")
                                     : tr("Starts aligned: the archives do not tell when they ran together");
    if (handOvers_ && !handOvers_->file.empty()) {
        std::uint64_t bytes = 0;
        for (const HandOver& handOver : handOvers_->placed.handOvers) bytes += handOver.bytes;
        caption +=
            tr(" · %1 hand-overs, %2, from %3")
                .arg(toQString(formatGrouped(static_cast<std::int64_t>(handOvers_->placed.handOvers.size()))),
                     toQString(formatBytes(static_cast<double>(bytes))),
                     toQString(handOvers_->file.filename().string()));
        if (!handOvers_->problem.empty()) caption += " · " + toQString(handOvers_->problem);
    }
    caption_->setText(caption);
}

void ComponentsView::shift(const std::vector<TimeNs>& shifts) { selection().setClockShifts(shifts, nullptr); }

void ComponentsView::edit(QTreeWidgetItem* item, int column)
{
    if (filling_ || column != kShift || !session_) return;
    const auto row = static_cast<std::size_t>(table_->indexOfTopLevelItem(item));
    std::string typed = item->text(kShift).replace(QString("−"), "-").toStdString();
    const auto wanted = parseShift(typed);
    if (!wanted)
        selection().say(tr("“%1” is no time: write 12.5 ms, -3 s or 250 (ms)").arg(item->text(kShift)));
    std::vector<TimeNs> shifts = selection().state().clockShiftsNs;
    shifts.resize(session_->experiments.size(), 0);
    const bool changes = wanted && shifts[row] != *wanted;
    if (changes) {
        shifts[row] = *wanted;
        if (std::all_of(shifts.begin(), shifts.end(), [](TimeNs time) { return time == 0; })) shifts.clear();
        return shift(shifts);
    }
    showRows();
}

void ComponentsView::select(int row)
{
    if (!session_ || row < 0) return;
    Selection chosen;
    const auto number = static_cast<std::uint32_t>(row);
    for (std::uint32_t id = 0; id < session_->experiments[number]->definitions.locations.size(); ++id)
        chosen.locations.push_back({number, LocationId(id)});
    selection().setSelected(chosen, this);
}

}  // namespace skein
