// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skein::disk {
struct Fields;
}

namespace skein {

enum class Severity : std::uint8_t {
    Information,  ///< noticed, nothing is lost
    DataLoss,     ///< something that was recorded is not shown
    Error,        ///< a whole part could not be read
};

std::string_view name(Severity severity);

/// What can be odd about an archive. The table in import_report.cpp gives each its severity, meaning and
/// advice.
enum class IssueKind : std::uint8_t {
    AbsentFile,           ///< a file that the archive names is missing
    AbsentPart,           ///< a rank or thread is missing between others
    BadText,              ///< a text is not UTF-8
    ClockLength,          ///< events lie outside the clock's declared span
    ClockSkew,            ///< messages arrive before they were sent
    ContradictoryRecord,  ///< a record disagrees with another; one of them is used
    CopiedFile,           ///< the files of two ranks or threads are the same
    CorruptRecord,        ///< a record cannot be decoded
    DuplicateDefinition,  ///< an id is defined twice
    EnterWithoutLeave,    ///< a region was entered and never left
    EventCount,           ///< the declared number of events is wrong
    LeaveOutOfOrder,      ///< a region was left while another was on top of it
    LeaveWithoutEnter,    ///< a region was left that had not been entered
    LibraryMessage,       ///< what the reading library itself complained of
    NoClock,              ///< the archive says nothing about its clock
    RenamedCall,          ///< a region was left under another name than it was entered with
    RepeatedLeave,        ///< a region was left again after it had been left
    SeveralRuns,          ///< files of different runs lie together
    StaleTail,            ///< behind the end of a file follows the rest of an older, longer one
    TimeBackwards,        ///< a time stamp lies before its predecessor
    Truncated,            ///< a file ends before its contents do
    UndefinedReference,   ///< an event names something that is not defined
    UnendedLine,          ///< the last line of a text has no line end
    UnevenMessages,       ///< ranks received other messages than were sent to them
    UnknownType,          ///< a definition is of a type that is not known
    UnmatchedReceive,     ///< a receive without its send
    UnmatchedSend,        ///< a send without its receive
    UnrecordedEnter,      ///< a region was left that had been entered before the recording began
    Unreadable,           ///< a file exists and cannot be opened
    UnsupportedRecord,    ///< a record of a kind that the model has no place for
};

struct IssueDescription {
    std::string_view name;  ///< "leave without enter"
    Severity severity;
    std::string_view advice;  ///< what it means and what the user can do
};

const IssueDescription& describe(IssueKind kind);

/// One kind of finding in one place; repetitions are counted, the first is told in detail.
struct Issue {
    IssueKind kind{};
    std::uint64_t count = 1;
    std::string detail;        ///< of the first: "region 87 at 12.5 ms"
    std::string file;          ///< may be empty
    std::string location;      ///< may be empty
    std::int64_t offset = -1;  ///< byte, record or line number of the first in the file; -1 = unknown
};

/// What was odd about an archive and what was lost. Not thread-safe: each thread fills its own, merged in
/// order.
class ImportReport {
public:
    /// Counts a finding. Findings with the same kind, file and location become one issue.
    void add(IssueKind kind, std::string_view file, std::string_view location, std::string detail,
             std::int64_t offset = -1, std::uint64_t count = 1);
    void merge(const ImportReport& other);

    /// Gives the files of all issues other names.
    void renameFiles(const std::function<std::string(const std::string&)>& renamed)
    {
        for (Issue& issue : issues_) issue.file = renamed(issue.file);
        byPlace_.clear();
    }

    /// The issues for people: one that is the same on many locations or in many files is told once, with the
    /// first of them. In the order in which each was met first.
    std::vector<Issue> summary() const;

    const std::vector<Issue>& issues() const { return issues_; }
    bool empty() const { return issues_.empty(); }
    std::uint64_t count(IssueKind kind) const;
    /// The gravest of all findings; Information where there is none.
    Severity worst() const;
    bool lostData() const { return worst() != Severity::Information; }

private:
    friend struct disk::Fields;
    void add(Issue issue);
    void rememberPlaces();
    std::vector<Issue> issues_;
    std::unordered_multimap<std::size_t, std::size_t>
        byPlace_;  ///< hash of kind, file and location → index of the issue
};

}  // namespace skein
