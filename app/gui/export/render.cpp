// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/render.h"

#include "app/cli/arguments.h"
#include "app/cli/cli.h"
#include "app/gui/export/picture.h"
#include "app/gui/window/dock_host.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/panel_arranger.h"
#include "core/base/output_file.h"
#include "core/base/units.h"
#include "core/io/importer.h"
#include "core/session/session_clock.h"
#include "views/outliers/outliers_view.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace skein::gui {
namespace {

/// Views answer to changes after a moment; nothing may be drawn before they have been still for this long.
constexpr qint64 kStillMs = 300;

void print(const std::string& sentence) { std::fprintf(stderr, "skein: %s\n", sentence.c_str()); }

/// However long a turn takes, it counts for little: on a busy machine one may take longer than all of the
/// time, and what it has begun (a timer, whose job is followed by a picture) has had no time to come.
void waitUntilStill(const MainWindow& window)
{
    constexpr qint64 kTurnMs = 20;
    QElapsedTimer turn;
    for (qint64 stillMs = 0; stillMs < kStillMs;) {
        turn.start();
        QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, kTurnMs);
        QApplication::processEvents();
        usleep(2000);
        stillMs = window.settled() ? stillMs + std::min(turn.elapsed(), kTurnMs) : 0;
    }
}

/// A shown window of exactly so many pixels with the archives open.
class Stage {
public:
    explicit Stage(const Arguments& arguments) : arguments_(arguments), window_(SettingsUse::None)
    {
        const double ratio = window_.devicePixelRatioF();
        window_.resize(static_cast<int>(arguments.width / ratio), static_cast<int>(arguments.height / ratio));
        if (arguments.outliers == "aggregated")
            static_cast<OutliersView*>(window_.docks().find("outliers")->view)
                ->show(OutliersView::Mode::Ranks);
        if (!arguments.theme.empty())
            window_.preferences().setAppearance(appearanceFromName(QString::fromStdString(arguments.theme)));
        const auto tell = [this](const std::vector<Problem>& problems) {
            for (const Problem& problem : problems)
                print(
                    (problem.context.isEmpty() ? problem.cause : problem.cause + " (" + problem.context + ")")
                        .toStdString());
            complete_ = false;
        };
        QObject::connect(&window_.loader(), &SessionLoader::failed, tell);
        QObject::connect(&window_.keeper(), &SessionKeeper::failed, tell);
        QObject::connect(&window_.loader(), &SessionLoader::choiceWanted,
                         [this](const ArchiveChoice& choice) {
                             print(choice.cause.toStdString());
                             complete_ = false;
                         });
    }

    /// 0, or the exit code to end with.
    int open()
    {
        window_.loader().setIndexSettings(arguments_.index);
        window_.show();
        QStringList paths;
        for (const std::string& path : arguments_.sources()) paths.push_back(QString::fromStdString(path));
        window_.loader().open(paths);
        waitUntilStill(window_);
        if (!complete_ || !window_.loader().session()) return 1;
        if (const Workspace* layout = findWorkspace(QString::fromStdString(arguments_.layout)))
            window_.panels().apply(*layout);
        if (!arguments_.machine.topology.empty()) window_.selection().setMachine(arguments_.machine, nullptr);
        for (const std::string& choice : arguments_.choices)
            if (!choose(QString::fromStdString(choice))) return 2;
        return arguments_.range.empty() ? 0 : showRange();
    }

    MainWindow& window() { return window_; }

    /// Waits until what was imported will open at once the next time.
    void saveIndex()
    {
        while (window_.loader().savingIndex()) waitUntilStill(window_);
    }

    bool draw(const QString& view, const QString& file)
    {
        waitUntilStill(window_);
        return view == "window" ? told(savePicture(window_, file)) : drawAlone(view, file);
    }

private:
    /// What a panel offers may be known only once it is seen.
    void lookAt(const QWidget& control)
    {
        for (const ViewDescription& description : viewList()) {
            const DockHost::Panel* panel = window_.docks().find(description.id);
            if (!panel || !panel->view->isAncestorOf(&control)) continue;
            panel->dock->show();
            panel->dock->raise();
            waitUntilStill(window_);
        }
    }

    /// Sets a choice of a panel as the user would.
    bool choose(const QString& choice)
    {
        const QString name = choice.section('=', 0, 0), text = choice.section('=', 1);
        auto* box = window_.findChild<QComboBox*>(name);
        if (!box) {
            print(fmt::format("No panel has a choice named {}.", name.toStdString()));
            return false;
        }
        lookAt(*box);
        const int index = box->findText(text);
        if (index < 0 && !box->isEditable()) {
            QStringList offered;
            for (int i = 0; i < box->count(); ++i) offered.push_back(box->itemText(i));
            print(fmt::format("{} offers {}, not {}.", name.toStdString(), offered.join(", ").toStdString(),
                              text.toStdString()));
            return false;
        }
        if (index >= 0) box->setCurrentIndex(index);
        else box->setEditText(text);
        Q_EMIT box->activated(box->currentIndex());
        return true;
    }

