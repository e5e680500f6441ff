// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/welcome_page.h"

#include "app/gui/session/recent_paths.h"
#include "views/common/job_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace skein::gui {
namespace {

constexpr int kColumnWidth = 520;
constexpr int kShownRecent = 6;

QLabel* line(const QString& text, const char* role, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setProperty("role", role);
    label->setWordWrap(true);
    // Within a layout that centres it, nobody asks how high a text becomes that is wrapped.
    label->ensurePolished();
    label->setMinimumHeight(std::max(0, label->heightForWidth(kColumnWidth)));
    return label;
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent)
{
    auto* column = new QWidget(this);
    column->setFixedWidth(kColumnWidth);
    auto* content = new QVBoxLayout(column);
    content->setSpacing(16);
    invitation_ = makeInvitation();
    importing_ = makeProgress();
    content->addWidget(invitation_);
    content->addWidget(importing_);
    importing_->hide();
    auto* outer = new QVBoxLayout(this);
    outer->addStretch(2);
    outer->addWidget(column, 0, Qt::AlignHCenter);
    outer->addStretch(3);
}

QWidget* WelcomePage::makeInvitation()
{
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(16);
    layout->addWidget(line(tr("Open a trace or a profile"), "title", page));
    layout->addWidget(
        line(tr("OTF2 archives, Cube and TAU profiles and TAU traces: choose any file of the archive, or "
                "its folder. Several at once become one session."),
             "secondary", page));
    auto* openFile = new QPushButton(tr("Open File…"), page);
    openFile->setObjectName("welcomeOpenFile");
    openFile->setDefault(true);
    auto* openFolder = new QPushButton(tr("Open Folder…"), page);
    openFolder->setObjectName("welcomeOpenFolder");
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(openFile);
    buttons->addWidget(openFolder);
    buttons->addStretch();
    layout->addLayout(buttons);
    auto* drop = line(tr("or drop files and folders here"), "secondary", page);
    drop->setObjectName("dropHint");
    drop->setWordWrap(false);
    drop->setAlignment(Qt::AlignCenter);
    drop->setFixedHeight(96);
    layout->addWidget(drop);
    recentBox_ = new QWidget(page);
    recentList_ = new QVBoxLayout(recentBox_);
    recentList_->setContentsMargins(0, 0, 0, 0);
    recentList_->setSpacing(0);
    layout->addWidget(recentBox_);
    connect(openFile, &QPushButton::clicked, this, &WelcomePage::openFileWanted);
    connect(openFolder, &QPushButton::clicked, this, &WelcomePage::openFolderWanted);
    return page;
}

QWidget* WelcomePage::makeProgress()
{
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    jobTitle_ = line({}, "title", page);
    jobStage_ = line({}, "secondary", page);
    jobProgress_ = new QProgressBar(page);
    jobProgress_->setRange(0, 1000);
    jobProgress_->setTextVisible(false);
    jobLeft_ = line({}, "secondary", page);
    auto* cancel = new QPushButton(tr("Cancel"), page);
    cancel->setObjectName("welcomeCancel");
    auto* row = new QHBoxLayout;
    jobLeft_->setWordWrap(false);
    row->addWidget(jobLeft_);
    row->addStretch();
    row->addWidget(cancel);
    layout->addWidget(jobTitle_);
    layout->addWidget(jobStage_);
    layout->addWidget(jobProgress_);
    layout->addLayout(row);
    connect(cancel, &QPushButton::clicked, this, &WelcomePage::cancelWanted);
    return page;
}

void WelcomePage::setRecent(const QList<QStringList>& recent)
{
    while (QLayoutItem* item = recentList_->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    recentBox_->setVisible(!recent.isEmpty());
    recentList_->addWidget(line(tr("Recent"), "heading", recentBox_));
    for (const QStringList& paths : recent.mid(0, kShownRecent)) {
        auto* button = new QPushButton(shortTitle(paths), recentBox_);
        button->setProperty("flat", true);
        button->setStyleSheet("text-align: left; padding: 4px 0;");
        button->setToolTip(paths.join("\n"));
        button->setCursor(Qt::PointingHandCursor);
        connect(button, &QPushButton::clicked, this, [this, paths] { Q_EMIT openWanted(paths); });
        recentList_->addWidget(button);
    }
}

void WelcomePage::showProgress(const JobInfo& job)
{
    invitation_->hide();
    importing_->show();
    jobTitle_->setText(job.title);
    jobStage_->setText(job.stage);
    jobProgress_->setValue(static_cast<int>(job.fraction * 1000.0));
    jobLeft_->setText(percentText(job.fraction) + "  " + timeLeftText(job));
}

void WelcomePage::hideProgress()
{
    importing_->hide();
    invitation_->show();
}

void WelcomePage::setDragging(bool dragging)
{
    auto* hint = findChild<QLabel*>("dropHint");
    hint->setProperty("dragging", dragging);
    hint->style()->unpolish(hint);
    hint->style()->polish(hint);
}

}  // namespace skein::gui
