// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/attribute_condition.h"
#include "core/io/stream/stream_record.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skein {

/// All values of a metric at one time.
struct StreamRow {
    std::uint32_t metric = 0;
    double time = 0;
    std::vector<double> values;  ///< of the entities that were known by then; NaN: none
};

/// Who sent how much to whom up to a time, since the time before.
struct StreamTraffic {
    double time = 0;
    std::vector<StreamMessages> messages;
};

/// What was odd about a stream, counted.
struct StreamNotes {
    std::uint64_t backwardTimes = 0;      ///< values left out: rows of later times are done already
    std::uint64_t tooManyEntities = 0;    ///< values left out: there is no room for more entities
    std::uint64_t tooManyMetrics = 0;     ///< values left out
    std::uint64_t surplusValues = 0;      ///< values left out: they are more than the entities
    std::uint64_t noRoom = 0;             ///< values left out: rows take all the memory that they may
    std::uint64_t badLines = 0;           ///< lines left out
    std::uint64_t tooManyAttributes = 0;  ///< values left out
    std::uint64_t tooManyGroups = 0;      ///< left out: there is no room for more words
    std::uint64_t toldAgain = 0;          ///< values in whose place others of their entity and time came

    std::vector<std::string> sentences() const;
};

struct StreamRowLimits {
    std::size_t entities = 1'000'000;
    std::size_t metrics = 1'000;
    std::size_t attributes = 64;
    std::size_t openRows = 8;                        ///< that wait for the rest of their values
    std::size_t bytes = std::size_t{256} << 20;      ///< of open rows, and of those not yet taken
    std::size_t wordBytes = std::size_t{512} << 20;  ///< of names, groups and attributes
};

/// Puts rows together from records that hold whole rows or parts of them, from one sender or several. A row
/// is done when every entity has its value and a later time has come, or at once where all values came
/// together; where some entity is silent, when openRows later ones have begun, or there is no room for
/// another one. Values for a time that is done are left out. Not thread-safe.
class StreamRows {
public:
    explicit StreamRows(const StreamRowLimits& limits = {}) : limits_(limits) {}

    /// Takes what a record says. Each sender may name entities of its own; values without names of one that
    /// never did are of those that were named last. O(values · log openRows).
    void add(StreamRecord record, std::uint32_t sender = 1);
    /// Takes a line as a record; counts one that is none. Gives what is wrong with it.
    std::string addLine(std::string_view line, std::uint32_t sender = 1);
    /// A line that could not be read elsewhere.
    void countBadLine() { ++notes_.badLines; }
    /// A sender has gone.
    void forget(std::uint32_t sender) { listed_.erase(sender); }
    /// No more will come for now: all rows are done.
    void finish();

    /// Rows that are done, of each metric by time; they are handed over.
    std::vector<StreamRow> takeRows();
    std::vector<StreamTraffic> takeTraffic();

    const std::vector<std::string>& entities() const { return entities_; }
    /// The group of each entity; empty where none were told.
    const std::vector<std::string>& groups() const { return groups_; }
    /// What the levels of groups are called, from the root; empty where nobody said.
    const std::vector<std::string>& levels() const { return levels_; }
    /// Whatever its case: what was told of an entity, else its part of a level called so, else its name where
    /// "name" is asked for.
    std::optional<std::string_view> attributeOf(std::size_t entity, std::string_view name) const;
    /// Where an entity stands in entities().
    std::optional<std::size_t> placeOf(const std::string& entity) const;
    const std::vector<std::string>& metrics() const { return metrics_; }
    const StreamNotes& notes() const { return notes_; }
    bool ended() const { return ended_; }

private:
    struct OpenRow {
        std::vector<double> values;  ///< of the entities that were known when it got the last one
        std::vector<bool> told;      ///< a value, or that there is none
        std::size_t known = 0;
        bool whole = false;  ///< came in one piece
    };
    struct OfMetric {
        std::map<double, OpenRow> open;
        double done = 0;  ///< time of the last row that is done
        bool any = false;
        double counted = 0;  ///< the next time where none are told
    };

