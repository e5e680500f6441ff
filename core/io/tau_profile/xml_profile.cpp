// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/xml_profile.h"

#include "core/base/utf8.h"
#include "core/io/xml/xml_text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>

namespace skein::tau {
namespace {

using IdMap = std::unordered_map<std::uint64_t, std::uint32_t>;

/// What the ids of one thread, or of all ("*"), stand for.
struct Scope {
    IdMap metrics, timers, events;
};

/// Where the rows of one thread are, so that a later snapshot can replace them.
struct RowTable {
    IdMap timerRows, eventRows;                             ///< by the index of the timer or event
    std::unordered_map<std::uint64_t, std::size_t> values;  ///< by row and metric

    static std::uint64_t valueKey(std::uint32_t row, std::uint32_t metric)
    {
        return std::uint64_t{row} << 32 | metric;
    }

    explicit RowTable(const RawThread& raw)
    {
        for (std::uint32_t row = 0; row < raw.timerRows.size(); ++row)
            timerRows[raw.timerRows[row].timer] = row;
        for (std::uint32_t row = 0; row < raw.eventRows.size(); ++row)
            eventRows[raw.eventRows[row].event] = row;
        for (std::size_t value = 0; value < raw.values.size(); ++value)
            values[valueKey(raw.values[value].row, raw.values[value].metric)] = value;
    }
};

/// The tables of the threads. A merged file has many threads, each in one piece: the table of a thread that
/// was left is dropped, and kept only where the file comes back to it. So each is made at most twice, however
/// often threads take turns.
class RowTables {
public:
    RowTable& of(std::size_t thread, const RawThread& raw)
    {
        if (thread == current_) return *table_;
        if (current_ != kNone && !kept_.contains(current_)) left_.insert(current_);
        current_ = thread;
        if (const auto found = kept_.find(thread); found != kept_.end())
            return *(table_ = found->second.get());
        auto table = std::make_unique<RowTable>(raw);
        table_ = table.get();
        if (left_.contains(thread)) kept_.emplace(thread, std::move(table));
        else single_ = std::move(table);
        return *table_;
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t current_ = kNone;
    RowTable* table_ = nullptr;
    std::unique_ptr<RowTable> single_;
    std::unordered_map<std::size_t, std::unique_ptr<RowTable>> kept_;
    std::unordered_set<std::size_t> left_;
};

std::uint64_t numberIn(std::string_view text)
{
    text = trimmed(text);
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

class XmlProfileParser {
public:
    XmlProfileParser(std::string_view text, std::string_view file, const Task& task)
        : scanner_(text), file_(file), task_(task)
    {
    }

    std::optional<RawProfile> run()
    {
        std::size_t pieces = 0;
        while (const auto piece = scanner_.next()) {
            if (++pieces % 1024 == 0) stopped_ = stopped_ || task_.stopRequested();
            if (stopped_) return std::nullopt;
            offset_ = static_cast<std::int64_t>(piece->offset);
            if (piece->kind == xml::XmlPiece::Kind::Open) open(*piece);
            else if (piece->kind == xml::XmlPiece::Kind::Close) close(piece->name);
            else text(*piece);
        }
        if (scanner_.truncated() || depth_ > 0)
            profile_.report.add(IssueKind::Truncated, file_, "", "an element is not closed", offset_);
        sortValues();
        return std::move(profile_);
    }

private:
    void open(const xml::XmlPiece& piece)
    {
        if (piece.name == "name") name_.clear();
        else if (piece.name == "value") value_.clear();
        element_ = piece.empty ? std::string_view() : piece.name;
        if (piece.name == "profile_xml") ++depth_;
        else if (piece.name == "thread") openThread(piece.attributes);
        else if (piece.name == "definitions") openDefinitions(xml::attribute(piece.attributes, "thread"));
        else if (piece.name == "profile") thread_ = threadOf(xml::attribute(piece.attributes, "thread"));
        else if (piece.name == "interval_data") columns_ = xml::attribute(piece.attributes, "metrics");
        else if (piece.name == "metric" || piece.name == "event" || piece.name == "userevent")
            openEntry(piece.attributes);
    }

    void openThread(std::string_view attributes)
    {
        thread_ = threadOf(xml::attribute(attributes, "id"));
        RawThread& raw = profile_.threads[*thread_];
        const auto part = [&](std::string_view name) {
            return static_cast<std::uint32_t>(numberIn(xml::attribute(attributes, name)));
        };
        raw.key = {part("node"), part("context"), part("thread")};
    }

    void openDefinitions(std::string_view thread)
    {
        scope_ = thread == "*" ? &shared_ : &scopes_[std::string(thread)];
        if (thread != "*") thread_ = threadOf(thread);
    }

    void openEntry(std::string_view attributes)
    {
        id_ = numberIn(xml::attribute(attributes, "id"));
        name_.clear();
        extra_.clear();
    }

    void close(std::string_view name)
    {
        element_ = {};
        if (name == "profile_xml" && depth_ > 0) --depth_;
        else if (name == "attribute") closeAttribute();
        else if (name == "definitions") scope_ = nullptr;
        else if (name == "thread" || name == "profile") thread_.reset();
        else if (name == "metric" || name == "event" || name == "userevent") define(name);
    }

    void closeAttribute()
    {
        if (thread_ && !name_.empty())
            profile_.threads[*thread_].metadata.push_back({toValidUtf8(name_), toValidUtf8(value_)});
        name_.clear();
        value_.clear();
    }

    void define(std::string_view kind)
    {
        if (!scope_) return;
        if (name_.size() > kMaximumNameBytes)
            return profile_.report.add(IssueKind::CorruptRecord, file_, "",
                                       fmt::format("a name of {} bytes", name_.size()), offset_);
        if (kind == "metric") {
            if (const auto metric = metricOf(name_, extra_)) scope_->metrics[id_] = *metric;
        } else if (kind == "event") {
            scope_->timers[id_] = static_cast<std::uint32_t>(profile_.timers.size());
            profile_.timers.push_back({name_, extra_});
        } else {
            scope_->events[id_] = static_cast<std::uint32_t>(profile_.events.size());
            profile_.events.push_back(name_);
        }
    }

    std::optional<std::uint32_t> metricOf(std::string_view name, std::string_view unit)
    {
        const std::string clear(trimmed(name));
        for (std::size_t metric = 0; metric < profile_.metrics.size(); ++metric)
            if (profile_.metrics[metric].name == clear) return static_cast<std::uint32_t>(metric);
        if (profile_.metrics.size() == kMaximumMetrics) return std::nullopt;
        profile_.metrics.push_back({clear, std::string(trimmed(unit))});
        return static_cast<std::uint32_t>(profile_.metrics.size() - 1);
    }

    void text(const xml::XmlPiece& piece)
    {
        if (element_ == "name") name_ += xml::clearText(piece);
        else if (element_ == "value") value_ += xml::clearText(piece);
        else if (element_ == "group" || element_ == "units") extra_ += xml::clearText(piece);
        else if (element_ == "interval_data") readRows(piece.text, &XmlProfileParser::readInterval);
        else if (element_ == "atomic_data") readRows(piece.text, &XmlProfileParser::readAtomic);
    }

    void readRows(std::string_view rows, bool (XmlProfileParser::*read)(std::string_view))
    {
        if (!thread_) return;
        table_ = &tables_.of(*thread_, profile_.threads[*thread_]);
        std::size_t lines = 0;
        const std::int64_t start = offset_;
        const char* const begin = rows.data();
        while (!rows.empty() && !stopped_) {
            offset_ = start + (rows.data() - begin);
            const auto end = rows.find('\n');
            const std::string_view line = trimmed(rows.substr(0, end));
            rows.remove_prefix(end == std::string_view::npos ? rows.size() : end + 1);
            if (!line.empty() && !(this->*read)(line))
                profile_.report.add(IssueKind::CorruptRecord, file_, "", "a row that cannot be read",
                                    offset_);
            if (++lines % 256 == 0) stopped_ = task_.stopRequested();
        }
    }

    /// Finds what an id means to the current thread: its own definitions come before those of all.
    std::optional<std::uint32_t> resolve(IdMap Scope::*table, double id)
    {
        if (!(id >= 0.0 && id < 1e15)) return std::nullopt;
        for (const Scope* scope : {own_, static_cast<const Scope*>(&shared_)}) {
            if (!scope) continue;
            if (const auto found = (scope->*table).find(static_cast<std::uint64_t>(id));
                found != (scope->*table).end())
                return found->second;
        }
        return std::nullopt;
    }

    bool undefined(std::string_view what, double id)
    {
        profile_.report.add(IssueKind::CorruptRecord, file_, "",
                            fmt::format("a row of {} {}, which is not defined", what, id), offset_);
        return true;
    }

    double checked(double value) { return checkedValue(value, profile_.report, file_, offset_); }

    /// `<event> <calls> <subroutines>` and exclusive and inclusive for each of the metrics that interval_data
    /// names.
    bool readInterval(std::string_view line)
    {
        const auto id = takeNumber(line);
        const auto calls = takeNumber(line);
        const auto subroutines = takeNumber(line);
        if (!id || !calls || !subroutines) return false;
        const auto timer = resolve(&Scope::timers, *id);
        if (!timer) return undefined("timer", *id);
        RawThread& raw = profile_.threads[*thread_];
        const auto [known, fresh] =
            table_->timerRows.try_emplace(*timer, static_cast<std::uint32_t>(raw.timerRows.size()));
        if (fresh) raw.timerRows.emplace_back();
        raw.timerRows[known->second] = {*timer, checked(*calls), checked(*subroutines)};
        for (std::string_view columns = columns_; const auto column = takeNumber(columns);)
            if (!readValue(raw, known->second, *column, line)) return false;
        return true;
    }

    bool readValue(RawThread& raw, std::uint32_t row, double column, std::string_view& line)
    {
        const auto exclusive = takeNumber(line);
        const auto inclusive = takeNumber(line);
        if (!exclusive || !inclusive) return false;
        const auto metric = resolve(&Scope::metrics, column);
        if (!metric) return undefined("metric", column);
        const auto [known, fresh] =
            table_->values.try_emplace(RowTable::valueKey(row, *metric), raw.values.size());
        if (fresh) raw.values.emplace_back();
        raw.values[known->second] = {row, *metric, checked(*exclusive), checked(*inclusive)};
        return true;
    }

    /// `<userevent> <count> <maximum> <minimum> <mean> <sum of squares>`
    bool readAtomic(std::string_view line)
    {
        const auto id = takeNumber(line);
        if (!id) return false;
        double numbers[5];
        for (double& value : numbers) {
            const auto found = takeNumber(line);
            if (!found) return false;
            value = checked(*found);
        }
        const auto event = resolve(&Scope::events, *id);
        if (!event) return undefined("user event", *id);
        RawThread& raw = profile_.threads[*thread_];
        const auto [known, fresh] =
            table_->eventRows.try_emplace(*event, static_cast<std::uint32_t>(raw.eventRows.size()));
        if (fresh) raw.eventRows.emplace_back();
        raw.eventRows[known->second] = {*event, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
        return true;
    }

    /// The thread of that id ("node.context.thread.process"); its numbers come from the id until an element
    /// tells them.
    std::size_t threadOf(std::string_view id)
    {
        const auto [found, fresh] = threads_.try_emplace(std::string(id), profile_.threads.size());
        const auto scope = scopes_.find(found->first);
        own_ = scope == scopes_.end() ? nullptr : &scope->second;
        if (fresh) {
            RawThread& raw = profile_.threads.emplace_back();
            const auto lastDot = id.rfind('.');
            if (const auto key = threadKeyOfFileName("." + std::string(id.substr(0, lastDot))))
                raw.key = *key;
        }
        return found->second;
    }

    void sortValues()
    {
        for (RawThread& thread : profile_.threads)
            std::stable_sort(thread.values.begin(), thread.values.end(),
                             [](const RawValue& a, const RawValue& b) { return a.row < b.row; });
    }

    xml::XmlScanner scanner_;
    std::string_view file_;
    const Task& task_;
    RawProfile profile_;
    std::map<std::string, Scope> scopes_;
    std::map<std::string, std::size_t> threads_;  ///< indices into RawProfile::threads
    RowTables tables_;
    RowTable* table_ = nullptr;  ///< of the thread whose rows are read
    Scope shared_;
    const Scope* own_ = nullptr;  ///< of the thread that was named last
    Scope* scope_ = nullptr;
    std::optional<std::size_t> thread_;
    std::string_view element_, columns_;
    std::string name_, value_, extra_;  ///< of the entry that is open
    std::uint64_t id_ = 0;
    std::int64_t offset_ = 0;
    int depth_ = 0;
    bool stopped_ = false;
};

std::string_view firstElement(std::string_view head)
{
    const auto start = head.find_first_not_of(std::string_view(" \t\r\n\0", 5));
    return start == std::string_view::npos ? std::string_view() : head.substr(start);
}

}  // namespace

bool isXmlProfile(std::string_view head)
{
    std::string_view text = firstElement(head);
    if (text.starts_with("<?xml")) {
        const auto end = text.find("?>");
        if (end == std::string_view::npos) return false;
        text = firstElement(text.substr(end + 2));
    }
    return text.starts_with("<profile_xml>") || text.starts_with("<profile_xml ");
}

bool isMergedProfile(std::string_view head)
{
    return head.find("<definitions thread=\"*\"") != std::string_view::npos;
}

std::optional<RawProfile> parseXmlProfile(std::string_view text, std::string_view file, const Task& task)
{
    return XmlProfileParser(text, file, task).run();
}

}  // namespace skein::tau
