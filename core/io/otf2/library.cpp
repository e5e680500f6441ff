// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/library.h"

#include "core/base/utf8.h"
#include "core/io/otf2/anchor_check.h"

#include <cstdarg>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <otf2/OTF2_Pthread_Locks.h>

namespace skein::otf2 {
namespace {

/// libotf2 has one error callback a process: it looks here for the capture of its thread.
thread_local ErrorCapture* innermost = nullptr;

}  // namespace

struct ErrorSink {
    static void keep(OTF2_ErrorCode code, const char* format, va_list arguments)
    {
        if (!innermost || ++innermost->count_ > 1) return;
        char text[512];
        std::vsnprintf(text, sizeof text, format ? format : "", arguments);
        innermost->first_ = fmt::format("{}: {}", OTF2_Error_GetDescription(code), toValidUtf8(text));
    }
    static OTF2_ErrorCode callback(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code,
                                   const char* format, va_list arguments)
    {
        try {
            keep(code, format, arguments);
        } catch (...) {  // out of memory: the complaint is counted without its text
        }
        return code;
    }
};

ErrorCapture::ErrorCapture() : outer_(innermost)
{
    static std::once_flag registered;
    std::call_once(registered, [] { OTF2_Error_RegisterCallback(&ErrorSink::callback, nullptr); });
    innermost = this;
}

ErrorCapture::~ErrorCapture() { innermost = outer_; }

void ErrorCapture::moveTo(ImportReport& report, std::string_view file, std::string_view location)
{
    if (empty()) return;
    report.add(IssueKind::LibraryMessage, file, location, first_, -1, count_);
    first_.clear();
    count_ = 0;
}

Result<ReaderHandle> openReader(const std::filesystem::path& anchor)
{
    if (const auto defect = anchorDefect(anchor))
        return fail(ErrorCode::Malformed,
                    fmt::format("{} cannot be opened as an OTF2 archive: {}.", anchor.string(), *defect));
    ErrorCapture errors;
    ReaderHandle reader(OTF2_Reader_Open(anchor.c_str()));
    if (!reader)
        return fail(ErrorCode::Malformed,
                    fmt::format("{} cannot be opened as an OTF2 archive: its anchor file is damaged.",
                                anchor.string()),
                    errors.first());
    if (OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()) != OTF2_SUCCESS
        || OTF2_Pthread_Reader_SetLockingCallbacks(reader.get(), nullptr) != OTF2_SUCCESS)
        return fail(
            ErrorCode::Unsupported,
            fmt::format("{} is an OTF2 archive of a kind that libotf2 cannot read here.", anchor.string()),
            errors.first());
    return reader;
}

}  // namespace skein::otf2
