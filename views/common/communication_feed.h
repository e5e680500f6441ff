// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>
#include <QString>

#include "views/common/scene/data/session_communication.h"
#include "views/common/view.h"

namespace skein {

/// Keeps a view supplied with the communication that the window's state asks for: the brushed span, the
/// filters and the machine. Works while its view can be seen.
class CommunicationFeed : public QObject {
    Q_OBJECT

public:
    /// The parts of a state that communication comes from.
    static constexpr ViewParts kParts =
        ViewParts::kBrushed | ViewParts::kFilters | ViewParts::kClocks | ViewParts::kMachine;

    CommunicationFeed(const ViewContext& context, View* view);

    void setSession(SessionPtr session);
    /// The state has changed, or the view is seen again.
    void update();

    const SessionPtr& session() const { return session_; }
    /// Null where there is none, or none yet; then message() says why.
    const SessionCommunicationPtr& communication() const { return communication_; }
    const QString& message() const { return message_; }

Q_SIGNALS:
    void changed();

private:
    void clear(const QString& message);

    ViewContext context_;
    View* view_;
    SessionPtr session_;
    std::optional<CommunicationRequest> asked_;
    SessionCommunicationPtr communication_;
    QString message_;
};

}  // namespace skein
