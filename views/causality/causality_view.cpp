// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/causality/causality_view.h"

#include "views/causality/response_chart.h"
#include "views/causality/response_scene.h"
#include "views/common/behavior_model.h"
#include "views/common/choice_box.h"
#include "views/common/draw_list_painter.h"
#include "views/common/empty_state.h"
#include "views/common/scene/drawing/pane_row.h"
#include "views/common/table/table_picture.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace skein {
namespace {

constexpr int kMetricsAtFirst = 8;
constexpr int kMostLagsAsked = 50;
constexpr int kLeastMetricWidth = 160;

}  // namespace

CausalityView::CausalityView(const ViewContext& context, QWidget* parent)
    : TableView(context, "Causality", parent),
      behavior_(BehaviorModel::of(context)),
      rows_(new CausalityModel(this)),
      chart_(new ResponseChart(this))
{
    table().setModel(rows_);
    table().setRootIsDecorated(false);
    table().setSortingEnabled(true);
    table().sortByColumn(CausalityModel::kP, Qt::AscendingOrder);
    rows_->setTheme(plainThemeFor(palette()).dark);
    auto* both = new QSplitter(Qt::Horizontal, this);
    delete table().parentWidget()->layout()->replaceWidget(&table(), both);
    both->addWidget(&table());
    both->addWidget(chart_);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    both->setChildrenCollapsible(false);
    addControls();
    connect(&behavior_, &BehaviorModel::changed, this, &CausalityView::compute);
    connect(table().selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { showResponse(now.isValid() ? now.row() : -1); });
    setSession(nullptr);
}

void CausalityView::addControls()
{
    direction_ = new QComboBox(this);
    direction_->setObjectName("causality.direction");
    direction_->setAccessibleName(tr("Which pairs are shown"));
    direction_->addItems({tr("What leads"), tr("What is led by"), tr("All pairs")});
    of_ = new ChoiceBox(this);
    of_->setObjectName("causality.of");
    of_->setAccessibleName(tr("The metric that leads or is led"));
    metrics_ = new QToolButton(this);
    metrics_->setObjectName("causality.metrics");
    metrics_->setText(tr("Metrics"));
    metrics_->setToolTip(tr("Which metrics are variables of the model"));
    metrics_->setPopupMode(QToolButton::InstantPopup);
    metrics_->setMenu(new QMenu(metrics_));
    lags_ = new QSpinBox(this);
    lags_->setObjectName("causality.lags");
    lags_->setAccessibleName(tr("Bins of the past that count"));
    lags_->setToolTip(lags_->accessibleName());
    lags_->setRange(0, kMostLagsAsked);
    lags_->setSpecialValueText(tr("Best number of lags"));
    lags_->setSuffix(tr(" lags"));
    lags_->setKeyboardTracking(false);
    keepWithPanel(*lags_);
    threshold_ = new QDoubleSpinBox(this);
    threshold_->setObjectName("causality.threshold");
    threshold_->setAccessibleName(tr("p below which a pair is significant"));
    threshold_->setToolTip(threshold_->accessibleName());
    threshold_->setPrefix(tr("p < "));
    threshold_->setDecimals(4);
    threshold_->setRange(0, 1);
    threshold_->setSingleStep(0.01);
    threshold_->setValue(0.05);
    threshold_->setKeyboardTracking(false);
    keepWithPanel(*threshold_);
    for (QWidget* one :
         {static_cast<QWidget*>(direction_), static_cast<QWidget*>(of_), static_cast<QWidget*>(metrics_),
          static_cast<QWidget*>(lags_), static_cast<QWidget*>(threshold_)})
        controls().addWidget(one);
    controls().addStretch(1);
    connect(direction_, &QComboBox::currentIndexChanged, this, &CausalityView::showPairs);
    connect(of_, &QComboBox::currentIndexChanged, this, &CausalityView::showPairs);
    connect(lags_, &QSpinBox::valueChanged, this, &CausalityView::compute);
    connect(threshold_, &QDoubleSpinBox::valueChanged, this, &CausalityView::present);
}

void CausalityView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    tasks().drop("causality");
    causality_.reset();
    forgetFit();
    fillMetrics();
    showPairs();
    behavior_.setSession(session_);
    if (!behavior_.behavior()) pages().showMessage(behavior_.message());
}

