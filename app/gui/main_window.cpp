// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"

#include "app/gui/dock_host.h"
#include "app/gui/filter_bar.h"
#include "app/gui/finder_popup.h"
#include "app/gui/mark_store.h"
#include "app/gui/problem_dialog.h"
#include "app/gui/recent_paths.h"
#include "app/gui/searches.h"
#include "app/gui/status_line.h"
#include "app/gui/view_list.h"
#include "app/gui/welcome_page.h"
#include "core/base/memory_limit.h"
#include "views/common/scene_view.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QIcon>
#include <QLineEdit>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

/// The resources stand in a static library, from which nothing is linked that is not named. Not in a
/// namespace.
static void initializeResources() { Q_INIT_RESOURCE(skein); }

namespace skein::gui {
namespace {

constexpr int kHitShownMs = 15000;
constexpr int kSaidShownMs = 5000;
constexpr int kFirstAloneMs = 10'000;  ///< how long all else waits for the first picture at most
constexpr int kPicturesAloneMs = 300;  ///< how long tables wait for the other pictures

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

bool sameIndex(const disk::IndexSettings& left, const disk::IndexSettings& right)
{
    return left.enabled == right.enabled && left.folder == right.folder && left.sizeLimit == right.sizeLimit;
}

/// Room for every panel, where the screen has it beside frame and title bar.
QSize firstSize()
{
    constexpr QSize kFrame(16, 48);
    return QSize(1600, 1000).boundedTo(QApplication::primaryScreen()->availableSize() - kFrame);
}

int areaOf(const QWidget& widget) { return widget.width() * widget.height(); }

}  // namespace

MainWindow::MainWindow(SettingsUse settings, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      systemPalette_(QApplication::palette()),
      hits_(selection_),
      loader_(tasks_),
      keeper_(loader_, selection_, tasks_, this),
      registry_(*this)
{
    initializeResources();
    setWindowTitle("Skein");
    setWindowIcon(QIcon(":/icons/skein.svg"));
    setAcceptDrops(true);
    resize(firstSize());
    buildContent();
    buildMenus();
    connect(&loader_, &SessionLoader::sessionChanged, this, &MainWindow::showSession);
    connect(&loader_, &SessionLoader::loadingChanged, this, &MainWindow::showLoading);
    connect(&loader_, &SessionLoader::failed, this, &MainWindow::showProblems);
    connect(&keeper_, &SessionKeeper::failed, this, &MainWindow::showProblems);
    connect(&keeper_, &SessionKeeper::changed, this, &MainWindow::showChanges);
    connect(&keeper_, &SessionKeeper::layoutWanted, this, [this](const QByteArray& layout) {
        steps_.add([this, layout] { arrangePanels(layout); });  // when the panels are in sight
    });
    connect(&keeper_, &SessionKeeper::saved, this, [this](const QString& file) {
        statusBar()->showMessage(tr("Saved %1").arg(file), 5000);
        rememberOpened();
    });
    connect(&tasks_, &TaskRunner::progressed, this, &MainWindow::showLoading);
    connect(&selection_, &SelectionModel::changed, this, &MainWindow::showEdits);
    connect(&selection_, &SelectionModel::changed, this, [this](ViewParts parts) {
        if (parts.has(ViewParts::kMarks)) keepMarks();
    });
    restoreSettings();
    beginSession();
    showRecent();
    showEdits();
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
    layout->addWidget(new FilterBar(selection_, content));
    pages_ = new QStackedWidget(content);
    layout->addWidget(pages_, 1);
    welcome_ = new WelcomePage(pages_);
    docks_ = new DockHost({selection_, tasks_}, pages_);
    pages_->addWidget(welcome_);
    pages_->addWidget(docks_);
    setCentralWidget(content);
    status_ = new StatusLine(selection_, tasks_, this);
    setStatusBar(status_);
    palette_ = new FinderPopup(
        tr("Find a command"), [this](const QString& query) { return findActions(registry_, query); }, this);
    palette_->setObjectName("commandPalette");
    search_ = new FinderPopup(
        tr("Find regions, locations, calls and messages"),
        [this](const QString& query) { return findInSession(loader_.session(), selection_, query); }, this);
    search_->setSlowSearch([this](const QString& query, const FinderPopup::Deliver& deliver) {
        searchTrace(loader_.session(), selection_, tasks_, hits_, query, deliver);
    });
    connect(&hits_, &HitList::moved, this,
            [this](const QString& text) { statusBar()->showMessage(text, kHitShownMs); });
    connect(&selection_, &SelectionModel::said, this,
            [this](const QString& sentence) { statusBar()->showMessage(sentence, kSaidShownMs); });
    search_->setObjectName("searchPopup");
    connect(welcome_, &WelcomePage::openFileWanted, this, [this] { chooseFiles(&SessionLoader::open); });
    connect(welcome_, &WelcomePage::openFolderWanted, this, [this] { chooseFolder(&SessionLoader::open); });
    connect(welcome_, &WelcomePage::openWanted, &loader_, &SessionLoader::open);
    connect(welcome_, &WelcomePage::cancelWanted, &loader_, &SessionLoader::cancel);
}

void MainWindow::setPreferences(const Preferences& preferences)
{
    const Preferences before = std::exchange(preferences_, preferences);
    if (settings_ == SettingsUse::Persistent) savePreferences(preferences_);
    if (before.appearance != preferences_.appearance) setAppearance(preferences_.appearance);
    if (before.memoryLimit != preferences_.memoryLimit) setMemoryLimit(preferences_.memoryLimit);
    if (!sameIndex(before.index, preferences_.index)) loader_.setIndexSettings(preferences_.index);
    if (before.bytes != preferences_.bytes || before.names != preferences_.names
        || before.shiftWheel != preferences_.shiftWheel)
        applyPresentation();
}

/// What panels make anew when the colours change they make anew for this as well.
void MainWindow::applyPresentation()
{
    setByteUnits(preferences_.bytes);
    setLongNames(preferences_.names);
    QEvent restyled(QEvent::PaletteChange);
    for (const DockHost::Panel& panel : docks_->panels()) {
        panel.view->setShiftWheel(preferences_.shiftWheel);
        QApplication::sendEvent(panel.view, &restyled);
        for (QWidget* part : panel.view->findChildren<QWidget*>()) {
            if (auto* nested = qobject_cast<View*>(part)) {
                nested->setShiftWheel(preferences_.shiftWheel);
                QApplication::sendEvent(nested, &restyled);
            }
            part->update();
        }
    }
}

void MainWindow::setAppearance(Appearance appearance)
{
    preferences_.appearance = appearance;
    changingAppearance_ = true;
    applyAppearance(appearance, systemPalette_);
    changingAppearance_ = false;
    appliedPalette_ = QApplication::palette();
    registry_.find("theme." + name(appearance))->setChecked(true);
}

/// The desktop has changed its colours while the program runs.
void MainWindow::followSystem()
{
    const QPalette now = QApplication::palette();
    if (changingAppearance_ || now == appliedPalette_) return;
    systemPalette_ = now;
    setAppearance(preferences_.appearance);
}

bool MainWindow::event(QEvent* event)
{
    if (event->type() == QEvent::ApplicationPaletteChange) followSystem();
    if (event->type() == QEvent::ThemeChange && !changingAppearance_) {
        changingAppearance_ = true;
        QApplication::setPalette(QPalette());  // back to what the desktop says now
        changingAppearance_ = false;
        followSystem();
    }
    return QMainWindow::event(event);
}

void MainWindow::showEdits()
{
    registry_.find("edit.undo")->setEnabled(selection_.edits().canUndo());
    registry_.find("edit.redo")->setEnabled(selection_.edits().canRedo());
    registry_.find("edit.clearFilters")->setEnabled(!selection_.state().filters.empty());
}

void MainWindow::resetLayout() { applyWorkspace(workspaces().front()); }

void MainWindow::applyWorkspace(const Workspace& workspace)
{
    docks_->setDefault(workspace);
    arrangePanels({});
}

void MainWindow::arrangePanels(const QByteArray& layout)
{
    savedLayout_ = layout;
    panelsSeen_ = false;
    arrangedFor_ = QSize();
    showPanels();
}

/// Panel by panel, each in a turn of its own: all at once would keep the user waiting. Until all panels have
/// let go of the session before none gets the new one, so that what is chosen in one means the same in the
/// others.
void MainWindow::showSession()
{
    steps_.clear();
    enableSessionActions(false);
    const SessionPtr& session = loader_.session();
    if (!session) steps_.add([this] { pages_->setCurrentWidget(welcome_); });
    if (panelsHoldSession_) takeSessionAway();
    steps_.add([this] { beginSession(); });
    if (session) {
        steps_.add([this] { pages_->setCurrentWidget(docks_); });
        steps_.add([this] { showPanels(); });
        steps_.add([this] { giveSession(); });
    }
}

/// First the timeline, or what else is drawn from the index and largest in sight, alone: whatever runs beside
/// it takes its part of the disk, which may have to be read first, and of the cores. Then the other pictures.
/// Tables sum up millions of calls: they begin when those are there, or are late.
void MainWindow::giveSession()
{
    const SessionPtr& session = loader_.session();
    std::vector<View*> later = viewsShownFirst();
    const auto isPicture = [](const View* view) {
        return qobject_cast<const SceneView*>(view) && !view->visibleRegion().isEmpty();
    };
    const auto firstLater = std::stable_partition(later.begin(), later.end(), isPicture);
    std::vector<View*> pictures(later.begin(), firstLater);
    std::stable_sort(pictures.begin(), pictures.end(),
                     [](const View* a, const View* b) { return areaOf(*a) > areaOf(*b); });
    later.erase(later.begin(), firstLater);
    std::stable_partition(pictures.begin(), pictures.end(),
                          [](const View* view) { return view->objectName() == mainView().id; });
    if (pictures.empty()) return givePictures({}, later);
    steps_.add([first = pictures.front(), session] { first->setSession(session); });
    steps_.add([this, pictures, later] { awaitFirst(pictures, later, QDeadlineTimer(kFirstAloneMs)); });
}

/// A picture that fails is awaited no longer, nor one that somebody has hidden.
void MainWindow::awaitFirst(const std::vector<View*>& pictures, const std::vector<View*>& later,
                            QDeadlineTimer deadline)
{
    const auto* first = static_cast<const SceneView*>(pictures.front());
    const bool awaited = first->awaitsPicture() && !first->upToDate() && !first->visibleRegion().isEmpty();
    if (awaited && !deadline.hasExpired())
        return steps_.add([this, pictures, later, deadline] { awaitFirst(pictures, later, deadline); });
    givePictures({pictures.begin() + 1, pictures.end()}, later);
}

void MainWindow::givePictures(const std::vector<View*>& pictures, const std::vector<View*>& later)
{
    for (View* view : pictures)
        steps_.add([view, session = loader_.session()] { view->setSession(session); });
    steps_.add(
        [this, pictures, later] { giveSessionLater(pictures, later, QDeadlineTimer(kPicturesAloneMs)); });
}

void MainWindow::giveSessionLater(const std::vector<View*>& pictures, const std::vector<View*>& later,
                                  QDeadlineTimer deadline)
{
    const auto isDrawn = [](const View* view) { return static_cast<const SceneView*>(view)->upToDate(); };
    if (!std::all_of(pictures.begin(), pictures.end(), isDrawn) && !deadline.hasExpired())
        return steps_.add([this, pictures, later, deadline] { giveSessionLater(pictures, later, deadline); });
    for (View* view : later) steps_.add([view, session = loader_.session()] { view->setSession(session); });
    steps_.add([this] {
        focusMainView();
        rememberOpened();
    });
}

/// So that its keys work at once. Who types into a field meanwhile goes on.
void MainWindow::focusMainView()
{
    const auto* field = qobject_cast<const QLineEdit*>(QApplication::focusWidget());
    if (field && !field->text().isEmpty()) return;
    if (View* view = docks_->find(mainView().id)->view; view->isVisible())
        view->setFocus(Qt::OtherFocusReason);
}

void MainWindow::rememberOpened()
{
    if (settings_ == SettingsUse::Persistent)
        RecentPaths::add(keeper_.file().isEmpty() ? loader_.paths() : QStringList{keeper_.file()});
    showRecent();
}

void MainWindow::takeSessionAway()
{
    for (View* view : viewsShownFirst()) steps_.add([view] { view->setSession(nullptr); });
    steps_.add([this] { panelsHoldSession_ = false; });
}

/// What the panels share is that of the new session before the first of them shows it.
void MainWindow::beginSession()
{
    const SessionPtr& session = loader_.session();
    panelsHoldSession_ = session != nullptr;
    keptMarks_ = session && settings_ == SettingsUse::Persistent ? MarkStore::load(loader_.paths())
                                                                 : std::vector<Mark>();
    selection_.reset(keptMarks_);
    hits_.setSession(session);
    status_->setSession(session);
    setWindowTitle(session ? tr("%1 – Skein").arg(titleOf(*session)) : QString("Skein"));
    enableSessionActions(session != nullptr);
    if (session) keeper_.takeUp(session);
    showLoading();
}

void MainWindow::enableSessionActions(bool open)
{
    for (const char* id : {"file.addFile", "file.addFolder", "file.picture", "file.saveSession", "file.table",
                           "edit.copyPicture", "file.saveSessionAs", "file.close", "edit.search",
                           "edit.nextHit", "edit.previousHit", "session.clocks", "view.goToTime"})
        registry_.find(id)->setEnabled(open);
    registry_.find("session.recordedClocks")->setEnabled(open && loader_.isDerived());
}

/// Those in sight before those that others hide.
std::vector<View*> MainWindow::viewsShownFirst() const
{
    std::vector<View*> views;
    for (const DockHost::Panel& panel : docks_->panels()) views.push_back(panel.view);
    std::stable_partition(views.begin(), views.end(),
                          [](const View* view) { return !view->visibleRegion().isEmpty(); });
    return views;
}

void MainWindow::keepMarks()
{
    const auto& marks = selection_.state().marks;
    if (!panelsHoldSession_ || settings_ != SettingsUse::Persistent || marks == keptMarks_) return;
    keptMarks_ = marks;
    MarkStore::save(loader_.paths(), marks);
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

void MainWindow::showProblems(const std::vector<Problem>& problems, const QStringList& opened)
{
    auto* dialog = new ProblemDialog(problems, opened, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::restoreSettings()
{
    if (settings_ == SettingsUse::None) return setAppearance(Appearance::Light);
    const QSettings settings;
    preferences_ = loadPreferences();
    setAppearance(preferences_.appearance);
    applyPresentation();
    restoreGeometry(settings.value("geometry").toByteArray());
    savedLayout_ = settings.value("layout").toByteArray();
}

void MainWindow::saveSettings()
{
    if (settings_ == SettingsUse::None) return;
    QSettings settings;
    settings.setValue("geometry", saveGeometry());
    settings.setValue("layout", panelsSeen_ ? docks_->layout() : savedLayout_);
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    showPanels();
    preparePanels();
}

/// What a panel needs before it can be seen for the first time: style, layout, letters. One panel a turn,
/// while the user still looks at the welcome. Panels that others hide wait for what the user waits for.
void MainWindow::preparePanels()
{
    if (panelsPrepared_) return;
    panelsPrepared_ = true;
    const auto hidden = [this](const DockHost::Panel& panel) {
        return !docks_->rect().intersects(panel.dock->geometry());
    };
    for (const DockHost::Panel& panel : docks_->panels())
        if (!hidden(panel)) preparations_.add([dock = panel.dock] { dock->grab(); });
    for (const DockHost::Panel& panel : docks_->panels())
        if (hidden(panel)) preparations_.add([this, view = panel.view] { prepareHidden(view); });
}

void MainWindow::prepareHidden(View* view)
{
    if (steps_.empty()) view->grab();
    else preparations_.add([this, view] { prepareHidden(view); });
}

/// Panels are laid out before they are seen, and once more where the window has got another size until then:
/// sizes that are given to a window of another size come out otherwise.
void MainWindow::showPanels()
{
    const QSize size = pages_->size();
    if (panelsSeen_ || !isVisible()) return;
    panelsSeen_ = pages_->currentWidget() == docks_;
    if (arrangedFor_ == size) return;
    arrangedFor_ = size;
    docks_->resize(size);
    if (!docks_->setLayout(savedLayout_)) docks_->applyDefaultLayout();
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
