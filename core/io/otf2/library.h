// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <otf2/otf2.h>
#include <string>
#include <vector>

namespace skein::otf2 {

/// While it lives, what libotf2 complains of on this thread is kept here instead of being printed. Complaints
/// of threads that have none are dropped. May be nested; the innermost keeps.
class ErrorCapture {
public:
    ErrorCapture();
    ~ErrorCapture();
    ErrorCapture(const ErrorCapture&) = delete;
    ErrorCapture& operator=(const ErrorCapture&) = delete;

    bool empty() const { return count_ == 0; }
    /// The first complaint, which names the cause; later ones only repeat it from further away.
    const std::string& first() const { return first_; }
    std::uint64_t count() const { return count_; }
    /// Moves what was kept into a report; the capture is empty afterwards.
    void moveTo(ImportReport& report, std::string_view file, std::string_view location);

private:
    friend struct ErrorSink;
    ErrorCapture* outer_;
    std::string first_;
    std::uint64_t count_ = 0;
};

struct CloseReader {
    void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using ReaderHandle = std::unique_ptr<OTF2_Reader, CloseReader>;

/// Opens an archive for reading from several threads: libotf2's shared state is locked, while each location's
/// reader belongs to the thread that uses it. Errors: Malformed, Unsupported.
Result<ReaderHandle> openReader(const std::filesystem::path& anchor);

}  // namespace skein::otf2
