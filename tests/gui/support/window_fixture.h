// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/window/main_window.h"
#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/paths.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QSettings>
#include <QTest>
#include <QUrl>

#include <memory>

namespace skein::test {

/// Settings of its own for a test: empty at first, gone with the object.
class OwnSettings {
public:
    OwnSettings()
    {
        guiApplication();
        QApplication::setOrganizationName("skein-test");
        QApplication::setApplicationName("skein");
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                           QString::fromStdString(folder_.path().string()));
    }

private:
    TemporaryFolder folder_;
};

/// A shown main window with settings of its own.
struct WindowFixture {
    OwnSettings settings;
    std::unique_ptr<gui::MainWindow> window;

    WindowFixture() { reopen(); }

    /// Closes the window and makes another one, as a restart of the program does.
    void reopen()
    {
        if (window) window->close();
        window = std::make_unique<gui::MainWindow>();
        window->resize(1600, 1000);  // the screen of the offscreen platform is smaller
        window->show();
        REQUIRE(QTest::qWaitForWindowExposed(window.get()));
    }
    /// Waits until no work runs and everything that follows from it has happened.
    void settle()
    {
        // Much longer than it takes: other tests may have the processors.
        constexpr int kMostMs = 120000;
        // Twice: what was due while others had the processors begins only now.
        for (int turn = 0; turn < 2; ++turn) {
            REQUIRE(test::waitFor([this] { return window->settled(); }, kMostMs));
            QTest::qWait(turn == 0 ? 30 : 1);
        }
        REQUIRE(test::waitFor([this] { return window->settled(); }, kMostMs));
    }
    void open(const QStringList& paths)
    {
        window->loader().open(paths);
        settle();
    }
    void trigger(const char* action) { window->actionRegistry().find(action)->trigger(); }
    template <typename T>
    T* child(const char* name) const
    {
        return window->findChild<T*>(name);
    }
};

/// Drops files and folders on the window.
inline void dropOn(gui::MainWindow& window, const QStringList& paths, Qt::KeyboardModifiers modifiers)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls.push_back(QUrl::fromLocalFile(path));
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(400, 400), Qt::CopyAction, &data, Qt::LeftButton, modifiers);
    QApplication::sendEvent(&window, &enter);
    CHECK(enter.isAccepted());
    QDropEvent drop(QPointF(400, 400), Qt::CopyAction, &data, Qt::LeftButton, modifiers);
    QApplication::sendEvent(&window, &drop);
}

/// A file or folder of the project's own tree, for the window.
inline QString example(const char* relative)
{
    return QString::fromStdString(sourcePath(std::string("examples/") + relative).string());
}

}  // namespace skein::test
