// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/encoding_dialog.h"

#include "views/common/selection_model.h"
#include "views/communication/communication_encoding_scene.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <string_view>

namespace skein {
namespace {

QString trEncoding(const char* text) { return QCoreApplication::translate("skein::EncodingDialog", text); }

bool inPercent(const EncodingField& field) { return std::string_view(field.unit) == "%"; }

/// What one unit of the number is in the box.
double shownScale(const EncodingField& field) { return inPercent(field) ? 100 : 1; }

QDoubleSpinBox* newNumberBox(const EncodingField& field, QDialog& dialog)
{
    auto* box = new QDoubleSpinBox(&dialog);
    box->setObjectName(QString("communication_encoding.") + field.key);
    box->setAccessibleName(trEncoding(field.label));
    box->setDecimals(inPercent(field) ? 0 : 1);
    box->setRange(field.least * shownScale(field), field.most * shownScale(field));
    box->setSingleStep(inPercent(field) ? 10 : 0.5);
    box->setSuffix(QString(" ") + field.unit);
    // A number is meant when it is written to its end.
    box->setKeyboardTracking(false);
    return box;
}

void fillBoxes(QDialog& dialog, const CommunicationEncoding& encoding)
{
    for (const EncodingField& field : encodingFields()) {
        auto* box = dialog.findChild<QDoubleSpinBox*>(QString("communication_encoding.") + field.key);
        const QSignalBlocker quiet(box);
        box->setValue(encoding.*field.member * shownScale(field));
    }
    auto* discs = dialog.findChild<QComboBox*>("communication_encoding.discs");
    const QSignalBlocker quiet(discs);
    discs->setCurrentIndex(static_cast<int>(encoding.discs));
}

QComboBox* newDiscsBox(QDialog& dialog)
{
    auto* box = new QComboBox(&dialog);
    box->setObjectName("communication_encoding.discs");
    box->setAccessibleName(trEncoding("Discs of nodes"));
    for (const char* label : nodeDiscLabels()) box->addItem(trEncoding(label));
    return box;
}

}  // namespace

void showEncoding(SelectionModel& selection, QWidget* parent)
{
    auto* dialog = new QDialog(parent->window());
    dialog->setObjectName("communication_encoding.dialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(trEncoding("Sizes and Widths of Communication"));
    const auto keep = [&selection, dialog](const CommunicationEncoding& encoding) {
        selection.setPanel(kEncodingPanel, encodingSettings(encoding),
                           trEncoding("Sizes and widths of communication").toStdString(), dialog);
    };
    auto* form = new QFormLayout;
    QComboBox* discs = newDiscsBox(*dialog);
    form->addRow(trEncoding("Discs of nodes"), discs);
    QObject::connect(discs, &QComboBox::activated, dialog, [&selection, keep](int chosen) {
        CommunicationEncoding encoding = encodingOf(selection.state());
        encoding.discs = static_cast<NodeDiscs>(chosen);
        keep(encoding);
    });
    for (const EncodingField& field : encodingFields()) {
        QDoubleSpinBox* box = newNumberBox(field, *dialog);
        form->addRow(trEncoding(field.label), box);
        QObject::connect(box, &QDoubleSpinBox::valueChanged, dialog,
                         [&selection, keep, &field](double shown) {
                             CommunicationEncoding encoding = encodingOf(selection.state());
                             encoding.*field.member = shown / shownScale(field);
                             keep(encoding);
                         });
    }
    fillBoxes(*dialog, encodingOf(selection.state()));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Reset | QDialogButtonBox::Close, dialog);
    auto* all = new QVBoxLayout(dialog);
    all->addLayout(form);
    all->addWidget(buttons);
    QObject::connect(buttons->button(QDialogButtonBox::Reset), &QPushButton::clicked, dialog, [dialog, keep] {
        fillBoxes(*dialog, {});
        keep({});
    });
    // Who writes a number and presses Enter means no other button.
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    selection.listen(dialog, [&selection, dialog](const ViewChange& change) {
        if (change.parts.has(ViewParts::kPanels)) fillBoxes(*dialog, encodingOf(selection.state()));
    });
    dialog->show();
}

}  // namespace skein
