// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string_view>

namespace skein {

/// A file that is mapped for reading and may become shorter meanwhile, as when the program that wrote it runs
/// again. The system ends programs that read past the end of a mapped file (SIGBUS); here the bytes that are
/// gone are zeros instead, and hasShrunk() tells. Reading from several threads is safe.
///
/// The first mapping installs a handler of that signal; faults elsewhere go to the handler before it.
class GuardedMapping {
public:
    /// Null where the file cannot be mapped, or where too many files are mapped already (kMost).
    static std::shared_ptr<const GuardedMapping> map(int descriptor, std::size_t bytes);
    ~GuardedMapping();
    GuardedMapping(const GuardedMapping&) = delete;
    GuardedMapping& operator=(const GuardedMapping&) = delete;

    std::string_view bytes() const { return {static_cast<const char*>(begin_), bytes_}; }
    /// Whether bytes were read that the file had lost; they, and all behind them, are zeros from then on.
    bool hasShrunk() const;

    static constexpr std::size_t kMost = 4096;

private:
    GuardedMapping(std::size_t slot, void* begin, std::size_t bytes)
        : slot_(slot), begin_(begin), bytes_(bytes)
    {
    }

    std::size_t slot_;
    void* begin_;
    std::size_t bytes_;
};

}  // namespace skein
