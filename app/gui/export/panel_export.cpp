// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/panel_export.h"

#include "algorithms/profile/restrict.h"
#include "algorithms/profile/tree_export.h"
#include "app/gui/dialogs/problem_dialog.h"
#include "app/gui/export/picture.h"
#include "app/gui/export/table_csv.h"
#include "app/gui/session/session_loader.h"
#include "core/base/output_file.h"
#include "core/select/filters.h"
#include "core/select/metric_choice.h"
#include "core/select/scope.h"
#include "core/session/session_clock.h"
#include "views/common/selection_model.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QStatusBar>
#include <QTreeView>

namespace skein::gui {
namespace {

struct TreeFormatEntry {
    TreeFormat format;
    const char* title;
    const char* suffix;
};

/// As `skein-cli export --to` has them.
constexpr TreeFormatEntry kTreeFormats[] = {
    {TreeFormat::Hatchet, "Hatchet literal (*.json)", "json"},
    {TreeFormat::Csv, "Table, pandas.read_csv (*.csv)", "csv"},
    {TreeFormat::Json, "Table, pandas.read_json (*.table.json)", "table.json"},
    {TreeFormat::Folded, "Folded stacks (*.folded)", "folded"},
    {TreeFormat::Speedscope, "speedscope (*.speedscope.json)", "speedscope.json"}};

/// The archive of what is selected, else the first.
std::uint32_t exportedExperiment(const Session& session, const Selection& selected)
{
    std::uint32_t number = 0;
    if (!selected.callPaths.empty()) number = selected.callPaths.front().experiment;
    else if (!selected.regions.empty()) number = selected.regions.front().experiment;
    else if (!selected.locations.empty()) number = selected.locations.front().experiment;
    return number < session.experiments.size() ? number : 0;
}

}  // namespace

PanelExport::PanelExport(const WindowParts& parts, QObject* parent) : QObject(parent), parts_(parts) {}

void PanelExport::tell(const QString& sentence) { parts_.window.statusBar()->showMessage(sentence, 5000); }

void PanelExport::choosePicture()
{
    const DockHost::Panel* panel = parts_.docks.focused();
    View* view = panel ? panel->view : nullptr;
    auto* dialog = new QFileDialog(&parts_.window,
                                   panel ? tr("Save Picture of %1").arg(tr(panel->description->title))
                                         : tr("Save Picture of the Window"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)")});
    dialog->setDefaultSuffix("png");
    dialog->selectFile(QString("%1.png").arg(panel ? panel->description->id : "skein"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.contains("svg") ? "svg" : filter.contains("pdf") ? "pdf" : "png");
    });
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, view](const QString& file) { savePictureOf(view, file); });
    dialog->open();
}

void PanelExport::savePictureOf(View* view, const QString& file)
{
    const DockHost::Panel* panel = view ? parts_.docks.find(view->objectName()) : nullptr;
    const auto saved = panel ? saveViewPicture(*view, file, sizeOf(*view), frameOf(*panel))
                             : savePicture(parts_.window, file);
    if (saved) return tell(tr("Saved %1").arg(file));
    showProblems({{file, QString::fromStdString(saved.error().message),
                   QString::fromStdString(saved.error().context)}},
                 {}, parts_.window);
}

/// As wide as on the screen, and as high as the content needs.
PictureSize PanelExport::sizeOf(const View& view)
{
    return {static_cast<int>(view.width() * view.devicePixelRatioF()), std::nullopt};
}

PictureFrame PanelExport::frameOf(const DockHost::Panel& panel) const
{
    return frameOfView(*panel.view, tr(panel.description->title), parts_.selection, parts_.loader.session());
}

void PanelExport::copyPicture()
{
    const DockHost::Panel* panel = parts_.docks.focused();
    QApplication::clipboard()->setImage(panel ? viewImage(*panel->view, sizeOf(*panel->view), frameOf(*panel))
                                              : pictureOf(parts_.window));
    tell(panel ? tr("Copied the picture of %1").arg(tr(panel->description->title))
               : tr("Copied the picture of the window"));
}

void PanelExport::chooseTable()
{
    const DockHost::Panel* panel = parts_.docks.focused();
    const QTreeView* table = panel ? tableOf(*panel->view) : nullptr;
    if (!table)
        return parts_.window.statusBar()->showMessage(
            tr("Click into a panel with a table first: call tree, function "
               "summary, statistics, wait states …"),
            8000);
    auto* dialog = new QFileDialog(&parts_.window, tr("Save Table of %1").arg(tr(panel->description->title)));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Comma-separated values (*.csv)")});
    dialog->setDefaultSuffix("csv");
    dialog->selectFile(QString("%1.csv").arg(panel->description->id));
    connect(dialog, &QFileDialog::fileSelected, this, [this, table](const QString& file) {
        if (const auto saved = saveTable(*table, file)) return tell(tr("Saved %1").arg(file));
        showProblems({{file, tr("The table cannot be written."), {}}}, parts_.loader.paths(), parts_.window);
    });
    dialog->open();
}

void PanelExport::chooseTree()
{
    if (!parts_.loader.session()) return tell(tr("Open an archive first."));
    auto* dialog = new QFileDialog(&parts_.window, tr("Export Call Tree"));
    dialog->setObjectName("export.tree");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    QStringList filters;
    for (const TreeFormatEntry& entry : kTreeFormats) filters << tr(entry.title);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(kTreeFormats[0].suffix);
    dialog->selectFile(QString("calltree.") + kTreeFormats[0].suffix);
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, filters](const QString& filter) {
        const qsizetype at = std::max<qsizetype>(0, filters.indexOf(filter));
        dialog->setDefaultSuffix(kTreeFormats[static_cast<std::size_t>(at)].suffix);
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this, dialog, filters](const QString& file) {
        saveTree(file,
                 static_cast<int>(std::max<qsizetype>(0, filters.indexOf(dialog->selectedNameFilter()))));
    });
    dialog->open();
}

void PanelExport::saveTree(const QString& file, int format)
{
    const SessionPtr session = parts_.loader.session();
    if (!session || format < 0 || format >= static_cast<int>(std::size(kTreeFormats))) return;
    const ViewState& state = parts_.selection.state();
    const std::uint32_t number = exportedExperiment(*session, state.selected);
    const Scope scope = scopeOf(state);
    ProfilePart part;
    if (scope.span)
        part.window = sessionClock(*session, state.clockShiftsNs).toExperiment(number, *scope.span);
    if (!session->experiments[number]->trace) part.window.reset();
    part.locations = keptLocations(*session, number, filtersOf(scope, state.filters));
    const std::string metric = profileMetricName(*session, state.metric);
    parts_.tasks.run<std::size_t>(
        {"export tree", tr("Exporting the call tree")}, this,
        [experiment = session->experiments[number], part, metric, path = file.toStdString(),
         to =
             kTreeFormats[static_cast<std::size_t>(format)].format](const Task& task) -> Result<std::size_t> {
            const auto text = exportPart(*experiment, part, metric, to, task);
            if (!text) return Unexpected(text.error());
            if (const auto written = writeFile(path, *text); !written) return Unexpected(written.error());
            return text->size();
        },
        [this, file](Result<std::size_t> written) {
            if (written) return tell(tr("Saved %1").arg(file));
            if (written.error().cancelled()) return;
            showProblems({{file, QString::fromStdString(written.error().message),
                           QString::fromStdString(written.error().context)}},
                         {}, parts_.window);
        });
}

}  // namespace skein::gui
