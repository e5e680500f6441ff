// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/communication_feed.h"

#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

namespace skein {

CommunicationFeed::CommunicationFeed(const ViewContext& context, View* view)
    : QObject(view), context_(context), view_(view), head_(new ScopeHead(context.selection, view))
{
    connect(head_, &ScopeHead::pinned, this, &CommunicationFeed::update);
    clear(tr("Open a trace, a profile with communication, or a table of who sent how much to whom."));
}

void CommunicationFeed::clear(const QString& message)
{
    asked_.reset();
    communication_ = nullptr;
    message_ = message;
}

void CommunicationFeed::setSession(SessionPtr session)
{
    context_.tasks.drop(view_->objectName() + " communication");
    session_ = std::move(session);
    head_->setSession(session_);
    head_->setDetail({});
    clear(session_
              ? tr("Adding up the messages…")
              : tr("Open a trace, a profile with communication, or a table of who sent how much to whom."));
    Q_EMIT changed();
    update();
}

void CommunicationFeed::update()
{
    if (!session_ || !view_->isVisible()) return;
    const auto experiment = communicatingExperiment(*session_);
    if (!experiment) {
        clear(
            tr("Nothing of what is open tells who sent how much to whom. Traces with messages, TAU profiles "
               "with message sizes, hop-byte files and matrices do."));
        Q_EMIT changed();
        return;
    }
    const CommunicationRequest request =
        communicationRequest(context_.selection.state(), head_->scope(), *experiment);
    if (asked_ == request) return;
    asked_ = request;
    context_.tasks.run<SessionCommunicationPtr>(
        {view_->objectName() + " communication", tr("Adding up the messages")}, this,
        [results = context_.results, session = session_, request](const Task& task) {
            return communicationOf(*results, session, request, task);
        },
        [this](Result<SessionCommunicationPtr> communication) { take(std::move(communication)); });
}

void CommunicationFeed::take(Result<SessionCommunicationPtr> communication)
{
    if (communication) communication_ = *communication;
    else clear(toQString(communication.error().text()));
    // Sums without times are those of all of the run, whatever the scope says.
    head_->setDetail(communication_ ? toQString(communication_->note) : QString());
    Q_EMIT changed();
}

}  // namespace skein
