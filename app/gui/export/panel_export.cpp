// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/panel_export.h"

#include "app/gui/dialogs/problem_dialog.h"
#include "app/gui/export/picture.h"
#include "app/gui/export/table_csv.h"
#include "app/gui/session/session_loader.h"
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

}  // namespace skein::gui
