// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/color_stops_dialog.h"

#include "views/common/color_stops_strip.h"
#include "views/common/selection_model.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace skein {
namespace {

constexpr int kDialogStripWidth = 440;

QString trColorStops(const char* text)
{
    return QCoreApplication::translate("skein::ColorStopsDialog", text);
}

/// A button for each colour, from nothing to the greatest value.
QHBoxLayout* newColorButtons(ColorStopsStrip& strip, QDialog& dialog)
{
    auto* row = new QHBoxLayout;
    std::size_t anchor = 0;
    for (const char* title : {QT_TRANSLATE_NOOP("skein::ColorStopsDialog", "&Nothing…"),
                              QT_TRANSLATE_NOOP("skein::ColorStopsDialog", "&First stop…"),
                              QT_TRANSLATE_NOOP("skein::ColorStopsDialog", "&Second stop…"),
                              QT_TRANSLATE_NOOP("skein::ColorStopsDialog", "&Third stop…"),
                              QT_TRANSLATE_NOOP("skein::ColorStopsDialog", "&Greatest…")}) {
        auto* button = new QPushButton(trColorStops(title), &dialog);
        button->setObjectName(QString("color_stops.anchor%1").arg(anchor));
        button->setAutoDefault(false);
        QObject::connect(button, &QPushButton::clicked, &strip,
                         [&strip, anchor] { strip.askForColor(anchor); });
        row->addWidget(button);
        ++anchor;
    }
    return row;
}

}  // namespace

void showColorStops(SelectionModel& selection, QWidget* parent)
{
    auto* dialog = new QDialog(parent->window());
    dialog->setObjectName("color_stops.dialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(trColorStops("Colours of Communication"));
    auto* strip = new ColorStopsStrip(dialog);
    strip->setObjectName("color_stops.strip");
    strip->setMinimumWidth(kDialogStripWidth);
    strip->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    strip->setStops(colorStopsOf(selection.state()));
    auto* hint =
        new QLabel(trColorStops("From nothing to the greatest value, in all panels of "
                                "communication. Drag the stops to where a quarter of the colours ends."),
                   dialog);
    hint->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Reset | QDialogButtonBox::Close, dialog);
    auto* all = new QVBoxLayout(dialog);
    all->addWidget(hint);
    all->addWidget(strip);
    all->addLayout(newColorButtons(*strip, *dialog));
    all->addWidget(buttons);
    const auto keep = [&selection, strip](const ColorStops& stops) {
        selection.setPanel(kColorStopsPanel, {{"stops", stops.text()}},
                           trColorStops("Colours of communication").toStdString(), strip);
    };
    QObject::connect(strip, &ColorStopsStrip::moved, &selection, keep);
    QObject::connect(buttons->button(QDialogButtonBox::Reset), &QPushButton::clicked, strip, [strip, keep] {
        strip->setStops({});
        keep({});
    });
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    selection.listen(strip, [&selection, strip](const ViewChange& change) {
        if (change.parts.has(ViewParts::kPanels)) strip->setStops(colorStopsOf(selection.state()));
    });
    dialog->show();
}

}  // namespace skein