    int showRange()
    {
        const TimeSpan whole = sessionClock(*window_.loader().session()).extent;
        const auto span = cli::parseWindow(arguments_.range, whole);
        if (!span) {
            print(span.error().text());
            return 2;
        }
        // Ends that were copied from a rounded text are not refused.
        const TimeNs slack = whole.lengthNs() / 100;
        if (span->begin < whole.begin - slack || span->end > whole.end + slack || !span->overlaps(whole)) {
            print(fmt::format("--range {} is not within the run, which is from {} to {}.", arguments_.range,
                              formatDuration(static_cast<double>(whole.begin)),
                              formatDuration(static_cast<double>(whole.end))));
            return 2;
        }
        window_.selection().setVisible(span->intersected(whole), nullptr);
        waitUntilStill(window_);
        return 0;
    }

    /// Takes the view out of its dock for the time of the picture, so that it is laid out for the picture's
    /// size.
    bool drawAlone(const QString& id, const QString& file)
    {
        const DockHost::Panel* panel = window_.docks().find(id);
        panel->view->setParent(nullptr);
        const double ratio = panel->view->devicePixelRatioF();
        panel->view->resize(static_cast<int>(arguments_.width / ratio),
                            static_cast<int>(arguments_.height / ratio));
        panel->view->show();
        waitUntilStill(window_);
        const PictureFrame frame = frameOfView(*panel->view, QObject::tr(panel->description->title),
                                               window_.selection(), window_.loader().session());
        const PictureSize size{arguments_.width,
                               arguments_.sizeGiven ? std::optional<int>(arguments_.height) : std::nullopt,
                               arguments_.height};
        const bool saved = told(saveViewPicture(*panel->view, file, size, frame));
        panel->dock->setWidget(panel->view);
        return saved;
    }

    static bool told(const Result<void>& saved)
    {
        if (!saved) print(saved.error().text());
        return saved.has_value();
    }

    Arguments arguments_;
    MainWindow window_;
    bool complete_ = true;
};

/// Of what is open: a large archive is not opened a second time beside it.
void printSummary(SessionLoader& loader)
{
    std::vector<std::string> words{"info"};
    for (const QString& path : loader.paths()) words.push_back(path.toStdString());
    const auto opened = [&loader, paths = std::vector(words.begin() + 1, words.end())](
                            const std::filesystem::path& path, const Task& task) {
        const auto at =
            static_cast<std::size_t>(std::find(paths.begin(), paths.end(), path.string()) - paths.begin());
        const auto& experiments = loader.session()->experiments;
        return at < experiments.size() ? Result<ExperimentPtr>(experiments[at]) : openExperiment(path, task);
    };
    cli::Sink out(STDOUT_FILENO), err(STDERR_FILENO);
    cli::run(words, out, err, Task(), opened);
    out.flush();
    err.flush();
}

}  // namespace

int renderView(const Arguments& arguments)
{
    // What cannot be written is told before the archive is opened, which may take long.
    if (const auto place = outputPlace(arguments.output); !place) {
        print(place.error().text());
        return 1;
    }
    Stage stage(arguments);
    if (const int code = stage.open()) return code;
    const bool drawn =
        stage.draw(QString::fromStdString(arguments.render), QString::fromStdString(arguments.output));
    stage.saveIndex();
    return drawn ? 0 : 1;
}

int renderTour(const Arguments& arguments)
{
    const QDir folder(QString::fromStdString(arguments.tour));
    if (!folder.mkpath(".")) {
        print(fmt::format("The folder {} cannot be made.", arguments.tour));
        return 1;
    }
    Stage stage(arguments);
    if (const int code = stage.open()) return code;
    bool drawn = stage.draw("window", folder.filePath("window.png"));
    for (const ViewDescription& view : viewList())
        drawn = drawn && stage.draw(view.id, folder.filePath(QString(view.id) + ".png"));
    stage.window().preferences().setAppearance(Appearance::Dark);
    stage.window().panels().reset();
    drawn = drawn && stage.draw("window", folder.filePath("window-dark.png"));
    stage.saveIndex();
    if (!drawn) return 1;
    printSummary(stage.window().loader());
    std::printf("\nPictures of every view: %s\n", qPrintable(folder.absolutePath()));
    return 0;
}

}  // namespace skein::gui