/// The first ones are chosen: few variables are told apart better than many.
void CausalityView::fillMetrics()
{
    metrics_->menu()->clear();
    if (!session_) return;
    const Experiment& experiment = *session_->experiments[behavior_.request().experiment];
    int place = 0;
    for (const std::string& name : behaviorMetrics(experiment)) {
        auto* action = metrics_->menu()->addAction(toQString(name).replace("&", "&&"));
        action->setData(toQString(name));
        action->setCheckable(true);
        action->setChecked(place++ < kMetricsAtFirst);
        connect(action, &QAction::toggled, this, &CausalityView::compute);
    }
}

std::vector<std::string> CausalityView::chosenMetrics() const
{
    std::vector<std::string> names;
    for (const QAction* action : metrics_->menu()->actions())
        if (action->isChecked()) names.push_back(action->data().toString().toStdString());
    return names;
}

void CausalityView::compute()
{
    if (!session_ || !isVisible()) return;
    tasks().drop("causality");  // another model that is under way is not wanted any more
    if (!behavior_.behavior()) return pages().showMessage(behavior_.message());
    CausalityRequest request{behavior_.behavior()->request, chosenMetrics(),
                             static_cast<std::size_t>(lags_->value())};
    if (causality_ && causality_->request == request) return present();
    tasks().run<SessionCausalityPtr>(
        {"causality", tr("Which metric leads which")}, this,
        [session = session_, request](const Task& task) { return makeCausality(*session, request, task); },
        [this](Result<SessionCausalityPtr> found) {
            if (!found && found.error().cancelled()) return;
            causality_ = found ? *found : nullptr;
            if (!found) return pages().showMessage(toQString(found.error().text()));
            present();
        });
}

void CausalityView::present()
{
    if (!causality_) return;
    const QString before = of_->currentText();
    {
        const QSignalBlocker quiet(of_);
        of_->clear();
        for (const std::string& name : causality_->variables.columns) of_->addItem(toQString(name));
        const QString wanted = before.isEmpty() ? toQString(causality_->request.series.metric) : before;
        of_->setCurrentIndex(std::max(0, of_->findText(wanted)));
    }
    rows_->setThreshold(threshold_->value());
    const std::size_t lags = causality_->model.lags;
    QStringList note{
        (lags == 1 ? tr("%1 lag, %2 bins") : tr("%1 lags, %2 bins")).arg(lags).arg(causality_->model.rows)};
    const double byChance = chanceFindings(causality_->model, threshold_->value());
    if (byChance >= 0.5)
        note.append(tr("of so many pairs about %1 are below p by chance").arg(byChance, 0, 'f', 1));
    for (const UntoldMetric& one : causality_->untold)
        note.append(tr("%1: %2").arg(toQString(one.name), toQString(one.reason)));
    told_ = note.join(QString::fromUtf8(" · "));
    setNote(told_);
    showPairs();
    pages().showContent();
    if (!fitted()) fit(kLeastMetricWidth);
}

void CausalityView::showPairs()
{
    const auto direction = static_cast<CausalDirection>(direction_->currentIndex());
    of_->setEnabled(direction != CausalDirection::Both);
    follow([&] { rows_->setRows(causality_, direction, of_->currentText().toStdString()); });
    chart_->clear();
    if (rows_->rowCount() > 0) table().setCurrentIndex(rows_->index(0, 0));
}

void CausalityView::showResponse(int row)
{
    if (!causality_ || row < 0 || row >= rows_->rowCount()) return chart_->clear();
    chart_->show(*causality_, rows_->link(row));
}

