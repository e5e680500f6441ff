// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "core/select/kept_placement.h"
#include "views/common/view.h"
#include "views/remap/remap_search_scene.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skein {

/// The candidates of a run: the placements that the view state keeps for it, with what they do. Those that a
/// session file brings, or that come back with undo, are worked out again where it is not known any more. All
/// communication views can show them beside the placement as it is.
class CandidateList : public QObject {
    Q_OBJECT

public:
    CandidateList(const ViewContext& context, QObject* parent);

    /// The run whose placements are listed; null: nothing is open, and the list is empty until a session
    /// comes. What is known of a run's placements stays known as long as the run stays at its place.
    void setRun(const SessionPtr& session, std::uint32_t experiment);

    /// In the order in which they were kept.
    const std::vector<RemapCandidatePtr>& candidates() const { return listed_; }
    /// "Candidate 3": a name that none has.
    std::string freshName() const;
    /// Keeps one more; where its name is taken it gets another.
    void keep(RemapCandidatePtr candidate);
    /// False: the name is empty or taken.
    bool rename(std::size_t candidate, const std::string& name);

Q_SIGNALS:
    void changed();
    /// A placement of the view state does not fit: in a sentence. An empty one: all are tried again.
    void failed(const QString& sentence);

private:
    struct Known {
        KeptPlacement kept;
        RemapCandidatePtr candidate;
    };

    RemapCandidatePtr known(const KeptPlacement& kept) const;
    void know(KeptPlacement kept, RemapCandidatePtr candidate);
    bool isTaken(const std::string& name) const;
    std::vector<KeptPlacement> keptOfRun() const;
    void follow();
    void tellTrials(const std::vector<KeptPlacement>& kept);
    void workOut(const KeptPlacement& kept);

    ViewContext context_;
    SessionPtr session_;
    std::uint32_t experiment_ = 0;
    std::vector<Known> known_;  ///< also those that undo took away; the newest last
    std::vector<RemapCandidatePtr> listed_;
    std::vector<std::string> unfit_;         ///< names of those that cannot be worked out
    std::vector<KeptPlacement> told_;        ///< that other views know of
    std::weak_ptr<const CallTree> knownOf_;  ///< of the run that known_ is of …
    std::uint32_t knownAt_ = 0;              ///< … and its place in the session
};

}  // namespace skein
