// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skein::cli {

/// Where a command's output goes: a file descriptor, or a string in tests. Buffered, so that millions of rows
/// stream. Not thread-safe.
class Sink {
public:
    /// Writes to a descriptor that the caller keeps open, for example STDOUT_FILENO.
    explicit Sink(int descriptor);
    /// Appends to a text that outlives the sink.
    explicit Sink(std::string& text);
    ~Sink();
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;

    void write(std::string_view text);
    void flush();
    /// False once the reader has gone (`| head`) or a write failed: whoever writes much asks, and ends early.
    bool open() const { return error_ == 0; }
    /// The errno of the write that failed; 0 while all is well. EPIPE means that the reader wanted no more.
    int error() const { return error_; }
    /// Columns of the terminal behind the sink; 0 where it is none.
    std::size_t terminalWidth() const { return terminalWidth_; }

private:
    int descriptor_ = -1;
    std::string* text_ = nullptr;
    std::string buffer_;
    int error_ = 0;
    std::size_t terminalWidth_ = 0;
};

/// A line "warning: …" for each.
void writeWarnings(const std::vector<std::string>& warnings, Sink& err);

}  // namespace skein::cli
