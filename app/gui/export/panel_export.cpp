// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/panel_export.h"

#include "app/gui/dialogs/problem_dialog.h"
#include "app/gui/export/picture.h"
#include "app/gui/export/table_csv.h"
#include "app/gui/session/session_loader.h"
#include "core/base/units.h"
#include "views/common/selection_model.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QStatusBar>
#include <QTreeView>

namespace skein::gui {

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
    const double ratio = parts_.window.devicePixelRatioF();
    const DockHost::Panel* panel = view ? parts_.docks.find(view->objectName()) : nullptr;
    const auto saved = view ? saveViewPicture(*view, file, static_cast<int>(view->width() * ratio),
                                              static_cast<int>(view->height() * ratio), captionOf(panel))
                            : savePicture(parts_.window, file, {});
    if (saved) return tell(tr("Saved %1").arg(file));
    showProblems({{file, QString::fromStdString(saved.error().message),
                   QString::fromStdString(saved.error().context)}},
                 {}, parts_.window);
}

/// What stands over a picture: which panel, of what, how much of it, without what.
QString PanelExport::captionOf(const DockHost::Panel* panel) const
{
    if (!panel || !parts_.loader.session()) return {};
    QStringList titles{tr(panel->description->title)};
    for (const ExperimentPtr& experiment : parts_.loader.session()->experiments)
        titles.push_back(QString::fromStdString(experiment->name));
    const ViewState& state = parts_.selection.state();
    if (state.visible)
        titles.push_back(
            tr("%1 from %2")
                .arg(QString::fromStdString(formatDuration(static_cast<double>(state.visible->lengthNs()))),
                     QString::fromStdString(formatDuration(static_cast<double>(state.visible->begin)))));
    for (const Filter& filter : state.filters) titles.push_back(QString::fromStdString(filter.label));
    return titles.join(" · ");
}

void PanelExport::copyPicture()
{
    const DockHost::Panel* panel = parts_.docks.focused();
    QApplication::clipboard()->setImage(panel ? pictureOf(*panel->view, captionOf(panel))
                                              : pictureOf(parts_.window, {}));
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

}  // namespace skein::gui
