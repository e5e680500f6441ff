// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/legend/legend_view.h"

#include "core/base/units.h"
#include "core/select/filters.h"
#include "views/common/draw_list_painter.h"
#include "views/common/empty_state.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/data/metric_tracks.h"
#include "views/common/scene/data/session_waits.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/quiet_hover.h"
#include "views/common/table/region_text.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"
#include "views/legend/color_choosers.h"
#include "views/legend/color_strip.h"
#include "views/legend/legend_scene.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace skein {
namespace {

constexpr int kGroupRole = Qt::UserRole;      ///< index into the groups of a group's item; -1 of a region's
constexpr int kColorRole = Qt::UserRole + 1;  ///< of its swatch
constexpr int kNameRole = Qt::UserRole + 2;   ///< of a region, as the archive has it
constexpr int kSwatch = 12;

/// A filled square, a half filled one, or only its outline: what is hidden is told without colour.
QIcon groupSwatch(const QColor& color, Shown shown, double ratio)
{
    QPixmap pixmap(QSize(kSwatch, kSwatch) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    const QRectF box(0.5, 0.5, kSwatch - 1, kSwatch - 1);
    if (shown == Shown::All) painter.fillRect(box, color);
    if (shown == Shown::Some)
        painter.fillRect(QRectF(0.5, kSwatch / 2.0, kSwatch - 1, kSwatch / 2.0 - 0.5), color);
    painter.setPen(color);
    painter.drawRect(box);
    // Qt would tint the one of the selected row, and a legend's colours are what it is for.
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected);
    return icon;
}

bool isScale(ColorMode mode)
{
    return mode == ColorMode::Depth || mode == ColorMode::Duration || mode == ColorMode::Metric;
}

/// Metrics of call paths have names that are wider than screens.
QString shortenedMetric(const QString& metric)
{
    constexpr int kLongest = 60;
    return metric.size() <= kLongest ? metric
                                     : metric.left(kLongest / 2) + "…" + metric.right(kLongest / 2 - 1);
}

RegionGrouping otherThan(RegionGrouping grouping)
{
    return grouping == RegionGrouping::Role ? RegionGrouping::Recorded : RegionGrouping::Role;
}

/// As in pictures: shades belong to the name that is shown there.
std::string shownName(const std::string& full)
{
    Region region;
    region.name = full;
    return displayName(region);
}

/// The regions of a group by name: definitions of the same name are one entry.
std::map<std::string, std::vector<RegionRef>> byName(const Session& session,
                                                     const std::vector<RegionRef>& regions)
{
    std::map<std::string, std::vector<RegionRef>> named;
    for (const RegionRef& region : regions)
        named[session.experiments[region.experiment]->definitions.region(region.id).name].push_back(region);
    return named;
}

}  // namespace

