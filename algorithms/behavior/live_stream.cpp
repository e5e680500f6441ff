// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/live_stream.h"

#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::uint32_t kBadLinesTold = 3;

}  // namespace

LiveStream::LiveStream(LiveStreamParams params) : params_(std::move(params)) { restart(); }

void LiveStream::restart()
{
    rows_ = StreamRows();
    online_ = std::make_unique<OnlineBehavior>(params_.online);
}

void LiveStream::complain(Sender& sender, std::string sentence, Update& update)
{
    if (++sender.badLines <= kBadLinesTold) update.notes.push_back(std::move(sentence));
    if (sender.badLines == kBadLinesTold)
        update.notes.emplace_back("Further lines like this are counted only.");
}

void LiveStream::takeLine(const StreamEvent& event, Update& update)
{
    const std::size_t begin = event.text.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return;
    Sender& sender = senders_[event.sender];
    if (!sender.known) {
        sender.known = true;
        if (event.text[begin] != '{') sender.table.emplace(params_.columns, params_.online.transform.where);
    }
    if (!sender.table) {
        if (std::string problem = rows_.addLine(event.text, event.sender); !problem.empty())
            complain(sender, std::move(problem), update);
        return;
    }
    auto record = sender.table->add(event.text);
    if (record) return rows_.add(std::move(*record), event.sender);
    rows_.countBadLine();
    complain(sender, record.error().text(), update);
}

LiveStream::Update LiveStream::take(const std::vector<StreamEvent>& events)
{
    Update update;
    const auto look = [&] {
        for (OnlineFinding& finding : online_->take(rows_)) update.changes.push_back(std::move(finding));
    };
    for (const StreamEvent& event : events) {
        switch (event.kind) {
        case StreamEvent::Kind::Line:
            takeLine(event, update);
            look();
            break;
        case StreamEvent::Kind::Began:
            // A sender comes once; a file begins again when it was cut or replaced.
            if (senders_.erase(event.sender) > 0) {
                restart();
                update.changes.clear();
                update.restarted = true;
                update.notes.push_back(fmt::format("The file begins again ({}).", event.text));
            }
            break;
        case StreamEvent::Kind::Ended:
            senders_.erase(event.sender);
            rows_.forget(event.sender);
            if (!event.text.empty()) update.notes.push_back(event.text);
            break;
        case StreamEvent::Kind::Trouble: update.notes.push_back(event.text); break;
        }
    }
    return update;
}

LiveStream::Update LiveStream::take(StreamRecord record)
{
    Update update;
    rows_.add(std::move(record));
    update.changes = online_->take(rows_);
    return update;
}

void LiveStream::lookAgain(const ChangeParams& change)
{
    params_.online.series.change = change;
    online_->lookAgain(change);
}

void LiveStream::setTransform(const StreamTransformParams& transform)
{
    params_.online.transform = transform;
    chooseForTables();
    online_ = std::make_unique<OnlineBehavior>(params_.online);
}

void LiveStream::setColumns(const StreamColumns& columns)
{
    params_.columns = columns;
    chooseForTables();
    restart();
}

void LiveStream::chooseForTables()
{
    for (auto& [number, sender] : senders_)
        // What its head lacks is told with its next line.
        if (sender.table) (void)sender.table->choose(params_.columns, params_.online.transform.where);
}

LiveStream::Update LiveStream::finish()
{
    Update update;
    rows_.finish();
    update.changes = online_->take(rows_);
    for (OnlineFinding& finding : online_->flush()) update.changes.push_back(std::move(finding));
    update.notes = rows_.notes().sentences();
    return update;
}

std::vector<std::string> LiveStream::columnNames() const
{
    std::vector<std::string> names;
    for (const auto& [number, sender] : senders_) {
        if (sender.known && !sender.table) return {};
        if (names.empty() && sender.table) names = sender.table->names();
    }
    return names;
}

std::uint64_t LiveStream::rowCount() const
{
    std::uint64_t count = 0;
    for (std::size_t metric = 0; metric < online_->metricCount(); ++metric)
        count += online_->series(metric).rows();
    return count;
}

}  // namespace skein
