// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scaling/scaling_view.h"

#include "core/base/file_bytes.h"
#include "core/series/extrap_text.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/scaling/scaling_canvas.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <filesystem>

namespace skein {
namespace {

constexpr auto kScalingJob = "scaling";
constexpr std::size_t kTextHeadBytes = 4096;
constexpr double kScalingNsPerSecond = 1e9;

bool isStudyText(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored)
        && looksLikeExtrapText(fileHead(path, kTextHeadBytes));
}

std::vector<CellColumn> scalingTableColumns(const ModelRow& row)
{
    const bool time = row.series->unit == "s";
    const CellKind kind = time ? CellKind::Duration : CellKind::Number;
    return {{ScalingView::tr("Call path")},
            {ScalingView::tr("Predicted"), kind},
            {ScalingView::tr("At least"), kind, ScalingView::tr("Lower end of the 95 % interval")},
            {ScalingView::tr("At most"), kind, ScalingView::tr("Upper end of the 95 % interval")},
            {ScalingView::tr("Share"), CellKind::Percent},
            {ScalingView::tr("SMAPE %"), CellKind::Number, ScalingView::tr("Error at the measured points")},
            {ScalingView::tr("Left out %"), CellKind::Number,
             ScalingView::tr("The same where each point is predicted by the others")},
            {ScalingView::tr("Model")},
            {ScalingView::tr("Jump")}};
}

std::vector<TableCell> scalingTableRow(const ModelRow& row, const std::vector<std::string>& parameters)
{
    const ScalingModel& model = *row.model;
    const ScalingPrediction& told = model.predictions.front();
    const double scale = row.series->unit == "s" ? kScalingNsPerSecond : 1.0;
    return {row.series->path,           told.value * scale,
            told.low * scale,           told.high * scale,
            row.percent / 100,          model.smape,
            model.leftOutSmape,         model.function.text(parameters, 4),
            jumpText(model, parameters)};
}

}  // namespace

ScalingView::ScalingView(const ViewContext& context, QWidget* parent)
    : PicturePanel(context, "scaling", parent), canvas_(new ScalingCanvas(context, this))
{
    setPicture(canvas_, tr("Models"));
    makeControls();
    connect(canvas_, &ScalingCanvas::chosen, this, &ScalingView::choose);
    connect(this, &PicturePanel::tableWanted, this, &ScalingView::fillTable);
    connect(this, &PicturePanel::rowsChosen, this,
            [this](const std::vector<std::size_t>& rows) { choose(rows.front()); });
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected)) showSelection();
    });
    setSession(nullptr);
}

/// A list of one usual entry in which something else may be typed.
QComboBox* ScalingView::addTyped(const char* name, const QString& label, const QString& usual, int letters)
{
    QComboBox* box = addChoice(name, label, {usual});
    box->setEditable(true);
    box->setCompleter(nullptr);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setMinimumContentsLength(letters);
    box->lineEdit()->setClearButtonEnabled(true);
    connect(box->lineEdit(), &QLineEdit::returnPressed, box,
            [box] { Q_EMIT box->activated(box->currentIndex()); });
    return box;
}

void ScalingView::makeControls()
{
    origin_ = addTyped("scaling.source",
                       tr("Where values of parameters come from: the names of the runs' folders, values such "
                          "as p=27,64,125 (one a run), or the path of a text in Extra-P's form"),
                       tr("Names of folders"), 14);
    auto* open = new QToolButton(this);
    open->setText(tr("…"));
    open->setToolTip(tr("Open a text in Extra-P's form"));
    open->setAccessibleName(open->toolTip());
    addControl(open);
    connect(open, &QToolButton::clicked, this, &ScalingView::chooseText);
    metric_ = addChoice("scaling.metric", tr("Which metric is modelled"), {});
    amount_ = addChoice("scaling.amount", tr("With or without the calls inside"),
                        {tr("Exclusive"), tr("Inclusive")});
    at_ = addTyped("scaling.at", tr("What is predicted for, such as p=4096, size=30"), tr("Next scale"), 12);
    along_ = addChoice("scaling.along", tr("Which parameter the chart goes along"), {});
    axes_ =
        addChoice("scaling.axes", tr("How the chart's axes are spread"), {tr("Logarithmic"), tr("Linear")});
    connect(origin_, &QComboBox::activated, this, &ScalingView::takeOrigin);
    for (QComboBox* choice : {metric_, amount_})
        connect(choice, &QComboBox::activated, this, &ScalingView::sumUp);
    connect(at_, &QComboBox::activated, this, &ScalingView::model);
    for (QComboBox* choice : {along_, axes_})
        connect(choice, &QComboBox::activated, this, &ScalingView::takeChart);
}

/// What was typed in place of the usual entry.
std::string ScalingView::typedIn(const QComboBox& box) const
{
    const QString text = box.currentText().trimmed();
    return text == box.itemText(0) ? std::string()
                                   : text.toStdString();  // an empty one is the usual one, too
}

void ScalingView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    tasks().drop(kScalingJob);
    text_ = nullptr;
    source_ = nullptr;
    origin_->setCurrentIndex(0);
    origin_->setEditText(origin_->itemText(0));
    at_->setEditText(at_->itemText(0));
    fillMetrics();
    if (!session_)
        return showNothing(tr("Open the runs of a study together (lulesh.p27 lulesh.p64 …) to see how their "
                              "call paths scale, or a text in Extra-P's form with the button …"));
    showNothing(tr("Modelling…"));
    stale_ = true;
    sumUp();
}

