// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metric_rank/metric_rank_view.h"

#include "views/common/choice_box.h"
#include "views/common/color_stops_strip.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_setup.h"
#include "views/common/table/table_tree.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/common/wrap_layout.h"
#include "views/metric_rank/metric_rank_canvas.h"
#include "views/metric_rank/metric_rank_model.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {
namespace {

constexpr int kRankDelayMs = 60;
constexpr auto kMetricRankKey = "metric_rank";

}  // namespace

MetricRankView::MetricRankView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      head_(new ScopeHead(selection(), this)),
      pages_(new QStackedWidget(this)),
      canvas_(new MetricRankCanvas(context, this)),
      table_(new TableTree(this)),
      model_(new MetricRankModel(this))
{
    makeControls();
    layOut();
    delay_.setSingleShot(true);
    delay_.setInterval(kRankDelayMs);
    connect(&delay_, &QTimer::timeout, this, &MetricRankView::compute);
    connect(head_, &ScopeHead::pinned, this, &MetricRankView::compute);
    connect(canvas_, &MetricRankCanvas::chosen, this, [this](std::size_t first, std::size_t end) {
        noTop();
        choose(first, end);
    });
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        std::vector<std::size_t> places;
        for (const QModelIndex& row : table_->selectionModel()->selectedRows())
            places.push_back(model_->placeOf(row));
        if (places.empty()) return;
        noTop();
        choose(std::move(places));
    });
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kClocks | ViewParts::kMachine))
            delay_.start();
        if (change.parts.has(ViewParts::kSelected)) {
            noTop();
            canvas_->setRange(0, 0);
        }
        if (change.parts.has(ViewParts::kPanels)) {
            stops_->setStops(colorStopsOf(selection().state()));
            canvas_->setStops(stops_->stops());
        }
    });
    setSession(nullptr);
}

void MetricRankView::makeControls()
{
    const auto choice = [this](const char* name, const QString& label) {
        auto* box = new ChoiceBox(this);
        box->setObjectName(name);
        box->setAccessibleName(label);
        box->setToolTip(label);
        return box;
    };
    quantity_ = choice("metric_rank.quantity", tr("What is put into an order"));
    for (std::size_t i = 0; i < kRankedQuantities; ++i)
        quantity_->addItem(toQString(titleOf(static_cast<RankedQuantity>(i))));
    scale_ = choice("metric_rank.scale", tr("Scale of the bars"));
    scale_->addItems({tr("Linear"), tr("Logarithmic")});
    shown_ = choice("metric_rank.shown", tr("What is shown"));
    shown_->addItems({tr("Bars"), tr("Table")});
    top_ = new QDoubleSpinBox(this);
    top_->setObjectName("metric_rank.top");
    top_->setAccessibleName(tr("Top percent to choose"));
    top_->setToolTip(tr("Choose the greatest of all values: all communication views follow"));
    top_->setRange(0, 100);
    top_->setDecimals(1);
    top_->setPrefix(tr("top "));
    top_->setSuffix(tr(" %"));
    top_->setSpecialValueText(tr("all"));
    stops_ = new ColorStopsStrip(this);
    stops_->setObjectName("metric_rank.stops");
    connect(stops_, &ColorStopsStrip::moved, this, [this](const ColorStops& stops) {
        canvas_->setStops(stops);
        selection().setPanel(kColorStopsPanel, {{"stops", stops.text()}},
                             tr("Colours of communication").toStdString(), this);
    });
    connect(quantity_, &QComboBox::activated, this, &MetricRankView::compute);
    connect(scale_, &QComboBox::activated, this, [this] {
        if (list_) show(list_);
    });
    connect(shown_, &QComboBox::activated, this, [this] {
        if (list_) show(list_);
    });
    connect(top_, &QDoubleSpinBox::valueChanged, this, [this](double percent) {
        if (list_) choose(0, topCount(*list_, percent / 100));
    });
}

void MetricRankView::layOut()
{
    setUpTable(*table_, "Metric rank");
    table_->setObjectName("metric_rank.table");
    table_->setRootIsDecorated(false);
    table_->setModel(model_);
    table_->freezeColumns(2);
    table_->header()->setSortIndicator(MetricRankModel::kValue, Qt::DescendingOrder);
    table_->setSortingEnabled(true);
    pages_->addWidget(canvas_);
    pages_->addWidget(table_);
    auto* controls = new WrapLayout;
    controls->setContentsMargins(8, 0, 8, 4);
    for (QWidget* control : std::initializer_list<QWidget*>{quantity_, scale_, shown_, top_, stops_})
        controls->addWidget(control);
    controls->addStretch();
    head_->setContentsMargins(8, 4, 8, 4);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(head_);
    all->addLayout(controls);
    all->addWidget(pages_, 1);
    setFocusProxy(canvas_);
}

