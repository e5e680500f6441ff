// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/stream/stream_rows.h"

#include "core/base/text_pattern.h"
#include "core/series/series_csv.h"
#include "core/series/text_fields.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace skein {
namespace {

constexpr double kMissingValue = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

void noteSentence(std::vector<std::string>& sentences, std::uint64_t count, std::string_view what)
{
    if (count > 0) sentences.push_back(fmt::format("{}: {}.", what, count));
}

/// The part of a path between its slashes; none where it is not so deep.
std::optional<std::string_view> partOfPath(std::string_view path, std::size_t number)
{
    for (; number > 0; --number) {
        const std::size_t slash = path.find('/');
        if (slash == std::string_view::npos) return std::nullopt;
        path.remove_prefix(slash + 1);
    }
    return path.substr(0, path.find('/'));
}

/// A name stands in the list and beside its place.
constexpr std::size_t kNameCopies = 2;

std::size_t wordBytesOf(const std::string& word) { return sizeof(std::string) + word.size(); }

}  // namespace

std::vector<std::string> StreamNotes::sentences() const
{
    std::vector<std::string> sentences;
    noteSentence(sentences, badLines, "Lines left out because they could not be read");
    noteSentence(sentences, backwardTimes,
                 "Values left out because their times do not go on from those before");
    noteSentence(sentences, surplusValues, "Values left out because they belong to no entity that was named");
    noteSentence(sentences, noRoom, "Values left out because rows take all the memory that they may");
    noteSentence(sentences, tooManyEntities,
                 "Values left out because there are too many entities, or no room for their names");
    noteSentence(sentences, tooManyMetrics,
                 "Values left out because there are too many metrics, or no room for their names");
    noteSentence(sentences, tooManyAttributes,
                 "Attributes left out because there are too many, or no room for them");
    noteSentence(sentences, tooManyGroups, "Groups left out because there is no room for their names");
    noteSentence(sentences, toldAgain,
                 "Values left out because others of the same entity and time came after them");
    return sentences;
}

std::size_t StreamRows::entityOf(const std::string& name)
{
    const auto known = entityPlaces_.find(name);
    if (known != entityPlaces_.end()) return known->second;
    // With the place of its group, so that groups are as many as entities.
    if (entities_.size() >= limits_.entities
        || !takeWordRoom(kNameCopies * wordBytesOf(name) + sizeof(std::string)))
        return kNoPlace;
    entityPlaces_.emplace(name, entities_.size());
    entities_.push_back(name);
    if (!groups_.empty()) groups_.emplace_back();
    return entities_.size() - 1;
}

std::size_t StreamRows::metricOf(const std::string& name)
{
    const auto known = metricPlaces_.find(name);
    if (known != metricPlaces_.end()) return known->second;
    if (metrics_.size() >= limits_.metrics || !takeWordRoom(kNameCopies * wordBytesOf(name))) return kNoPlace;
    metricPlaces_.emplace(name, metrics_.size());
    metrics_.push_back(name);
    rows_.emplace_back();
    return metrics_.size() - 1;
}

std::vector<std::size_t>& StreamRows::listOf(std::uint32_t sender)
{
    return listed_.try_emplace(sender, lastList_).first->second;
}

void StreamRows::add(StreamRecord record, std::uint32_t sender)
{
    if (!record.entities.empty()) {
        std::vector<std::size_t>& list = listOf(sender);
        list.clear();
        for (const std::string& name : record.entities) list.push_back(entityOf(name));
        lastList_ = list;
    }
    if (!record.groups.empty()) addGroups(record.groups, sender);
    if (!record.levels.empty()) levels_ = std::move(record.levels);
    for (StreamAttribute& attribute : record.attributes) addAttribute(attribute, sender);
    for (const StreamValues& sample : record.samples) addSample(sample, record.time, sender);
    if (!record.messages.empty()) {
        lastTrafficTime_ = record.time.value_or(lastTrafficTime_);
        traffic_.push_back({lastTrafficTime_, std::move(record.messages)});
    }
    if (record.end) {
        ended_ = true;
        finish();
    }
}

