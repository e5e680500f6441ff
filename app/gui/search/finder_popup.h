// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace skein::gui {

/// How well `query` matches `text` as a subsequence, ignoring case: higher is better, negative is no match.
/// Letters at the start of words and in a row count more. An empty query matches everything alike.
int matchScore(const QString& query, const QString& text);

/// Something that can be found: a text, a note at the right, and what happens when it is chosen.
struct Finding {
    QString text;
    QString note;
    std::function<void()> choose;
};

/// What was found: the best first, and how many there are in all.
struct Findings {
    std::vector<Finding> best;
    std::size_t total = 0;
    QString note = {};  ///< what else is to be said beside the count
};

/// Type to find something, up and down to walk through the list, Enter to choose, Escape to leave. Lies over
/// the window and goes when it loses the keyboard.
class FinderPopup : public QFrame {
    Q_OBJECT

public:
    using Search = std::function<Findings(const QString& query)>;
    using Deliver = std::function<void(Findings)>;
    /// A search that takes longer: calls `deliver` once, later, or never.
    using SlowSearch = std::function<void(const QString& query, const Deliver& deliver)>;

    FinderPopup(const QString& placeholder, Search search, QWidget* window);

    /// What it finds is listed below what the quick search has found at once.
    void setSlowSearch(SlowSearch search) { slowSearch_ = std::move(search); }

    /// Opens below this widget and in line with its right edge, rather than in the middle of the window's
    /// top.
    void setAnchor(const QWidget* anchor) { anchor_ = anchor; }

    /// Called when the user leaves it with Escape, without having chosen anything.
    void setDismissed(std::function<void()> dismissed) { dismissed_ = std::move(dismissed); }

    /// Opens at the top of the window with an empty query.
    void popUp();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPoint placeFor(int width) const;
    void fill();
    void append(Findings more);
    void showCount();
    void moveCurrent(int step);
    void chooseCurrent();
    /// Gives the keyboard back.
    void leave();

    Search search_;
    SlowSearch slowSearch_;
    std::function<void()> dismissed_;
    Findings found_;
    const QWidget* anchor_ = nullptr;
    QLineEdit* query_ = nullptr;
    QListWidget* list_ = nullptr;
    QLabel* count_ = nullptr;
    QPointer<QWidget> before_;  ///< had the keyboard
};

}  // namespace skein::gui
