// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/remap/map_export_dialog.h"

#include "views/common/utf8_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>

namespace skein {
namespace {

/// Text beyond this is not shown: the file has it all.
constexpr qsizetype kMostShown = 1 << 20;

QPlainTextEdit* textField(const char* name, const QString& title, QWidget* parent)
{
    auto* field = new QPlainTextEdit(parent);
    field->setObjectName(name);
    field->setAccessibleName(title);
    field->setReadOnly(true);
    field->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    field->setLineWrapMode(QPlainTextEdit::NoWrap);
    return field;
}

QLabel* sentences(const char* name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

MapExportDialog::MapExportDialog(SessionPtr session, RemapCandidatePtr candidate, QWidget* parent)
    : QDialog(parent), session_(std::move(session)), candidate_(std::move(candidate))
{
    setObjectName("mapExportDialog");
    setWindowTitle(tr("Write a rank map"));
    launcher_ = new QComboBox(this);
    launcher_->setObjectName("map_export.launcher");
    for (const LauncherFormat& known : launcherFormats())
        launcher_->addItem(tr("%1 (%2%3)")
                               .arg(toQString(known.title), toQString(known.id),
                                    known.experimental ? tr(", experimental") : QString()),
                           toQString(known.id));
    launcher_->setCurrentIndex(launcher_->findData("openmpi"));
    program_ = new QLineEdit("./a.out", this);
    program_->setObjectName("map_export.program");
    cores_ = new QSpinBox(this);
    cores_->setObjectName("map_export.cores");
    cores_->setRange(1, 1 << 12);
    file_ = new QLineEdit(this);
    file_->setObjectName("map_export.file");
    text_ = textField("map_export.text", tr("The launcher's file"), this);
    script_ = textField("map_export.script", tr("Job-script snippet"), this);
    check_ = sentences("map_export.check", this);
    problem_ = sentences("map_export.problem", this);
    problem_->setProperty("role", "warning");
    auto* choose = new QPushButton(tr("&Choose…"), this);
    auto* fileRow = new QHBoxLayout;
    fileRow->addWidget(file_, 1);
    fileRow->addWidget(choose);
    auto* form = new QFormLayout;
    form->addRow(tr("&Launcher"), launcher_);
    form->addRow(tr("&Program with its arguments"), program_);
    form->addRow(tr("C&ores a rank"), cores_);
    // A row that is a layout makes no label that belongs to a field.
    auto* fileLabel = new QLabel(tr("&File"), this);
    fileLabel->setBuddy(file_);
    form->addRow(fileLabel, fileRow);
    auto* texts = new QSplitter(Qt::Vertical, this);
    texts->addWidget(text_);
    texts->addWidget(script_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    write_ = buttons->addButton(tr("&Write"), QDialogButtonBox::AcceptRole);
    write_->setObjectName("map_export.write");
    auto* all = new QVBoxLayout(this);
    all->addLayout(form);
    all->addWidget(texts, 1);
    all->addWidget(check_);
    all->addWidget(problem_);
    all->addWidget(buttons);
    connect(launcher_, &QComboBox::currentIndexChanged, this, [this] {
        file_->setText(QDir::current().filePath(toQString(format().fileName)));
        preview();
    });
    connect(program_, &QLineEdit::textChanged, this, &MapExportDialog::preview);
    connect(cores_, &QSpinBox::valueChanged, this, &MapExportDialog::preview);
    connect(file_, &QLineEdit::textChanged, this, &MapExportDialog::preview);
    connect(choose, &QPushButton::clicked, this, &MapExportDialog::browse);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(write_, &QPushButton::clicked, this, [this] { writeTo(file_->text()); });
    file_->setText(QDir::current().filePath(toQString(format().fileName)));
    preview();
    resize(820, 720);
}

const LauncherFormat& MapExportDialog::format() const
{
    return *findLauncherFormat(launcher_->currentData().toString().toStdString());
}

MapFileOptions MapExportDialog::options() const
{
    MapFileOptions options;
    options.program = program_->text().toStdString();
    options.coresPerRank = static_cast<std::uint32_t>(cores_->value());
    return options;
}

void MapExportDialog::preview()
{
    auto made = previewMap(*session_, *candidate_, format(), options(), file_->text().toStdString());
    preview_ = made ? std::optional(std::move(*made)) : std::nullopt;
    write_->setEnabled(preview_ && !file_->text().trimmed().isEmpty());
    if (!preview_) {
        text_->clear();
        script_->clear();
        check_->clear();
        return problem_->setText(toQString(made.error().text()));
    }
    const QString text = toQString(preview_->text);
    text_->setPlainText(text.size() > kMostShown ? text.left(kMostShown) + tr("\n… (cut off here)") : text);
    script_->setPlainText(preview_->script.empty()
                              ? tr("No launcher takes this file: it needs no job script.")
                              : toQString(preview_->script));
    QString check = toQString(preview_->check);
    if (format().experimental)
        check += " " + tr("The format was taken from descriptions and not checked against the launcher.");
    check_->setText(check);
    QStringList warnings;
    for (const std::string& warning : preview_->warnings) warnings << toQString(warning);
    problem_->setText(warnings.join('\n'));
}

void MapExportDialog::browse()
{
    const QString chosen = QFileDialog::getSaveFileName(this, tr("The launcher's file"), file_->text());
    if (!chosen.isEmpty()) file_->setText(chosen);
}

bool MapExportDialog::writeTo(const QString& file)
{
    if (!preview_) return false;
    const auto written = writeMapFiles(file.toStdString(), preview_->map, format(), options(),
                                       preview_->provenance, preview_->before);
    if (!written) {
        problem_->setText(toQString(written.error().text()));
        return false;
    }
    accept();
    return true;
}

}  // namespace skein
