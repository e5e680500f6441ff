// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/main_window.h"

#include "app/gui/dialogs/archive_chooser.h"
#include "app/gui/dialogs/problem_dialog.h"
#include "app/gui/export/panel_export.h"
#include "app/gui/menus/edit_menu.h"
#include "app/gui/menus/file_menu.h"
#include "app/gui/menus/help_menu.h"
#include "app/gui/menus/session_menu.h"
#include "app/gui/menus/view_menu.h"
#include "app/gui/remote/window_server.h"
#include "app/gui/session/mark_keeper.h"
#include "app/gui/session/panel_settings.h"
#include "app/gui/session/recent_paths.h"
#include "app/gui/window/loss_bar.h"
#include "app/gui/window/panel_arranger.h"
#include "app/gui/window/scope_bar.h"
#include "app/gui/window/session_presenter.h"
#include "app/gui/window/status_line.h"
#include "app/gui/window/view_list.h"
#include "app/gui/window/welcome_page.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QIcon>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <QWindow>

/// The resources stand in a static library, from which nothing is linked that is not named. Not in a
/// namespace.
static void initializeResources() { Q_INIT_RESOURCE(skein); }

namespace skein::gui {
namespace {

constexpr int kHitShownMs = 15000;
constexpr int kSaidShownMs = 5000;

QStringList localPaths(const QMimeData& data)
{
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile()) paths.push_back(url.toLocalFile());
    return paths;
}

QString titleOf(const Session& session)
{
    QStringList names;
    constexpr qsizetype kNamed = 3;
    for (const ExperimentPtr& experiment : session.experiments)
        names.push_back(QString::fromStdString(experiment->name));
    if (names.size() <= kNamed) return names.join(" + ");
    return QObject::tr("%1 + %2 more")
        .arg(names.mid(0, kNamed - 1).join(" + "))
        .arg(names.size() - kNamed + 1);
}

/// Room for every panel, where the screen has it beside frame and title bar.
QSize firstSize()
{
    constexpr QSize kFrame(16, 48);
    return QSize(1600, 1000).boundedTo(QApplication::primaryScreen()->availableSize() - kFrame);
}

void showChanges(const QString& file, const QStringList& sentences, QWidget& window)
{
    auto* box = new QMessageBox(
        QMessageBox::Information, QObject::tr("Session"),
        QObject::tr("Not everything is as it was when %1 was saved. What could be brought back was.")
            .arg(shortTitle({file})),
        QMessageBox::Close, &window);
    box->setObjectName("sessionChanges");
    box->setInformativeText(sentences.join("\n"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

}  // namespace

MainWindow::MainWindow(SettingsUse settings, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      hits_(selection_),
      loader_(tasks_),
      keeper_(loader_, selection_, tasks_, this),
      registry_(*this)
{
    initializeResources();
    setWindowTitle("Skein");
    setAcceptDrops(true);
    resize(firstSize());
    buildContent();
    buildMenus();
    joinParts();
    restoreSettings();
    beginSession(nullptr);
    showRecent();
}

MainWindow::~MainWindow()
{
    tasks_.cancelAll();
    // The views use the models of this window to their end.
    delete centralWidget();
}

void MainWindow::buildContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    scopeBar_ = new ScopeBar(selection_, content);
    layout->addWidget(scopeBar_);
    lossBar_ = new LossBar(content);
    layout->addWidget(lossBar_);
    pages_ = new QStackedWidget(content);
    layout->addWidget(pages_, 1);
    welcome_ = new WelcomePage(pages_);
    docks_ = new DockHost({selection_, tasks_}, pages_);
    pages_->addWidget(welcome_);
    pages_->addWidget(docks_);
    setCentralWidget(content);
    status_ = new StatusLine(selection_, tasks_, this);
    setStatusBar(status_);
    presenter_ = new SessionPresenter(*docks_, this);
    connect(docks_, &DockHost::panelAdded, presenter_, &SessionPresenter::giveAdded);
    panels_ = new PanelArranger(*docks_, *pages_, *presenter_, this);
    preferences_ = new PreferenceKeeper(settings_, *docks_, loader_, this);
    connect(docks_, &DockHost::panelAdded, this,
            [this](View* view) { view->setShiftWheel(preferences_->preferences().shiftWheel); });
    marks_ = new MarkKeeper(selection_, this);
    panelSettings_ = new PanelSettingsKeeper(*docks_, selection_, this);
    connect(&keeper_, &SessionKeeper::aboutToSave, panelSettings_, &PanelSettingsKeeper::recordTyped);
}

void MainWindow::buildMenus()
{
    const WindowParts parts{*this, selection_, tasks_,   loader_,       keeper_,
                            hits_, *docks_,    *panels_, *preferences_, registry_};
    auto* exports = new PanelExport(parts, this);
    auto* file = new FileMenu(parts, *exports, this);
    connect(file, &FileMenu::recentCleared, this, &MainWindow::showRecent);
    new EditMenu(parts, *exports, this);
    sessionMenu_ = new SessionMenu(parts, this);
    new ViewMenu(parts, this);
    new HelpMenu(parts, this);
}

void MainWindow::joinParts()
{
    connect(&loader_, &SessionLoader::sessionChanged, this, &MainWindow::showSession);
    connect(&loader_, &SessionLoader::loadingChanged, this, &MainWindow::showLoading);
    connect(&tasks_, &TaskRunner::progressed, this, &MainWindow::showLoading);
    const auto tellProblems = [this](const std::vector<Problem>& problems, const QStringList& opened) {
        showProblems(problems, opened, *this);
    };
    connect(&loader_, &SessionLoader::failed, this, tellProblems);
    connect(&keeper_, &SessionKeeper::failed, this, tellProblems);
    connect(&loader_, &SessionLoader::choiceWanted, this, &MainWindow::letChoose);
    connect(lossBar_, &LossBar::reportWanted, this, [this] { docks_->focusView("import_report"); });
    connect(
        &keeper_, &SessionKeeper::changed, this,
        [this](const QString& file, const QStringList& sentences) { showChanges(file, sentences, *this); });
    connect(&keeper_, &SessionKeeper::layoutWanted, this, [this](const QByteArray& layout) {
        presenter_->afterwards([this, layout] { panels_->arrange(layout); });  // when they are in sight
    });
    connect(&keeper_, &SessionKeeper::saved, this, [this](const QString& file) {
        status_->showMessage(tr("Saved %1").arg(file), 5000);
        rememberOpened();
    });
    connect(presenter_, &SessionPresenter::closing, this, [this] { pages_->setCurrentWidget(welcome_); });
    connect(presenter_, &SessionPresenter::beginning, this, &MainWindow::beginSession);
    connect(presenter_, &SessionPresenter::panelsWanted, this, [this] { pages_->setCurrentWidget(docks_); });
    connect(presenter_, &SessionPresenter::panelsInSight, panels_, &PanelArranger::show);
    connect(panels_, &PanelArranger::changed, this, [this] {
        if (presenter_->settled()) docks_->mainPanel().view->setFocus(Qt::OtherFocusReason);
    });
    connect(presenter_, &SessionPresenter::presented, this, [this] {
        panelSettings_->begin();
        focusMainView();
        rememberOpened();
    });
    connect(&hits_, &HitList::moved, this,
            [this](const QString& text) { status_->showMessage(text, kHitShownMs); });
    connect(&selection_, &SelectionModel::said, this,
            [this](const QString& sentence) { status_->showMessage(sentence, kSaidShownMs); });
    connect(welcome_, &WelcomePage::openFileWanted, registry_.find("file.open"), &QAction::trigger);
    connect(welcome_, &WelcomePage::openFolderWanted, registry_.find("file.openFolder"), &QAction::trigger);
    connect(welcome_, &WelcomePage::openWanted, &loader_, &SessionLoader::open);
    connect(welcome_, &WelcomePage::cancelWanted, &loader_, &SessionLoader::cancel);
}

Result<void> MainWindow::letScriptsIn(const std::string& folder)
{
    const auto whenShown = [this](std::function<void()> then) { presenter_->afterwards(std::move(then)); };
    auto* server = new WindowServer({loader_, selection_, tasks_, *this, whenShown});
    return server->listen(folder);
}

bool MainWindow::settled() const
{
    return panels_->settled() && presenter_->settled() && !tasks_.anyRunning() && !selection_.moves();
}

bool MainWindow::event(QEvent* event)
{
    if (preferences_) preferences_->hear(*event);
    return QMainWindow::event(event);
}

void MainWindow::showSession()
{
    sessionMenu_->follow(nullptr);
    keeper_.hold(loader_.session());
    presenter_->present(loader_.session());
}

/// What the panels share is that of the new session before the first of them shows it.
void MainWindow::beginSession(const SessionPtr& session)
{
    const bool kept = session && settings_ == SettingsUse::Persistent;
    panelSettings_->pause();
    selection_.reset(marks_->take(kept ? loader_.paths() : QStringList()));
    hits_.setSession(session);
    scopeBar_->setSession(session);
    lossBar_->setSession(session);
    status_->setSession(session);
    setWindowTitle(session ? tr("%1 – Skein").arg(titleOf(*session)) : QString("Skein"));
    sessionMenu_->follow(session);
    if (session) panels_->follow(*session);
    keeper_.takeUp(session);
    showLoading();
}

/// So that its keys work at once. Who types into a field meanwhile goes on.
void MainWindow::focusMainView()
{
    const auto* field = qobject_cast<const QLineEdit*>(QApplication::focusWidget());
    if (field && !field->text().isEmpty()) return;
    if (View* view = docks_->mainPanel().view; view->isVisible()) view->setFocus(Qt::OtherFocusReason);
}

void MainWindow::rememberOpened()
{
    if (settings_ == SettingsUse::Persistent)
        RecentPaths::add(keeper_.file().isEmpty() ? loader_.paths() : QStringList{keeper_.file()});
    showRecent();
}

void MainWindow::letChoose(const ArchiveChoice& choice)
{
    auto* dialog = new ArchiveChooser(choice, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ArchiveChooser::openWanted, this,
            [this, beside = choice.beside](const QStringList& paths) {
                if (beside) loader_.add(paths);
                else loader_.open(paths);
            });
    dialog->open();
}

void MainWindow::showLoading()
{
    if (!loader_.loading()) return welcome_->hideProgress();
    for (const JobInfo& job : tasks_.jobs())
        if (job.id == loader_.job()) welcome_->showProgress(job);
}

void MainWindow::showRecent()
{
    welcome_->setRecent(settings_ == SettingsUse::Persistent ? RecentPaths::all() : QList<QStringList>());
}

void MainWindow::restoreSettings()
{
    preferences_->restore();
    if (settings_ == SettingsUse::None) return;
    const QSettings settings;
    restoreGeometry(settings.value("geometry").toByteArray());
    panels_->restoreLayouts(settings.value("layoutsByKind").toMap());
}

void MainWindow::saveSettings()
{
    if (settings_ == SettingsUse::None) return;
    QSettings settings;
    settings.setValue("geometry", saveGeometry());
    settings.setValue("layoutsByKind", panels_->layoutsToKeep());
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    // Of this window alone: tooltips and menus would have those of the widget, too, which Qt sends to an X
    // server twice for each, 85 KiB each time.
    if (windowHandle()) windowHandle()->setIcon(QIcon(":/icons/skein.svg"));
    panels_->show();
    panels_->prepare();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    saveSettings();
    tasks_.cancelAll();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (localPaths(*event->mimeData()).isEmpty()) return;
    welcome_->setDragging(true);
    event->acceptProposedAction();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { welcome_->setDragging(false); }

void MainWindow::dropEvent(QDropEvent* event)
{
    welcome_->setDragging(false);
    const QStringList paths = localPaths(*event->mimeData());
    if (paths.isEmpty()) return;
    event->acceptProposedAction();
    if (event->modifiers().testFlag(Qt::ShiftModifier)) loader_.add(paths);
    else loader_.open(paths);
}

}  // namespace skein::gui