LegendView::LegendView(const ViewContext& context, QWidget* parent)
    : View(context, parent), head_(new ScopeHead(selection(), this))
{
    setObjectName("legend");
    setAccessibleName(tr("Legend"));
    tree_ = new QTreeWidget(this);
    tree_->setAccessibleName(tr("Groups of regions and their colours"));
    tree_->setHeaderLabels({tr("Group or region"), tr("Regions"), tr("Own time")});
    tree_->setHeaderHidden(true);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setUniformRowHeights(true);
    tree_->setIconSize({kSwatch, kSwatch});
    tree_->header()->setStretchLastSection(false);
    tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    tree_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    tree_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    tree_->setTextElideMode(Qt::ElideMiddle);
    paintHoveredAlone(*tree_);
    tree_->installEventFilter(this);
    tree_->viewport()->installEventFilter(this);
    choosers_ = new ColorChoosers(this);
    metric_ = new QComboBox(this);
    metric_->setObjectName("colorMetric");
    metric_->setAccessibleName(tr("Metric that calls are coloured by"));
    metric_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    metric_->setMinimumContentsLength(8);
    strip_ = new ColorStrip(this);
    logarithmic_ = new QCheckBox(tr("Logarithmic"), this);
    logarithmic_->setObjectName("colorScaling");
    logarithmic_->setToolTip(tr("Tell small values apart"));
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(head_);
    auto* controls = new QVBoxLayout;
    controls->setContentsMargins(8, 4, 8, 0);
    controls->addWidget(choosers_);
    controls->addWidget(metric_);
    controls->addWidget(strip_);
    controls->addWidget(logarithmic_);
    column->addLayout(controls);
    column->addWidget(tree_, 1);
    waits_ = new QLabel(this);
    waits_->setObjectName("legend.waits");
    waits_->setWordWrap(true);
    waits_->setTextFormat(Qt::RichText);
    waits_->setContentsMargins(8, 4, 8, 4);
    column->addWidget(waits_);
    flushes_ = new QLabel(this);
    flushes_->setObjectName("legend.flushes");
    flushes_->setTextFormat(Qt::RichText);
    flushes_->setContentsMargins(8, 4, 8, 4);
    flushes_->setToolTip(
        tr("Where the measurement wrote its buffer: the time is its own, not the program's"));
    column->addWidget(flushes_);
    showWaits();
    pages_ = EmptyState::fill(*this, content, tree_);
    connect(tree_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { clicked(item); });
    connect(tree_, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem* item) {
        if (item->childCount() == 0) fillGroup(*item);
    });
    connect(choosers_, &ColorChoosers::colorsChosen, this, [this](ColorMode colors) {
        selection().setColors(colors, this);
        showColors();
    });
    connect(choosers_, &ColorChoosers::groupingChosen, this, [this](RegionGrouping grouping) {
        selection().setGrouping(grouping, this);
        showGroups();
    });
    connect(metric_, &QComboBox::activated, this, &LegendView::chooseMetric);
    connect(logarithmic_, &QCheckBox::toggled, this, [this](bool on) {
        selection().setColorScaling(on ? ColorScaling::Logarithmic : ColorScaling::Linear, this);
        showColors();
    });
    prepareSums();
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kClocks)) delay_.start();
        if (change.parts.has(ViewParts::kColors)) showGroups();
        if (change.parts.has(ViewParts::kColors | ViewParts::kMetric)) showColors();
        if (change.parts.has(ViewParts::kFilters)) showFilters();
        if (change.parts.has(ViewParts::kOverlays)) showWaits();
    });
    setSession(nullptr);
}

void LegendView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    head_->setSession(session_);
    tasks().drop("legend");
    tasks().drop("legend metric");
    shares_ = session_ ? ownTimeShares(*session_) : OwnTimeShares();
    fill();
    showFlushes();
    if (session_) sumUp();
}

void LegendView::fill()
{
    tree_->clear();
    if (!session_) return pages_->showMessage(tr("Open an archive to see what its colours stand for."));
    choosers_->setSession(*session_);
    grouped_ = selection().state().grouping;
    groups_ = regionsByGroup(RegionGroups(*session_, grouped_));
    otherGroups_ = regionsByGroup(RegionGroups(*session_, otherThan(grouped_)));
    const Theme theme = themeFor(palette());
    for (int index = 0; index < static_cast<int>(groups_.groups.size()); ++index) {
        const auto& regions = groups_.regions[static_cast<std::size_t>(index)];
        if (regions.empty()) continue;
        const ShownGroup& group = groups_.groups[static_cast<std::size_t>(index)];
        auto* item = new QTreeWidgetItem(tree_);
        item->setText(0, toQString(group.name));
        item->setText(1, QString::number(byName(*session_, regions).size()));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setData(0, kGroupRole, index);
        item->setData(0, kColorRole, toQColor(groupColor(group, theme)));
        item->setToolTip(0,
                         tr("Click to hide or show, Alt+click or Shift+click to show alone; click on the "
                            "colour to choose another"));
        item->setToolTip(1, tr("Regions of this group"));
        showShare(*item, shareOf(regions));
        item->setChildIndicatorPolicy(QTreeWidgetItem::ShowIndicator);
    }
    fillMetrics();
    pages_->showContent();
    showColors();
}

std::optional<DrawList> LegendView::drawnPicture(int width, int height) const
{
    if (!session_) return std::nullopt;
    const double scale = devicePixelRatioF();
    const SceneStyle style{themeFor(palette()), scale, {}};
    const SceneFonts fonts(font(), scale);
    const QtTextMeasure measure(fonts);
    return legendScene(legendRows(*session_, selection().state(), shares_, style.theme),
                       Canvas{width, height, style, measure});
}

std::optional<int> LegendView::pictureHeight(int width) const
{
    if (!session_) return std::nullopt;
    const double scale = devicePixelRatioF();
    const SceneStyle style{themeFor(palette()), scale, {}};
    const SceneFonts fonts(font(), scale);
    const QtTextMeasure measure(fonts);
    return legendHeight(legendRows(*session_, selection().state(), shares_, style.theme),
                        Canvas{width, 1, style, measure});
}

void LegendView::showGroups()
{
    if (session_ && grouped_ != selection().state().grouping) fill();
}

