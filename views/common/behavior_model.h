// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "core/select/scope.h"
#include "views/common/scene/data/session_behavior.h"
#include "views/common/view.h"

#include <functional>
#include <vector>

namespace skein {

/// What the behaviour views of a window show together, worked out once off the GUI thread, the latest request
/// winning, while at least one of them is visible. One a window, see of().
class BehaviorModel : public QObject {
    Q_OBJECT

public:
    /// The window's model, which lives as long as its selection.
    static BehaviorModel& of(const ViewContext& context);

    /// Views call it with what they are given; the same session twice is one.
    void setSession(const SessionPtr& session);
    /// What the user wants; span, filters and clocks are filled in from the window.
    void ask(const BehaviorRequest& request);
    const BehaviorRequest& request() const { return request_; }
    /// Which scope is obeyed: the whole run until somebody says otherwise.
    void setScope(std::function<Scope()> scope);
    /// The scope or the filters may have changed.
    void refresh();
    /// Works for this view while it is visible; call again when it is shown.
    void workFor(QWidget* view);
    /// Whether a view that it works for is visible.
    bool wanted() const;

    /// Null while there is none.
    const SessionBehaviorPtr& behavior() const { return behavior_; }
    /// Why there is none.
    const QString& message() const { return message_; }

Q_SIGNALS:
    /// A view has come that it works for.
    void looked();
    /// Another behaviour, or another reason why there is none.
    void changed();

private:
    explicit BehaviorModel(const ViewContext& context);
    void start();
    void tell(SessionBehaviorPtr behavior, const QString& message);

    ViewContext context_;
    SessionPtr session_;
    BehaviorRequest request_;
    std::function<Scope()> scope_;
    std::vector<QPointer<QWidget>> views_;
    std::optional<BehaviorRequest> started_;  ///< what is known, or under way
    SessionBehaviorPtr behavior_;
    QString message_;
    QTimer delay_;
};

}  // namespace skein