void StreamRows::addAttribute(StreamAttribute& attribute, std::uint32_t sender)
{
    auto known = std::find_if(attributes_.begin(), attributes_.end(),
                              [&](const auto& each) { return sameInAnyCase(each.first, attribute.name); });
    if (known == attributes_.end()) {
        if (attributes_.size() >= limits_.attributes || !takeWordRoom(attribute.name.size())) {
            notes_.tooManyAttributes += attribute.values.size();
            return;
        }
        known = attributes_.insert(known, {attribute.name, {}});
    }
    const bool named = !attribute.entities.empty();
    const std::size_t count =
        named ? attribute.entities.size() : std::min(listOf(sender).size(), attribute.values.size());
    for (std::size_t i = 0; i < std::min(count, attribute.values.size()); ++i) {
        const std::size_t place = named ? entityOf(attribute.entities[i]) : listOf(sender)[i];
        if (place == kNoPlace) continue;
        if (!growWords(known->second, place + 1) || !replaceWord(known->second[place], attribute.values[i]))
            ++notes_.tooManyAttributes;
    }
}

void StreamRows::addGroups(std::vector<std::string>& groups, std::uint32_t sender)
{
    const std::vector<std::size_t>& list = listOf(sender);
    groups_.resize(entities_.size());
    for (std::size_t i = 0; i < std::min(list.size(), groups.size()); ++i)
        if (list[i] != kNoPlace && !replaceWord(groups_[list[i]], groups[i])) ++notes_.tooManyGroups;
}

bool StreamRows::replaceWord(std::string& word, const std::string& by)
{
    wordBytes_ -= word.size();
    const bool room = takeWordRoom(by.size());
    word = room ? std::string(by) : std::string();  // no more capacity than it needs
    return room;
}

bool StreamRows::growWords(std::vector<std::string>& words, std::size_t count)
{
    if (count <= words.size()) return true;
    if (!takeWordRoom((count - words.size()) * sizeof(std::string))) return false;
    words.resize(count);
    return true;
}

bool StreamRows::takeWordRoom(std::size_t bytes)
{
    if (bytes > limits_.wordBytes - wordBytes_) return false;
    wordBytes_ += bytes;
    return true;
}

std::optional<std::string_view> StreamRows::attributeOf(std::size_t entity, std::string_view name) const
{
    for (const auto& [told, values] : attributes_)
        if (sameInAnyCase(told, name) && entity < values.size() && !values[entity].empty())
            return values[entity];
    const std::string_view path =
        entity < groups_.size() && !groups_[entity].empty() ? groups_[entity] : entities_[entity];
    for (std::size_t level = 0; level < levels_.size(); ++level)
        if (sameInAnyCase(levels_[level], name)) return partOfPath(path, level);
    if (sameInAnyCase(name, "name")) return entities_[entity];
    return std::nullopt;
}

std::optional<std::size_t> StreamRows::placeOf(const std::string& entity) const
{
    const auto known = entityPlaces_.find(entity);
    return known == entityPlaces_.end() ? std::nullopt : std::optional(known->second);
}

std::string StreamRows::addLine(std::string_view line, std::uint32_t sender)
{
    if (line.find_first_not_of(" \t") == std::string_view::npos) return {};
    auto record = parseStreamRecord(line);
    if (record) {
        add(std::move(*record), sender);
        return {};
    }
    ++notes_.badLines;
    return record.error().text();
}

void StreamRows::addSample(const StreamValues& sample, const std::optional<double>& time,
                           std::uint32_t sender)
{
    const std::size_t metric = metricOf(sample.metric);
    if (metric == kNoPlace) {
        notes_.tooManyMetrics += sample.values.size();
        return;
    }
    OfMetric& of = rows_[metric];
    const double at = time.value_or(of.counted);
    of.counted = std::max(of.counted, at) + 1;
    namesValues_ = namesValues_ || !sample.entities.empty();
    if (of.any && !(at > of.done)) {
        notes_.backwardTimes += sample.values.size();
        // Who is late is waited for from now on.
        for (const std::string& name : sample.entities) entityOf(name);
        return;
    }
    const std::vector<std::size_t> places = placesOf(sample, sender);
    if (!makeRoom(metric, at)) {
        notes_.noRoom += sample.values.size();
        return;
    }
    OpenRow& row = of.open[at];
    fill(row, sample, places);
    row.whole = row.whole || isWhole(sample, places, sender);
    settle(metric);
}

/// The entity of each value, which may be new; beyond the last one a value has none.
std::vector<std::size_t> StreamRows::placesOf(const StreamValues& sample, std::uint32_t sender)
{
    std::vector<std::size_t> places;
    if (!sample.entities.empty()) {
        for (const std::string& name : sample.entities) places.push_back(entityOf(name));
    } else {
        std::vector<std::size_t>& list = listOf(sender);
        // Where nobody named the entities their places are their names.
        if (list.empty()) {
            for (std::size_t i = 0; i < std::min(sample.values.size(), limits_.entities); ++i)
                list.push_back(entityOf(std::to_string(i)));
            lastList_ = list;
        }
        places.assign(list.begin(),
                      list.begin()
                          + static_cast<std::ptrdiff_t>(std::min(list.size(), sample.values.size())));
    }
    return places;
}