    std::vector<std::size_t>& listOf(std::uint32_t sender);
    std::size_t entityOf(const std::string& name);
    std::size_t metricOf(const std::string& name);
    void addAttribute(StreamAttribute& attribute, std::uint32_t sender);
    void addGroups(std::vector<std::string>& groups, std::uint32_t sender);
    /// Puts a word where another one stands; where there is no room for it none stands there.
    bool replaceWord(std::string& word, const std::string& by);
    bool growWords(std::vector<std::string>& words, std::size_t count);
    bool takeWordRoom(std::size_t bytes);
    void addSample(const StreamValues& sample, const std::optional<double>& time, std::uint32_t sender);
    std::vector<std::size_t> placesOf(const StreamValues& sample, std::uint32_t sender);
    void fill(OpenRow& row, const StreamValues& sample, const std::vector<std::size_t>& places);
    bool isWhole(const StreamValues& sample, const std::vector<std::size_t>& places,
                 std::uint32_t sender) const;
    bool makeRoom(std::size_t metric, double time);
    void settle(std::size_t metric);
    void close(std::size_t metric);

    StreamRowLimits limits_;
    std::vector<std::string> entities_, groups_, levels_, metrics_;
    /// By name the values of entities, as far as any were told.
    std::vector<std::pair<std::string, std::vector<std::string>>> attributes_;
    /// The entities that values without names are of, by sender.
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> listed_;
    std::vector<std::size_t> lastList_;
    std::unordered_map<std::string, std::size_t> entityPlaces_, metricPlaces_;
    std::vector<OfMetric> rows_;
    std::size_t openBytes_ = 0, readyBytes_ = 0, wordBytes_ = 0;
    bool namesValues_ = false;  ///< some sender has said values by name
    std::vector<StreamRow> ready_;
    std::vector<StreamTraffic> traffic_;
    double lastTrafficTime_ = 0;  ///< of messages that say no time; that of what was handed over stays known
    StreamNotes notes_;
    bool ended_ = false;
};

/// What the columns of a table of text are, by their names.
struct StreamColumns {
    std::string time = {};  ///< empty: the first one where it is called so, else time points are counted
    std::vector<std::string> entity = {};   ///< of a long table: these together name entities; empty: wide
    std::vector<std::string> metrics = {};  ///< empty: all others

    bool operator==(const StreamColumns&) const = default;
};

/// The records of a table of text whose lines come one after the other: wide, or long with columns that name
/// entities, as parseSeries() reads them. Not thread-safe.
class StreamTable {
public:
    /// `where`: of a long table only lines whose fields in these columns are so; what they are is also told
    /// as attributes of the entities. "name" is none of its columns.
    explicit StreamTable(StreamColumns columns, AttributeConditions where = {});

    /// Of a long table where no metrics are named those are the columns that have had a number. Errors:
    /// InvalidArgument (the head lacks a column), Malformed (a line of another length).
    Result<StreamRecord> add(std::string_view line);
    /// Reads the lines that come from now on otherwise. Errors: InvalidArgument (the head lacks a column);
    /// then so are those of all lines.
    Result<void> choose(StreamColumns columns, AttributeConditions where);
    /// The file begins again.
    void restart() { names_.clear(); }
    /// Of all columns, those without a name by number; empty before the head.
    const std::vector<std::string>& names() const { return names_; }

private:
    Result<void> readHead(const std::vector<std::string_view>& fields);
    Result<void> findColumns();
    Result<std::size_t> columnOf(const std::string& name) const;
    std::vector<std::size_t> otherColumns() const;
    bool isWanted(const std::vector<std::string_view>& fields) const;
    StreamRecord recordAt(const std::vector<std::string_view>& fields) const;
    StreamRecord wideRecord(const std::vector<std::string_view>& fields) const;
    StreamRecord longRecord(const std::vector<std::string_view>& fields);

    StreamColumns columns_;
    AttributeConditions where_;
    std::vector<std::string> names_;
    bool headed_ = false;         ///< the first line named the columns
    std::size_t timeColumn_ = 0;  ///< beyond the last one: none
    std::vector<std::size_t> entityColumns_, metricColumns_;
    std::vector<std::size_t>
        conditionColumns_;        ///< of a long table: of each condition, or beyond the last one
    std::vector<bool> isMetric_;  ///< of each of metricColumns_: it was named, or has had a number
};

}  // namespace skein
