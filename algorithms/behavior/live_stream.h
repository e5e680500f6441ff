// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/online_behavior.h"
#include "core/io/stream/stream_reader.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skein {

struct LiveStreamParams {
    OnlineBehaviorParams online;
    StreamColumns columns;  ///< of streams that are tables of text
};

/// From what a StreamReader gives to what is found in it: lines of JSON, or of a table of text, which the
/// first line of each sender decides. Not thread-safe.
class LiveStream {
public:
    explicit LiveStream(LiveStreamParams params);

    struct Update {
        std::vector<OnlineFinding> changes;
        std::vector<std::string> notes;  ///< sentences about what is odd; of many alike the first ones
        bool restarted = false;          ///< a file began again: what was found before is forgotten
    };
    /// O(bytes + values).
    Update take(const std::vector<StreamEvent>& events);
    /// What has its values together already. O(values).
    Update take(StreamRecord record);
    /// Looks for changes otherwise, as OnlineBehavior::lookAgain().
    void lookAgain(const ChangeParams& change);
    /// Transforms what comes from now on otherwise; what was found before is forgotten, senders and their
    /// entities are not. `transform` as checkStreamTransform() lets pass.
    void setTransform(const StreamTransformParams& transform);
    /// Reads tables of text otherwise from now on; what was found before is forgotten, heads of tables are
    /// not. Of senders of JSON it forgets what they said once: for streams with columnNames().
    void setColumns(const StreamColumns& columns);
    /// Nothing more will come.
    Update finish();

    /// A sender has said so.
    bool ended() const { return rows_.ended(); }
    OnlineBehavior& online() { return *online_; }
    const OnlineBehavior& online() const { return *online_; }
    const StreamRows& rows() const { return rows_; }
    /// Of the table of text of the first sender that has begun one; empty where some send JSON, or nothing.
    std::vector<std::string> columnNames() const;
    /// Rows of all metrics that were passed on.
    std::uint64_t rowCount() const;

private:
    struct Sender {
        bool known = false;                ///< its first line has come
        std::optional<StreamTable> table;  ///< else lines of JSON
        std::uint32_t badLines = 0;
    };
    void chooseForTables();
    void takeLine(const StreamEvent& event, Update& update);
    void complain(Sender& sender, std::string sentence, Update& update);
    void restart();

    LiveStreamParams params_;
    StreamRows rows_;
    std::unique_ptr<OnlineBehavior> online_;
    std::map<std::uint32_t, Sender> senders_;
};

}  // namespace skein
