// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/table/table_tree.h"

#include "views/common/scene/data/link_users.h"
#include "views/common/view.h"

namespace skein {

class CellGroupsModel;

/// Who loads the selected links: their routes, the pairs of ranks, and the call paths that sent the messages,
/// each with its share. Hidden where no link is selected.
class LinkUsersTree : public TableTree {
    Q_OBJECT

public:
    LinkUsersTree(const ViewContext& context, const QString& name, QWidget* parent);

    /// Works the users of these links out and shows them; all views then see the pairs of ranks, messages and
    /// call paths as selected.
    void choose(const SessionPtr& session, const SessionCommunicationPtr& communication,
                const std::vector<LinkRef>& links, const QObject* origin);
    /// Shows the users of links that others have selected.
    void show(const SessionPtr& session, const SessionCommunicationPtr& communication,
              const std::vector<LinkRef>& links);

Q_SIGNALS:
    /// What was chosen is selected now.
    void chosen();

private:
    void work(const SessionPtr& session, const SessionCommunicationPtr& communication,
              const std::vector<LinkRef>& links, std::function<void(const LinkUsers&)> then);
    void fill(const SessionCommunication& communication, const std::vector<LinkRef>& links,
              const LinkUsers& users);

    ViewContext context_;
    QString job_;
    std::vector<LinkRef> links_;
    SessionCommunicationPtr communication_;
    CellGroupsModel* groups_ = nullptr;
};

}  // namespace skein
