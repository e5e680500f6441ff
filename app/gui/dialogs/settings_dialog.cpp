// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/settings_dialog.h"

#include "core/base/units.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace skein::gui {
namespace {

/// As it can be typed: "2GiB", without loss.
QString sizeText(std::uint64_t bytes)
{
    constexpr const char* kUnits[] = {"", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (unit + 1 < std::size(kUnits) && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        ++unit;
    }
    return bytes == 0 ? QString() : QString("%1 %2").arg(bytes).arg(kUnits[unit]).trimmed();
}

}  // namespace

SettingsDialog::SettingsDialog(Preferences preferences, QWidget* parent)
    : QDialog(parent), preferences_(std::move(preferences)), problem_(new QLabel(this))
{
    setObjectName("settingsDialog");
    setWindowTitle(tr("Settings"));
    problem_->setObjectName("problem");
    problem_->setProperty("role", "warning");
    problem_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addWidget(makeLook());
    layout->addWidget(makeMemory());
    layout->addWidget(problem_);
    layout->addStretch();
    layout->addWidget(buttons);
    resize(560, sizeHint().height());
}

QComboBox* SettingsDialog::addChoice(QFormLayout& form, const QString& label, const char* name,
                                     const QStringList& items, int current, std::function<void(int)> take)
{
    auto* choice = new QComboBox(this);
    choice->setObjectName(name);
    choice->addItems(items);
    choice->setCurrentIndex(current);
    connect(choice, &QComboBox::currentIndexChanged, this, [this, take = std::move(take)](int index) {
        take(index);
        Q_EMIT changed(preferences_);
    });
    form.addRow(label, choice);
    return choice;
}

QGroupBox* SettingsDialog::makeLook()
{
    auto* box = new QGroupBox(tr("Look and mouse"), this);
    auto* form = new QFormLayout(box);
    addChoice(*form, tr("&Theme"), "theme", {tr("Follow the system"), tr("Light"), tr("Dark")},
              static_cast<int>(preferences_.appearance),
              [this](int index) { preferences_.appearance = static_cast<Appearance>(index); });
    addChoice(*form, tr("&Bytes"), "bytes",
              {tr("KiB, MiB, GiB (powers of 1024)"), tr("kB, MB, GB (powers of 1000)")},
              static_cast<int>(preferences_.bytes),
              [this](int index) { preferences_.bytes = static_cast<ByteUnits>(index); });
    addChoice(*form, tr("Shift + &wheel in the timeline"), "shiftWheel",
              {tr("Changes the height of the rows"), tr("Moves along the time")},
              static_cast<int>(preferences_.shiftWheel),
              [this](int index) { preferences_.shiftWheel = static_cast<ShiftWheel>(index); });
    auto* fold = new QCheckBox(tr("&Fold templates and arguments: Domain<…>::calcForce(…)"), box);
    fold->setObjectName("foldNames");
    fold->setChecked(preferences_.names == LongNames::Folded);
    connect(fold, &QCheckBox::toggled, this, [this](bool on) {
        preferences_.names = on ? LongNames::Folded : LongNames::Whole;
        Q_EMIT changed(preferences_);
    });
    form->addRow(tr("C++ names"), fold);
    return box;
}

QGroupBox* SettingsDialog::makeMemory()
{
    auto* box = new QGroupBox(tr("Memory and index"), this);
    auto* form = new QFormLayout(box);
    addSize(*form, tr("&Memory limit"), "memoryLimit", preferences_.memoryLimit, kLeastMemoryLimit,
            tr("no limit; or for example 8 GiB"));
    auto* use =
        new QCheckBox(tr("&Keep an index of each archive, so that it opens at once the next time"), box);
    use->setObjectName("useIndex");
    use->setChecked(preferences_.index.enabled);
    connect(use, &QCheckBox::toggled, this, [this](bool on) {
        preferences_.index.enabled = on;
        Q_EMIT changed(preferences_);
    });
    form->addRow(tr("Index"), use);
    folder_ = new QLineEdit(QString::fromStdString(preferences_.index.folder.string()), box);
    folder_->setObjectName("indexFolder");
    connect(folder_, &QLineEdit::editingFinished, this, &SettingsDialog::takeFolder);
    auto* browse = new QPushButton(tr("&Browse…"), box);
    browse->setAutoDefault(false);
    connect(browse, &QPushButton::clicked, this, &SettingsDialog::chooseFolder);
    auto* row = new QHBoxLayout;
    row->addWidget(folder_, 1);
    row->addWidget(browse);
    auto* label = new QLabel(tr("Folder of the &indexes"), box);
    label->setBuddy(folder_);
    form->addRow(label, row);
    addSize(*form, tr("&Room for all indexes"), "indexLimit", preferences_.index.sizeLimit, 1, {});
    return box;
}

QLineEdit* SettingsDialog::addSize(QFormLayout& form, const QString& label, const char* name,
                                   std::uint64_t& bytes, std::uint64_t least, const QString& none)
{
    auto* field = new QLineEdit(sizeText(bytes), this);
    field->setObjectName(name);
    field->setPlaceholderText(none);
    connect(field, &QLineEdit::editingFinished, this,
            [this, field, &bytes, least] { takeSize(*field, bytes, least); });
    form.addRow(label, field);
    return field;
}

void SettingsDialog::takeSize(QLineEdit& field, std::uint64_t& bytes, std::uint64_t least)
{
    const bool none = field.text().trimmed().isEmpty() && !field.placeholderText().isEmpty();
    const auto parsed =
        none ? std::optional<std::uint64_t>(0) : parseBytes(field.text().trimmed().toStdString());
    if (!parsed || (!none && *parsed < least)) {
        say(tr("“%1” is no size%2. Write for example 8 GiB.")
                .arg(field.text(), least > 1 ? tr(" from %1 on").arg(sizeText(least)) : QString()));
        return field.setText(sizeText(bytes));
    }
    if (*parsed == bytes) return;
    say({});
    bytes = *parsed;
    Q_EMIT changed(preferences_);
}

void SettingsDialog::takeFolder()
{
    const std::string folder = folder_->text().trimmed().toStdString();
    if (folder == preferences_.index.folder) return;
    if (folder.empty() || !std::filesystem::path(folder).is_absolute()) {
        say(tr("The folder of the indexes is a whole path, from / on."));
        return folder_->setText(QString::fromStdString(preferences_.index.folder.string()));
    }
    say({});
    preferences_.index.folder = folder;
    Q_EMIT changed(preferences_);
}

void SettingsDialog::chooseFolder()
{
    auto* dialog = new QFileDialog(this, tr("Folder of the Indexes"), folder_->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        folder_->setText(folder);
        takeFolder();
    });
    dialog->open();
}

void SettingsDialog::say(const QString& problem) { problem_->setText(problem); }

}  // namespace skein::gui
