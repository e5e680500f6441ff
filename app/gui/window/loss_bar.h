// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "core/session/experiment.h"

#include <QStringList>

class QToolButton;

namespace skein {
class ElidedLabel;
}

namespace skein::gui {

/// What is missing in the archives of a session, a sentence a finding, the gravest first: "Rank 2: no events,
/// its file is missing (traces/2.evt)". With several archives each sentence begins with the archive's name.
QStringList lossSentences(const Session& session);

/// The bar below the scope that says what of the archives is not shown, until the user closes it. Takes no
/// room where nothing was lost.
class LossBar : public QWidget {
    Q_OBJECT

public:
    explicit LossBar(QWidget* parent);

    void setSession(const SessionPtr& session);

Q_SIGNALS:
    /// The user wants to read all of it.
    void reportWanted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ElidedLabel* text_ = nullptr;
    QToolButton* more_ = nullptr;
};

}  // namespace skein::gui