bool MetricRankView::asTable() const { return shown_->currentIndex() == 1; }

void MetricRankView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    head_->setSession(session_);
    tasks().drop(kMetricRankKey);
    noTop();
    if (!session_) return showNothing(tr("Open an archive to see which communication is worst."));
    const auto communicates = communicatingExperiment(*session_);
    if (!communicates)
        return showNothing(tr("Nothing that is open tells who sent to whom. Open a trace with messages, a "
                              "profile with a communication matrix, or a hop-byte file."));
    experiment_ = *communicates;
    showNothing(tr("Summing messages up…"));
    stale_ = true;
    delay_.start();
}

void MetricRankView::showNothing(const QString& message)
{
    list_ = nullptr;
    head_->setDetail({});
    model_->setList(nullptr);
    canvas_->setList(nullptr, false, message);
    pages_->setCurrentWidget(canvas_);
}

void MetricRankView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    if (stale_) delay_.start();
}

void MetricRankView::compute()
{
    delay_.stop();
    stale_ = !isVisible();
    if (stale_ || !session_ || !communicatingExperiment(*session_)) return;
    const auto request = communicationRequest(selection().state(), head_->scope(), experiment_);
    const auto quantity = static_cast<RankedQuantity>(std::max(0, quantity_->currentIndex()));
    tasks().run<MetricRankListPtr>(
        {kMetricRankKey, tr("Metric rank")}, this,
        [session = session_, results = results(), request,
         quantity](const Task& task) -> Result<MetricRankListPtr> {
            auto communication = communicationOf(*results, session, request, task);
            if (!communication) return Unexpected(communication.error());
            return makeMetricRankList(*communication, quantity);
        },
        [this](Result<MetricRankListPtr> list) {
            if (list) show(*list);
            else if (!list.error().cancelled()) showNothing(toQString(list.error().text()));
        });
}

void MetricRankView::show(MetricRankListPtr list)
{
    list_ = std::move(list);
    const bool other = list_ != canvas_->picture().list;
    const SessionCommunication& communication = *list_->communication;
    std::string words = titleOf(list_->quantity) + " · " + machineText(communication);
    if (!communication.timed && !communication.note.empty()) words = communication.note + " · " + words;
    head_->setDetail(toQString(words));
    canvas_->setList(list_, scale_->currentIndex() == 1,
                     tr("Nothing was sent in the scope, or the filters hide it."));
    const QSignalBlocker quiet(table_->selectionModel());
    model_->setList(list_);
    pages_->setCurrentWidget(asTable() ? static_cast<QWidget*>(table_) : canvas_);
    useColumn(*table_, MetricRankModel::kTo, list_->ofRanks() ? ColumnUse::Missing : ColumnUse::Offered);
    if (asTable()) fitColumns(*table_, 60);
    // The top of what is shown now: of another span, other filters or another metric.
    if (other && top_->value() > 0) choose(0, topCount(*list_, top_->value() / 100));
}

/// What is chosen is no longer the top of the list.
void MetricRankView::noTop()
{
    const QSignalBlocker quiet(top_);
    top_->setValue(0);
}

void MetricRankView::choose(std::size_t first, std::size_t end)
{
    if (!list_ || !session_) return;
    canvas_->setRange(first, end);
    selection().setSelected(selectionOf(*session_, *list_, first, end), this);
}

/// The bars show those that stand beside each other as chosen.
void MetricRankView::choose(std::vector<std::size_t> places)
{
    if (!list_ || !session_) return;
    std::ranges::sort(places);
    const bool together = places.back() - places.front() + 1 == places.size();
    canvas_->setRange(together ? places.front() : 0, together ? places.back() + 1 : 0);
    selection().setSelected(selectionOf(*session_, *list_, places), this);
}

std::vector<KeyHint> MetricRankView::keyHints() const { return canvas_->keyHints(); }

std::optional<DrawList> MetricRankView::drawnPicture(int width, int height) const
{
    if (pages_->currentWidget() == table_) return std::nullopt;
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
