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

void LiveStream::complain(Sender& sender, std::string sentence, Heard& heard)
{
    if (++sender.badLines <= kBadLinesTold) heard.notes.push_back(std::move(sentence));
    if (sender.badLines == kBadLinesTold)
        heard.notes.emplace_back("Further lines like this are counted only.");
}

void LiveStream::hearLine(const StreamEvent& event, Heard& heard)
{
    const std::size_t begin = event.text.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return;
    Sender& sender = senders_[event.sender];
    if (!sender.known) {
        sender.known = true;
        if (event.text[begin] != '{') sender.table.emplace(params_.time, params_.entity, params_.columns);
    }
    if (!sender.table) {
        if (std::string problem = rows_.addLine(event.text, event.sender); !problem.empty())
            complain(sender, std::move(problem), heard);
        return;
    }
    auto record = sender.table->add(event.text);
    if (record) return rows_.add(std::move(*record), event.sender);
    rows_.countBadLine();
    complain(sender, record.error().text(), heard);
}

LiveStream::Heard LiveStream::hear(const std::vector<StreamEvent>& events)
{
    Heard heard;
    const auto look = [&] {
        for (OnlineFinding& finding : online_->take(rows_)) heard.changes.push_back(std::move(finding));
    };
    for (const StreamEvent& event : events) {
        switch (event.kind) {
        case StreamEvent::Kind::Line:
            hearLine(event, heard);
            look();
            break;
        case StreamEvent::Kind::Began:
            // A sender comes once; a file begins again when it was cut or replaced.
            if (senders_.erase(event.sender) > 0) {
                restart();
                heard.changes.clear();
                heard.restarted = true;
                heard.notes.push_back(fmt::format("The file begins again ({}).", event.text));
            }
            break;
        case StreamEvent::Kind::Ended:
            senders_.erase(event.sender);
            rows_.forget(event.sender);
            if (!event.text.empty()) heard.notes.push_back(event.text);
            break;
        case StreamEvent::Kind::Trouble: heard.notes.push_back(event.text); break;
        }
    }
    return heard;
}

LiveStream::Heard LiveStream::hear(StreamRecord record)
{
    Heard heard;
    rows_.add(std::move(record));
    heard.changes = online_->take(rows_);
    return heard;
}

LiveStream::Heard LiveStream::finish()
{
    Heard heard;
    rows_.finish();
    heard.changes = online_->take(rows_);
    for (OnlineFinding& finding : online_->flush()) heard.changes.push_back(std::move(finding));
    heard.notes = rows_.notes().sentences();
    return heard;
}

std::uint64_t LiveStream::rowCount() const
{
    std::uint64_t count = 0;
    for (std::size_t metric = 0; metric < online_->metricCount(); ++metric)
        count += online_->series(metric).rows();
    return count;
}

}  // namespace skein