void StreamRows::fill(OpenRow& row, const StreamValues& sample, const std::vector<std::size_t>& places)
{
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
        if (i >= places.size()) {
            ++notes_.surplusValues;
            continue;
        }
        const std::size_t place = places[i];
        if (place == kNoPlace) {
            ++notes_.tooManyEntities;
            continue;
        }
        if (place >= row.values.size()) {
            openBytes_ += (entities_.size() - row.values.size()) * sizeof(double);
            row.values.resize(entities_.size(), kMissingValue);
            row.told.resize(entities_.size());
        }
        if (!row.told[place]) ++row.known;
        else ++notes_.toldAgain;
        row.told[place] = true;
        row.values[place] = sample.values[i];
    }
}

/// Whether nobody else has values of this time. A single list is all there is, even where its sender has had
/// another one before; who names values is on no list.
bool StreamRows::isWhole(const StreamValues& sample, const std::vector<std::size_t>& places,
                         std::uint32_t sender) const
{
    if (!sample.entities.empty()) return false;
    const bool alone = listed_.size() == 1 && !namesValues_;
    const std::size_t all = alone ? listed_.at(sender).size() : entities_.size();
    const auto filled = places.size() - static_cast<std::size_t>(std::ranges::count(places, kNoPlace));
    return filled == all;
}

/// Makes room for the row to have all entities: the earliest rows that come before it are done now. False:
/// there is none.
bool StreamRows::makeRoom(std::size_t metric, double time)
{
    const std::size_t wide = entities_.size() * sizeof(double);
    const auto known = rows_[metric].open.find(time);
    const std::size_t has =
        known == rows_[metric].open.end() ? 0 : known->second.values.size() * sizeof(double);
    const std::size_t more = wide - has;
    if (more == 0) return true;
    while (readyBytes_ + wide <= limits_.bytes) {
        if (openBytes_ + more <= limits_.bytes) return true;
        std::size_t earliest = kNoPlace;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (rows_[i].open.empty()) continue;
            const double first = rows_[i].open.begin()->first;
            if (i == metric && first >= time) continue;
            if (earliest == kNoPlace || first < rows_[earliest].open.begin()->first) earliest = i;
        }
        if (earliest == kNoPlace) return false;
        close(earliest);
    }
    return false;
}

void StreamRows::settle(std::size_t metric)
{
    auto& open = rows_[metric].open;
    while (!open.empty()) {
        const OpenRow& first = open.begin()->second;
        const bool complete = first.known >= entities_.size() && open.size() > 1;
        if (!first.whole && !complete && open.size() <= limits_.openRows) return;
        close(metric);
    }
}

void StreamRows::close(std::size_t metric)
{
    OfMetric& of = rows_[metric];
    auto first = of.open.begin();
    const std::size_t bytes = first->second.values.size() * sizeof(double);
    openBytes_ -= bytes;
    readyBytes_ += bytes;
    ready_.push_back({static_cast<std::uint32_t>(metric), first->first, std::move(first->second.values)});
    of.done = first->first;
    of.any = true;
    of.open.erase(first);
}

void StreamRows::finish()
{
    for (std::size_t metric = 0; metric < rows_.size(); ++metric)
        while (!rows_[metric].open.empty()) close(metric);
}

std::vector<StreamRow> StreamRows::takeRows()
{
    readyBytes_ = 0;
    return std::exchange(ready_, {});
}

std::vector<StreamTraffic> StreamRows::takeTraffic() { return std::exchange(traffic_, {}); }

StreamTable::StreamTable(StreamColumns columns, AttributeConditions where)
    : columns_(std::move(columns)), where_(std::move(where))
{
}

Result<StreamRecord> StreamTable::add(std::string_view line)
{
    TextFields text(line);
    if (!text.next()) return StreamRecord();
    const auto& fields = text.fields();
    if (names_.empty()) {
        if (const auto read = readHead(fields); !read) return Unexpected(read.error());
        if (headed_) return StreamRecord();
    }
    if (fields.size() != names_.size())
        return fail(ErrorCode::Malformed,
                    fmt::format("A line with {} fields where the first one has {} is left out.",
                                fields.size(), names_.size()));
    if (columns_.entity.empty()) return wideRecord(fields);
    return isWanted(fields) ? longRecord(fields) : StreamRecord();
}