namespace {

constexpr double kBesideWidthPx = 700, kBesideGapPx = 16, kResponseHeightPx = 240, kPictureNotePadPx = 8;
constexpr int kHighestPicture = 16384;

template <typename Use>
auto onPictureCanvas(const QWidget& view, int width, int height, Use use)
{
    const SceneStyle style{themeFor(view.palette()), view.devicePixelRatioF(), {}};
    const SceneFonts fonts(view.font(), style.scale);
    const QtTextMeasure measure(fonts);
    return use(Canvas{width, height, style, measure});
}

/// Where the parts of a picture are. Device pixels.
struct CausalityParts {
    bool beside = false;
    int note = 0;  ///< height
    int tableWidth = 0, responseHeight = 0;
};

CausalityParts causalityParts(const QTreeView& table, const Canvas& canvas)
{
    CausalityParts parts;
    parts.beside = canvas.width >= canvas.px(kBesideWidthPx);
    parts.note = static_cast<int>(std::ceil(canvas.lineHeight() + canvas.px(kPictureNotePadPx)));
    const int below = static_cast<int>(canvas.px(kResponseHeightPx));
    parts.tableWidth = canvas.width;
    parts.responseHeight = std::min(canvas.height / 2, below);
    if (!parts.beside) return parts;
    const Canvas most{canvas.width * 3 / 5, canvas.height, canvas.style, canvas.measure};
    const int gap = static_cast<int>(canvas.px(kBesideGapPx));
    parts.tableWidth = std::min(most.width, tablePictureWidth(table, most) + gap);
    // A curve that is higher than it is wide tells no more.
    parts.responseHeight =
        std::min(canvas.height - parts.note, std::max(below, (canvas.width - parts.tableWidth) * 3 / 5));
    return parts;
}

}  // namespace

DrawList CausalityView::pictureOn(const Canvas& canvas) const
{
    const CausalityParts parts = causalityParts(table(), canvas);
    const int under = parts.beside ? 0 : parts.responseHeight;
    DrawList list = tablePicture(
        table(),
        {parts.tableWidth, std::max(1, canvas.height - parts.note - under), canvas.style, canvas.measure});
    const CausalLink& link = rows_->link(std::max(0, table().currentIndex().row()));
    const Canvas response{parts.beside ? canvas.width - parts.tableWidth : canvas.width,
                          std::max(1, parts.responseHeight), canvas.style, canvas.measure};
    DrawList answer = responseScene(*causality_, link, response);
    if (parts.beside) appendBeside(list, answer);
    else {
        moveDown(answer, list.height);
        std::move(answer.items.begin(), answer.items.end(), std::back_inserter(list.items));
        list.height += answer.height;
    }
    moveDown(list, parts.note);
    const double pad = canvas.px(kPictureNotePadPx), width = std::max(1.0, canvas.width - 2 * pad);
    list.text({pad, 0, width, static_cast<double>(parts.note)},
              elideMiddle(told_.toStdString(), width, FontStyle::Small, canvas.measure),
              canvas.theme().secondaryText, FontStyle::Small);
    list.width = canvas.width;
    list.height = canvas.height;
    return list;
}

std::optional<DrawList> CausalityView::drawnPicture(int width, int height) const
{
    if (!hasPicture()) return std::nullopt;
    return onPictureCanvas(*this, width, height, [this](const Canvas& canvas) { return pictureOn(canvas); });
}

std::optional<int> CausalityView::pictureHeight(int width) const
{
    if (!hasPicture()) return std::nullopt;
    return onPictureCanvas(*this, width, kHighestPicture, [this](const Canvas& canvas) {
        const CausalityParts parts = causalityParts(table(), canvas);
        const int least = static_cast<int>(canvas.px(kResponseHeightPx));
        // A line more than there are rows, where it says how many have no room.
        const double line = canvas.lineHeight(FontStyle::Normal) + canvas.px(kPictureNotePadPx);
        const int rows = static_cast<int>(line)
            + tablePicture(table(), {parts.tableWidth, canvas.height, canvas.style, canvas.measure}).height;
        return parts.note + (parts.beside ? std::max(rows, parts.responseHeight) : rows + least);
    });
}

void CausalityView::showEvent(QShowEvent* event)
{
    TableView::showEvent(event);
    behavior_.workFor(this);
    compute();
}

void CausalityView::changeEvent(QEvent* event)
{
    TableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && rows_) rows_->setTheme(plainThemeFor(palette()).dark);
}

std::vector<KeyHint> CausalityView::keyHints() const
{
    return {{tr("Up, Down, click"), tr("Show how the second metric answers to the first")},
            {tr("Click on a column"), tr("Sort by it")}};
}

}  // namespace skein
