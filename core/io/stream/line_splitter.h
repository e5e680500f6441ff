// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skein {

/// Cuts bytes that come in pieces into lines. Of a line that is longer than a limit nothing is kept: the rest
/// of it is passed over until it ends, so that memory is bounded whatever comes. Not thread-safe.
class LineSplitter {
public:
    explicit LineSplitter(std::size_t mostBytes) : most_(mostBytes) {}

    /// Calls take(line) for every line that has come to its end, without "\n" and a "\r" before it; the view
    /// is good until take() returns. O(bytes).
    template <typename Take>
    void add(std::string_view bytes, const Take& take)
    {
        while (!bytes.empty()) {
            const std::size_t end = bytes.find('\n');
            const std::string_view piece = bytes.substr(0, end);
            if (end == std::string_view::npos) return keep(piece);
            bytes.remove_prefix(end + 1);
            if (passing_ || kept_.size() + piece.size() > most_) {
                if (!passing_) ++tooLong_;
                passing_ = false;
                kept_.clear();
                continue;
            }
            if (kept_.empty()) {
                take(withoutReturn(piece));
                continue;
            }
            kept_.append(piece);
            take(withoutReturn(kept_));
            kept_.clear();
        }
    }

    /// The bytes of a line that has not ended; of one that is too long none are known.
    std::string_view rest() const { return kept_; }
    bool inLongLine() const { return passing_; }
    /// Lines that were left out; one that has not ended counts already.
    std::uint64_t tooLong() const { return tooLong_; }
    /// Forgets a line that has not ended.
    void restart()
    {
        kept_.clear();
        kept_.shrink_to_fit();
        passing_ = false;
    }

private:
    static std::string_view withoutReturn(std::string_view line)
    {
        if (line.ends_with('\r')) line.remove_suffix(1);
        return line;
    }

    void keep(std::string_view piece)
    {
        if (passing_) return;
        if (kept_.size() + piece.size() <= most_) {
            kept_.append(piece);
            return;
        }
        ++tooLong_;
        restart();
        passing_ = true;
    }

    std::size_t most_;
    std::string kept_;
    bool passing_ = false;
    std::uint64_t tooLong_ = 0;
};

}  // namespace skein