/// Those of the traces, of single call paths last.
void LegendView::fillMetrics()
{
    metric_->clear();
    std::set<std::string> known;
    QStringList names;
    for (const ExperimentPtr& experiment : session_->experiments)
        for (const std::string& metric : laneMetricNames(*experiment))
            if (known.insert(metric).second) names.push_back(toQString(metric));
    std::stable_partition(names.begin(), names.end(),
                          [](const QString& metric) { return !metric.contains(" => "); });
    for (const QString& metric : names) {
        metric_->addItem(shortenedMetric(metric), metric);
        metric_->setItemData(metric_->count() - 1, metric, Qt::ToolTipRole);
    }
}

/// The tables show it, too, where it is told by call.
void LegendView::chooseMetric(int row)
{
    const std::string wanted = metric_->itemData(row).toString().toStdString();
    for (std::uint32_t number = 0; number < session_->experiments.size(); ++number) {
        const auto& metrics = session_->experiments[number]->definitions.metrics;
        const auto found = std::find_if(metrics.begin(), metrics.end(),
                                        [&](const Metric& metric) { return metric.name == wanted; });
        if (found == metrics.end()) continue;
        selection().setMetric({number, MetricId(static_cast<std::uint32_t>(found - metrics.begin()))}, this);
        return showColors();
    }
}

/// A scale where colours are amounts; groups then have no colour of their own.
void LegendView::showColors()
{
    if (!session_) return;
    const ColorMode mode = selection().state().colors;
    choosers_->showChoice(mode, selection().state().grouping);
    std::uint32_t deepest = 1;
    for (const ExperimentPtr& experiment : session_->experiments)
        for (std::uint32_t path = 0; path < experiment->callTree->size(); ++path)
            deepest = std::max(deepest, experiment->callTree->depth(CallPathId(path)) + 1);
    const bool dark = themeFor(palette()).dark;
    strip_->setVisible(isScale(mode));
    metric_->setVisible(mode == ColorMode::Metric && metric_->count() > 0);
    logarithmic_->setVisible(mode == ColorMode::Metric);
    logarithmic_->setChecked(selection().state().colorScaling == ColorScaling::Logarithmic);
    if (mode == ColorMode::Metric) showMetricScale();
    if (mode == ColorMode::Depth)
        strip_->showScale({"1", {}, tr("depth %1").arg(deepest)},
                          [dark](double part) { return toQColor(sequentialColor(dark, part)); });
    if (mode == ColorMode::Duration)
        strip_->showScale({tr("−3 σ"), tr("mean of its region"), tr("+3 σ")},
                          [dark](double part) { return toQColor(divergingColor(dark, 2 * part - 1)); });
    showFilters();
}

/// What the marks of wait states stand for, while there are such marks.
void LegendView::showWaits()
{
    waits_->setVisible(selection().state().waitMarks == WaitMarks::Shown);
    const bool dark = themeFor(palette()).dark;
    QStringList kinds;
    for (std::size_t kind = 0; kind < kWaitKinds; ++kind)
        kinds.push_back(QString("<span style=\"color:%1\">■</span>&nbsp;%2")
                            .arg(toQColor(waitColor(static_cast<WaitKind>(kind), dark)).name(),
                                 toQString(name(static_cast<WaitKind>(kind))).replace(' ', "&nbsp;")));
    waits_->setText(tr("Waits: %1").arg(kinds.join(" ")));
}

/// What the bands in the middle of the timeline's rows stand for, where a trace has such.
void LegendView::showFlushes()
{
    std::size_t count = 0;
    for (std::size_t number = 0; session_ && number < session_->experiments.size(); ++number)
        if (const auto& trace = session_->experiments[number]->trace) count += trace->bufferFlushes.size();
    flushes_->setVisible(count > 0);
    flushes_->setText(QString("<span style=\"color:%1\">▬</span>&nbsp;%2")
                          .arg(toQColor(themeFor(palette()).text).name(),
                               tr("Buffer flush (%n)", nullptr, static_cast<int>(count))));
}