void ScalingView::showNothing(const QString& message)
{
    data_ = nullptr;
    canvas_->setData(nullptr, message);
    rows().setTable({}, {});
    along_->setVisible(false);
}

void ScalingView::showEvent(QShowEvent* event)
{
    PicturePanel::showEvent(event);
    if (stale_) QTimer::singleShot(kShownForMs, this, &ScalingView::sumUp);
}

void ScalingView::chooseText()
{
    auto* dialog = new QFileDialog(this, tr("Open a Text in Extra-P's Form"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Extra-P's text input (*.txt)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        origin_->setEditText(file);
        takeOrigin();
    });
    dialog->open();
}

void ScalingView::takeOrigin()
{
    const std::string typed = typedIn(*origin_);
    if (isStudyText(typed)) return readText(typed);
    text_ = nullptr;
    fillMetrics();
    sumUp();
}

void ScalingView::readText(const std::string& path)
{
    tasks().run<ScalingStudy>(
        {kScalingJob, tr("Reading a study")}, this,
        [path](const Task& task) { return readExtrapText(path, task); },
        [this](Result<ScalingStudy> study) {
            if (!study) return showNothing(toQString(study.error().text()));
            for (const std::string& note : study->notes) selection().say(toQString(note));
            text_ = std::make_shared<const ScalingStudy>(std::move(*study));
            fillMetrics();
            sumUp();
        });
}

void ScalingView::fillMetrics()
{
    const QSignalBlocker quiet(metric_);
    metric_->clear();
    metrics_.clear();
    amount_->setEnabled(!text_);
    if (text_) {
        metrics_ = scalingMetrics(*text_);
        for (const std::string& metric : metrics_) metric_->addItem(toQString(metric));
    } else if (session_) {
        for (const auto& [metric, title] : scalingMetrics(*session_)) {
            metrics_.push_back(metric);
            metric_->addItem(toQString(title));
        }
    }
}

/// Panels that nobody looks at cost an archive nothing.
void ScalingView::sumUp()
{
    stale_ = !isVisible();
    const int row = metric_->currentIndex();
    if (stale_ || row < 0) return;
    ScalingRequest request;
    request.metric = metrics_[static_cast<std::size_t>(row)];
    request.amount = amount_->currentIndex() == 1 ? ScalingAmount::Inclusive : ScalingAmount::Exclusive;
    request.parameters = typedIn(*origin_);
    tasks().run<ScalingSourcePtr>(
        {kScalingJob, tr("Scaling")}, this,
        [session = session_, text = text_, request](const Task& task) -> Result<ScalingSourcePtr> {
            if (text) return sourceOfText(*text, request.metric);
            return sourceOfSession(session, request, task);
        },
        [this](Result<ScalingSourcePtr> source) {
            source_ = source ? *source : nullptr;
            if (source) return model();
            if (!source.error().cancelled()) showNothing(noStudyText(source.error().text()));
        });
}

QString ScalingView::noStudyText(const std::string& error) const
{
    return tr("%1\n\nModels need runs of one program that differ in a parameter: open them together from "
              "folders "
              "such as run.p8.r1, run.p16.r1, …, or type the values, one a run: p=8,16,32. A text in "
              "Extra-P's "
              "form opens with the button ….")
        .arg(toQString(error));
}

void ScalingView::model()
{
    if (!source_) return;
    tasks().run<ScalingDataPtr>(
        {kScalingJob, tr("Scaling")}, this,
        [source = source_, at = typedIn(*at_)](const Task& task) { return modelSource(source, at, task); },
        [this](Result<ScalingDataPtr> models) { takeData(std::move(models)); });
}

void ScalingView::takeData(Result<ScalingDataPtr> models)
{
    if (!models) {
        if (!models.error().cancelled()) showNothing(toQString(models.error().text()));
        return;
    }
    data_ = *models;
    {
        const QSignalBlocker quiet(along_);
        const QString before = along_->currentText();
        along_->clear();
        for (const std::string& parameter : data_->parameters()) along_->addItem(toQString(parameter));
        along_->setCurrentIndex(std::max(0, along_->findText(before)));
    }
    along_->setVisible(data_->parameters().size() > 1);
    canvas_->setData(data_, tr("No call path was measured at three points or more, which a model needs."));
    takeChart();
    fillTable();
    showSelection();
}

void ScalingView::takeChart()
{
    canvas_->setChart(static_cast<std::size_t>(std::max(0, along_->currentIndex())),
                      axes_->currentIndex() == 1 ? ScalingAxes::Linear : ScalingAxes::Logarithmic);
}

void ScalingView::fillTable()
{
    if (!data_ || data_->rows.empty() || !showsTable()) return;
    std::vector<std::vector<TableCell>> cells;
    for (const ModelRow& row : data_->rows) cells.push_back(scalingTableRow(row, data_->parameters()));
    rows().setTable(scalingTableColumns(data_->rows.front()), std::move(cells));
}

void ScalingView::choose(std::size_t row)
{
    if (!data_ || row >= data_->rows.size()) return;
    canvas_->setChosen(row);
    if (data_->source->session)
        selection().setSelected(selectionOfPath(*data_->source->session, data_->rows[row].series->path),
                                this);
}

/// Another view has selected a call path: its curve.
void ScalingView::showSelection()
{
    if (!data_ || !data_->source->session) return;
    const std::string path = pathOfSelection(*data_->source->session, selection().state().selected);
    if (path.empty()) return;
    if (const auto row = data_->rowOf(path)) canvas_->setChosen(*row);
}

}  // namespace skein
