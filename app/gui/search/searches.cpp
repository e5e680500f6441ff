// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/search/searches.h"

#include "core/select/filters.h"
#include "core/select/translate.h"
#include "views/common/selection_model.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace skein::gui {
namespace {

constexpr std::size_t kMostNames = 200;

/// Everything of one name. What is selected with it is found out when it is chosen.
struct Candidate {
    QString note;
    std::vector<LocationRef> locations;
    std::vector<RegionRef> regions;
};

using Candidates = std::map<std::string, Candidate>;

/// Better are names that begin with the query, then shorter ones.
bool better(const std::string& query, const std::string& left, const std::string& right)
{
    const bool leftBegins = matchesPattern(left.substr(0, query.size()), query);
    const bool rightBegins = matchesPattern(right.substr(0, query.size()), query);
    if (leftBegins != rightBegins) return leftBegins;
    if (left.size() != right.size()) return left.size() < right.size();
    return left < right;
}

void collect(const Session& session, std::uint32_t index, const std::vector<Filter>& filters,
             const std::string& query, Candidates& found)
{
    const Experiment& experiment = *session.experiments[index];
    for (std::uint32_t id = 0; id < experiment.definitions.locations.size(); ++id) {
        const LocationRef location{index, LocationId(id)};
        std::string name = displayName(experiment.definitions, location.id);
        if (session.experiments.size() > 1) name = experiment.name + ": " + name;
        if (!matchesPattern(name, query) || !passes(filters, location)) continue;
        Candidate& candidate = found[name];
        candidate.note = QObject::tr("location");
        candidate.locations.push_back(location);
    }
    for (std::uint32_t id = 0; id < experiment.definitions.regions.size(); ++id) {
        const RegionRef region{index, RegionId(id)};
        const std::string name = displayName(experiment.definitions.regions[id]);
        if (!matchesPattern(name, query) || !passes(filters, region)) continue;
        Candidate& candidate = found[name];
        candidate.note = QObject::tr("region");
        candidate.regions.push_back(region);
    }
}

Selection selectionOf(const Session& session, const Candidate& candidate)
{
    return united(select(session, candidate.locations), select(session, candidate.regions));
}

}  // namespace

Findings findActions(const ActionRegistry& registry, const QString& query)
{
    std::vector<std::pair<int, const ActionRegistry::Entry*>> scored;
    for (const auto& entry : registry.entries()) {
        const int score = matchScore(query, entry.category + ": " + plainText(*entry.action));
        if (score >= 0 && entry.action->isEnabled()) scored.emplace_back(-score, &entry);
    }
    std::stable_sort(scored.begin(), scored.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Findings findings;
    findings.total = scored.size();
    for (const auto& [score, entry] : scored)
        findings.best.push_back({entry->category + ": " + plainText(*entry->action),
                                 entry->action->shortcut().toString(QKeySequence::NativeText),
                                 [action = entry->action] { action->trigger(); }});
    return findings;
}

Findings findInSession(const SessionPtr& session, SelectionModel& selection, const QString& query)
{
    const std::string wanted = query.trimmed().toStdString();
    if (!session || wanted.empty()) return {};
    Candidates found;
    for (std::uint32_t index = 0; index < session->experiments.size(); ++index)
        collect(*session, index, selection.state().filters, wanted, found);
    std::vector<std::string> names;
    for (const auto& [name, candidate] : found) names.push_back(name);
    const std::size_t listed = std::min(names.size(), kMostNames);
    std::partial_sort(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(listed), names.end(),
                      [&](const std::string& a, const std::string& b) { return better(wanted, a, b); });
    Findings findings;
    findings.total = names.size();
    names.resize(listed);
    for (const std::string& name : names) {
        const Candidate& candidate = found[name];
        findings.best.push_back(
            {QString::fromStdString(name), candidate.note, [session, &selection, candidate] {
                 selection.setSelected(selectionOf(*session, candidate), nullptr);
             }});
    }
    return findings;
}

}  // namespace skein::gui
