// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/import_report.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>

namespace skein {
namespace {

constexpr IssueDescription kIssues[] = {
    {"absent file", Severity::DataLoss,
     "The archive names this file and it is not there; copy the whole archive."},
    {"gap in ranks or threads", Severity::DataLoss,
     "Ranks or threads are missing between others: what they recorded is not shown. Copy the whole archive."},
    {"text is not UTF-8", Severity::Information,
     "Bytes that are not UTF-8 are shown as replacement characters."},
    {"outside the declared clock span", Severity::Information,
     "Events lie outside the span that the clock properties declare; the events are right."},
    {"clock skew", Severity::Information,
     "Messages arrive before they were sent: the clocks of the ranks differ. Correct the clocks to compare "
     "ranks."},
    {"contradictory record", Severity::Information,
     "A record disagrees with another one; the one that is known to be right is used."},
    {"copied file", Severity::DataLoss,
     "A file holds the same as that of another rank or thread: one was copied over the other, whose own "
     "numbers "
     "are gone."},
    {"corrupt record", Severity::DataLoss,
     "A record cannot be decoded and is left out; of binary files what follows it may be missing, too."},
    {"duplicate definition", Severity::Information,
     "An id is defined more than once; the first definition is used."},
    {"enter without leave", Severity::Information,
     "A region was entered and never left; it is shown until the last event of its location."},
    {"wrong event count", Severity::Information,
     "The declared number of events is wrong; all events were read."},
    {"leave out of order", Severity::Information,
     "A region was left while others were open above it; those are shown as ending with it, or, where they "
     "are left "
     "right after it, it is shown as ending with them."},
    {"leave without enter", Severity::DataLoss,
     "A region was left that was not open: when it began is unknown, and the event is dropped."},
    {"message of the reading library", Severity::Information,
     "What the library that reads the format complained of."},
    {"no clock properties", Severity::Information,
     "The archive does not tell its clock's resolution; one tick is taken as one nanosecond."},
    {"renamed call", Severity::Information,
     "A call was left under another name than it was entered with; it keeps the name of its enter."},
    {"repeated leave", Severity::Information,
     "A region was left once more after it had been left; the second leave tells nothing and is dropped."},
    {"files of several runs", Severity::Information,
     "Files of runs that do not overlap lie together, as old files are not removed by a new run. Sums mix "
     "them: "
     "open the files of one run from a folder of their own."},
    {"stale tail", Severity::Information,
     "A shorter file was written over an older, longer one, whose rest follows behind the end. The rest is "
     "not "
     "read."},
    {"time runs backwards", Severity::DataLoss,
     "A time stamp lies before its predecessor; it is moved to its predecessor's time."},
    {"truncated", Severity::DataLoss, "A file ends before its contents do; what is there is shown."},
    {"undefined reference", Severity::Information,
     "Something names what is not defined; it is shown under a made-up name or as unknown, with all its "
     "times."},
    {"line without end", Severity::Information,
     "The last line of the text has no line end: if the file was cut there, its last number lacks digits."},
    {"sent is not received", Severity::Information,
     "Ranks received other messages than others sent to them: a file may be of another run, or of another "
     "rank."},
    {"unknown type", Severity::Information,
     "Definitions are of a type that is not known; their records are shown as what their values look like."},
    {"unmatched receive", Severity::Information,
     "A receive has no matching send, or was never completed; it is counted and no line is drawn."},
    {"unmatched send", Severity::Information,
     "A send has no matching receive; it counts as traffic, its line is cut."},
    {"unrecorded enter", Severity::Information,
     "The outermost region was entered before the recording began; when is unknown, and it is not shown."},
    {"unreadable file", Severity::DataLoss, "The file exists and cannot be opened; check its permissions."},
    {"unsupported record", Severity::Information,
     "What is named here is not shown; nothing else is missing for it."},
};
static_assert(std::size(kIssues) == static_cast<std::size_t>(IssueKind::UnsupportedRecord) + 1);

/// So many kinds of unsupported records are told apart in one place; what damaged data makes up beyond counts
/// as the first.
constexpr std::size_t kMostUnsupported = 64;

std::size_t hashOfPlace(const Issue& issue)
{
    const std::hash<std::string_view> hash;
    constexpr std::size_t factor = 0x9E3779B97F4A7C15ull;
    return (hash(issue.file) * factor + hash(issue.location)) * factor + static_cast<std::size_t>(issue.kind);
}

/// So many findings of a kind are told one by one.
constexpr std::size_t kMostAlike = 8;
/// So many places of a joined one are named.
constexpr std::size_t kMostPlaces = 3;

/// Records that are not shown differ by what they are, all else by its kind.
std::pair<IssueKind, std::string> alikeKey(const Issue& issue)
{
    return {issue.kind, issue.kind == IssueKind::UnsupportedRecord ? issue.detail : std::string()};
}

/// "a, b, c and 997 more"
std::string placesOf(const std::vector<const Issue*>& issues, std::string Issue::*place)
{
    std::vector<std::string_view> names;
    std::set<std::string_view> known;
    for (const Issue* const issue : issues)
        if (!(issue->*place).empty() && known.insert(issue->*place).second) names.push_back(issue->*place);
    std::string text;
    for (std::size_t name = 0; name < std::min(names.size(), kMostPlaces); ++name)
        text += (name == 0 ? "" : ", ") + std::string(names[name]);
    if (names.size() > kMostPlaces) text += " and " + std::to_string(names.size() - kMostPlaces) + " more";
    return text;
}

Issue joinedIssue(const std::vector<const Issue*>& issues)
{
    Issue joint = *issues.front();
    joint.count = 0;
    for (const Issue* const issue : issues) joint.count += issue->count;
    joint.file = placesOf(issues, &Issue::file);
    joint.location = placesOf(issues, &Issue::location);
    if (joint.file != issues.front()->file) joint.offset = -1;
    return joint;
}

}  // namespace

std::string_view name(Severity severity)
{
    switch (severity) {
    case Severity::Information: return "information";
    case Severity::DataLoss: return "data loss";
    case Severity::Error: return "error";
    }
    return "invalid";
}

const IssueDescription& describe(IssueKind kind) { return kIssues[static_cast<std::size_t>(kind)]; }

void ImportReport::add(IssueKind kind, std::string_view file, std::string_view location, std::string detail,
                       std::int64_t offset, std::uint64_t count)
{
    add(Issue{kind, count, std::move(detail), std::string(file), std::string(location), offset});
}

/// A report that was read back from an index has its issues alone.
void ImportReport::rememberPlaces()
{
    byPlace_.clear();
    for (std::size_t index = 0; index < issues_.size(); ++index)
        byPlace_.emplace(hashOfPlace(issues_[index]), index);
}

void ImportReport::add(Issue issue)
{
    if (byPlace_.size() != issues_.size()) rememberPlaces();
    const std::size_t hash = hashOfPlace(issue);
    const auto [first, last] = byPlace_.equal_range(hash);
    std::size_t alike = 0;
    for (auto candidate = first; candidate != last; ++candidate) {
        Issue& known = issues_[candidate->second];
        if (known.kind != issue.kind || known.file != issue.file || known.location != issue.location)
            continue;
        const bool differs = issue.kind == IssueKind::UnsupportedRecord && known.detail != issue.detail;
        if (differs && ++alike < kMostUnsupported) continue;
        known.count += issue.count;
        return;
    }
    byPlace_.emplace(hash, issues_.size());
    issues_.push_back(std::move(issue));
}

void ImportReport::merge(const ImportReport& other)
{
    for (const Issue& issue : other.issues_) add(issue);
}

std::vector<Issue> ImportReport::summary() const
{
    std::map<std::pair<IssueKind, std::string>, std::vector<const Issue*>> alike;
    for (const Issue& issue : issues_) alike[alikeKey(issue)].push_back(&issue);
    std::vector<Issue> told;
    for (const Issue& issue : issues_) {
        const auto& group = alike.at(alikeKey(issue));
        if (group.size() <= kMostAlike) told.push_back(issue);
        else if (group.front() == &issue) told.push_back(joinedIssue(group));
    }
    return told;
}

std::uint64_t ImportReport::count(IssueKind kind) const
{
    std::uint64_t sum = 0;
    for (const Issue& issue : issues_)
        if (issue.kind == kind) sum += issue.count;
    return sum;
}

Severity ImportReport::worst() const
{
    Severity worst = Severity::Information;
    for (const Issue& issue : issues_) worst = std::max(worst, describe(issue.kind).severity);
    return worst;
}

}  // namespace skein