/// The metric's name, its least and greatest value in the run, and its unit; worked out where it is drawn,
/// too.
void LegendView::showMetricScale()
{
    const bool dark = themeFor(palette()).dark;
    strip_->showScale({tr("reading the metric …")},
                      [dark](double) { return toQColor(divergingColor(dark, 0)); });
    tasks().run<MetricTrackPtr>(
        {"legend metric", tr("Reading the metric")}, this,
        [session = session_, results = results(),
         wanted = selection().state().metric](const Task& task) -> Result<MetricTrackPtr> {
            const auto prepared = timelineDataOf(*results, *session, task);
            if (!prepared) return tl::make_unexpected(prepared.error());
            return (*prepared)->metrics->of(*session, wanted, task);
        },
        [this, dark](Result<MetricTrackPtr> track) {
            if (selection().state().colors != ColorMode::Metric) return;
            if (!track)
                return strip_->showScale({toQString(track.error().text())},
                                         [dark](double) { return toQColor(divergingColor(dark, 0)); });
            showMetric(**track);
        });
}

void LegendView::showMetric(const MetricTrack& track)
{
    const bool dark = themeFor(palette()).dark;
    const ColorScaling scaling = selection().state().colorScaling;
    const std::string unit = track.unit.empty() ? std::string() : " " + track.unit;
    const auto amount = [&](double value) { return toQString(formatCount(value) + unit); };
    const bool constant = !(track.whole.minimum < track.whole.maximum);
    const QStringList texts = constant
        ? QStringList{{}, tr("always %1").arg(amount(track.whole.minimum))}
        : QStringList{amount(track.whole.minimum), {}, amount(track.whole.maximum)};
    strip_->showScale(texts, [dark, scaling, constant](double part) {
        return toQColor(sequentialColor(dark, constant ? 1 : partOfRange(part, 0, 1, scaling)));
    });
    const QString name = toQString(track.metric);
    strip_->setToolTip(name);
    metric_->setCurrentIndex(metric_->findData(name));
    metric_->setToolTip(name);
}

/// Those with most time first. Only when it is unfolded: archives may have many thousands of regions.
void LegendView::fillGroup(QTreeWidgetItem& item)
{
    const Theme theme = themeFor(palette());
    const ShownGroup& group = *groupOf(item);
    const RegionGroups grouped(*session_, grouped_);
    const auto named = byName(*session_, regionsOf(item));
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [full, regions] : named) order.emplace_back(shareOf(regions), full);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [share, full] : order) {
        auto* child = new QTreeWidgetItem(&item);
        child->setText(0, shortRegionName(full));
        child->setToolTip(0, QString::fromStdString(full));
        child->setData(0, kGroupRole, -1);
        child->setData(0, kNameRole, QString::fromStdString(full));
        showShare(*child, share);
        child->setData(0, kColorRole, toQColor(regionColor(shownName(full), group, theme, grouped.shades())));
    }
    showFilters();
}

std::vector<RegionRef> LegendView::regionsOf(const QTreeWidgetItem& item) const
{
    const int group = item.data(0, kGroupRole).toInt();
    if (group >= 0) return groups_.regions[static_cast<std::size_t>(group)];
    const auto& parent =
        groups_.regions[static_cast<std::size_t>(item.parent()->data(0, kGroupRole).toInt())];
    std::vector<RegionRef> regions;
    const std::string wanted = item.data(0, kNameRole).toString().toStdString();
    for (const RegionRef& region : parent)
        if (session_->experiments[region.experiment]->definitions.region(region.id).name == wanted)
            regions.push_back(region);
    return regions;
}

void LegendView::showFilters()
{
    if (!session_) return;
    const auto& filters = selection().state().filters;
    const auto show = [&](QTreeWidgetItem& item) {
        const Shown shown = shownOf(regionsOf(item), filters);
        const ColorMode mode = selection().state().colors;
        const QColor color =
            isScale(mode) ? palette().color(QPalette::Mid) : item.data(0, kColorRole).value<QColor>();
        item.setIcon(0, groupSwatch(color, shown, devicePixelRatioF()));
        QFont font = tree_->font();
        font.setStrikeOut(shown == Shown::None);
        item.setFont(0, font);
        item.setForeground(0,
                           shown == Shown::None ? palette().brush(QPalette::PlaceholderText)
                                                : palette().brush(QPalette::Text));
        item.setData(0, Qt::AccessibleDescriptionRole,
                     shown == Shown::None       ? tr("hidden")
                         : shown == Shown::Some ? tr("partly hidden")
                                                : tr("shown"));
    };
    for (int row = 0; row < tree_->topLevelItemCount(); ++row) {
        QTreeWidgetItem& group = *tree_->topLevelItem(row);
        show(group);
        for (int child = 0; child < group.childCount(); ++child) show(*group.child(child));
    }
}

