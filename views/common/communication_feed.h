// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>
#include <QString>

#include "views/common/scene/data/session_communication.h"
#include "views/common/view.h"

namespace skein {

class ScopeHead;

/// Keeps a view supplied with the communication of the scope that its head tells, and of the window's filters
/// and machine. Works while its view can be seen.
class CommunicationFeed : public QObject {
    Q_OBJECT

public:
    /// The parts of a state that communication comes from.
    static constexpr ViewParts kParts =
        kScopeParts | ViewParts::kFilters | ViewParts::kClocks | ViewParts::kMachine;

    CommunicationFeed(const ViewContext& context, View* view);

    void setSession(SessionPtr session);
    /// The state has changed, or the view is seen again.
    void update();

    /// Says what is summed up, and pins the view to another scope; to be placed in the view.
    ScopeHead& head() const { return *head_; }
    const SessionPtr& session() const { return session_; }
    /// Null where there is none, or none yet; then message() says why.
    const SessionCommunicationPtr& communication() const { return communication_; }
    const QString& message() const { return message_; }

Q_SIGNALS:
    void changed();

private:
    void clear(const QString& message);
    void take(Result<SessionCommunicationPtr> communication);

    ViewContext context_;
    View* view_;
    ScopeHead* head_;
    SessionPtr session_;
    std::optional<CommunicationRequest> asked_;
    SessionCommunicationPtr communication_;
    QString message_;
};

}  // namespace skein