Result<void> StreamTable::readHead(const std::vector<std::string_view>& fields)
{
    names_.assign(fields.begin(), fields.end());
    headed_ = namesColumns(fields);
    for (std::size_t i = 0; !headed_ && i < names_.size(); ++i) names_[i] = std::to_string(i);
    auto found = findColumns();
    if (!found) names_.clear();
    return found;
}

Result<void> StreamTable::choose(StreamColumns columns, AttributeConditions where)
{
    columns_ = std::move(columns);
    where_ = std::move(where);
    if (names_.empty()) return {};
    auto found = findColumns();
    if (!found) names_.clear();
    return found;
}

Result<std::size_t> StreamTable::columnOf(const std::string& name) const
{
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    return fail(ErrorCode::InvalidArgument, fmt::format("The stream has no column \"{}\".", name));
}

Result<void> StreamTable::findColumns()
{
    timeColumn_ = headed_ && names_.size() > 1 && isTimeName(names_.front()) ? 0 : kNoPlace;
    entityColumns_.clear();
    metricColumns_.clear();
    conditionColumns_.clear();
    if (!columns_.time.empty()) {
        const auto column = columnOf(columns_.time);
        if (!column) return Unexpected(column.error());
        timeColumn_ = *column;
    }
    for (auto [wanted, found] :
         {std::pair(&columns_.entity, &entityColumns_), std::pair(&columns_.metrics, &metricColumns_)})
        for (const std::string& name : *wanted) {
            const auto column = columnOf(name);
            if (!column) return Unexpected(column.error());
            found->push_back(*column);
        }
    for (std::size_t i = 0; !columns_.entity.empty() && i < where_.size(); ++i) {
        const bool ofName = sameInAnyCase(where_[i].name, "name");
        const auto column = ofName ? Result<std::size_t>(kNoPlace) : columnOf(where_[i].name);
        if (!column) return Unexpected(column.error());
        conditionColumns_.push_back(*column);
    }
    const bool named = !metricColumns_.empty();
    if (!named) metricColumns_ = otherColumns();
    isMetric_.assign(metricColumns_.size(), named);
    return {};
}

/// All that neither are times nor name entities.
std::vector<std::size_t> StreamTable::otherColumns() const
{
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < names_.size(); ++i)
        if (i != timeColumn_
            && std::find(entityColumns_.begin(), entityColumns_.end(), i) == entityColumns_.end())
            others.push_back(i);
    return others;
}

bool StreamTable::isWanted(const std::vector<std::string_view>& fields) const
{
    for (std::size_t i = 0; i < conditionColumns_.size(); ++i)
        if (conditionColumns_[i] != kNoPlace && !where_[i].holds(fields[conditionColumns_[i]])) return false;
    return true;
}

StreamRecord StreamTable::recordAt(const std::vector<std::string_view>& fields) const
{
    StreamRecord record;
    if (timeColumn_ < fields.size())
        if (const double time = fieldNumber(fields[timeColumn_]).value; std::isfinite(time))
            record.time = time;
    return record;
}

StreamRecord StreamTable::wideRecord(const std::vector<std::string_view>& fields) const
{
    StreamRecord record = recordAt(fields);
    StreamValues sample;
    for (const std::size_t column : metricColumns_) {
        record.entities.push_back(names_[column]);
        sample.values.push_back(fieldNumber(fields[column]).value);
    }
    record.samples.push_back(std::move(sample));
    return record;
}

StreamRecord StreamTable::longRecord(const std::vector<std::string_view>& fields)
{
    StreamRecord record = recordAt(fields);
    std::string name;
    for (const std::size_t column : entityColumns_) {
        if (!name.empty()) name += '/';
        name += fields[column];
    }
    for (const std::size_t column : conditionColumns_)
        if (column != kNoPlace)
            record.attributes.push_back({names_[column], {name}, {std::string(fields[column])}});
    for (std::size_t i = 0; i < metricColumns_.size(); ++i) {
        const std::size_t column = metricColumns_[i];
        const double value = fieldNumber(fields[column]).value;
        if (std::isfinite(value)) isMetric_[i] = true;
        if (isMetric_[i]) record.samples.push_back({names_[column], {name}, {value}});
    }
    return record;
}

}  // namespace skein