void LegendView::toggle(QTreeWidgetItem& item)
{
    const int group = item.data(0, kGroupRole).toInt();
    const auto& filters = selection().state().filters;
    selection().setFilters(group >= 0
                               ? withGroupToggled(groups_, filters, static_cast<std::uint32_t>(group))
                               : withRegionsToggled(filters, item.text(0).toStdString(), regionsOf(item)),
                           this);
    showFilters();
}

void LegendView::showAlone(QTreeWidgetItem& item)
{
    const int group = item.data(0, kGroupRole).toInt();
    const auto& filters = selection().state().filters;
    selection().setFilters(
        group >= 0
            ? withGroupAlone(groups_, withoutOtherGroups(groups_, otherGroups_, filters),
                             static_cast<std::uint32_t>(group))
            : withFilter(filters,
                         regionFilter(FilterEffect::Keep, item.text(0).toStdString(), regionsOf(item))),
        this);
    showFilters();
}

void LegendView::clicked(QTreeWidgetItem* item)
{
    const ShownGroup* group = groupOf(*item);
    if (group && swatchOf(*item).contains(pressed_)) return chooseColor(*group);
    // Many window managers keep Alt+click for themselves.
    if (QGuiApplication::keyboardModifiers() & (Qt::AltModifier | Qt::ShiftModifier)) showAlone(*item);
    else toggle(*item);
}

const ShownGroup* LegendView::groupOf(const QTreeWidgetItem& item) const
{
    const int group = item.data(0, kGroupRole).toInt();
    return group >= 0 ? &groups_.groups[static_cast<std::size_t>(group)] : nullptr;
}

QRect LegendView::swatchOf(const QTreeWidgetItem& item) const
{
    constexpr int kAround = 3;
    QRect place = tree_->visualItemRect(&item);
    place.setWidth(kSwatch + 2 * kAround);
    return place;
}

void LegendView::chooseColor(const ShownGroup& group)
{
    const Theme theme = themeFor(palette());
    auto* dialog = new QColorDialog(toQColor(groupColor(group, theme)), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Colour of %1").arg(toQString(group.name)));
    connect(dialog, &QColorDialog::colorSelected, this,
            [group, dark = theme.dark](const QColor& color) { chooseGroupColor(group, dark, color); });
    dialog->open();
}

bool LegendView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == tree_->viewport() && event->type() == QEvent::MouseButtonPress)
        pressed_ = static_cast<QMouseEvent*>(event)->pos();
    if (watched != tree_ || event->type() != QEvent::KeyPress || !tree_->currentItem())
        return View::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_Space) return View::eventFilter(watched, event);
    if (key->modifiers() & Qt::AltModifier || key->modifiers() & Qt::ShiftModifier)
        showAlone(*tree_->currentItem());
    else toggle(*tree_->currentItem());
    return true;
}

void LegendView::contextMenuEvent(QContextMenuEvent* event)
{
    QTreeWidgetItem* item = tree_->itemAt(tree_->viewport()->mapFromGlobal(event->globalPos()));
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (item) {
        const bool hidden = shownOf(regionsOf(*item), selection().state().filters) == Shown::None;
        connect(menu->addAction(hidden ? tr("Show") : tr("Hide")), &QAction::triggered, this,
                [this, item] { toggle(*item); });
        connect(menu->addAction(tr("Show Alone")), &QAction::triggered, this,
                [this, item] { showAlone(*item); });
        fillColorMenu(*menu, *item);
    }
    connect(menu->addAction(tr("Remove All Filters")), &QAction::triggered, this, [this] {
        selection().setFilters({}, this);
        showFilters();
    });
    menu->popup(event->globalPos());
}

void LegendView::fillColorMenu(QMenu& menu, const QTreeWidgetItem& item)
{
    const ShownGroup* found = groupOf(item);
    if (!found) return;
    const Theme theme = themeFor(palette());
    menu.addAction(tr("Choose Colour…"), this, [this, group = *found] { chooseColor(group); });
    QAction* reset = menu.addAction(tr("Reset Colour"), this, [group = *found, dark = theme.dark] {
        chooseGroupColor(group, dark, std::nullopt);
    });
    reset->setObjectName("legend.resetColor");
    reset->setEnabled(hasChosenColor(*found, theme));
}

void LegendView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !flushes_) return;
    showWaits();
    showFlushes();
    if (session_) fill();
}

std::vector<KeyHint> LegendView::keyHints() const
{
    return {{tr("Click, Space"), tr("Hide a group or a region, or show it again")},
            {tr("Alt+click, Shift+click, Shift+Space"), tr("Show it alone; again: show all")},
            {tr("Click on a group's colour"), tr("Choose another; right click: reset it")}};
}

}  // namespace skein
