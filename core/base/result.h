// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace skein {

/// What kind of failure an Error is; decides the exit code and whether the user is told at all.
enum class ErrorCode {
    NotFound,         ///< a path does not exist
    AccessDenied,     ///< a path may not be read or written
    NotRecognized,    ///< no importer knows the content
    Malformed,        ///< the content breaks its own format
    Unsupported,      ///< well-formed, but of a kind or size that is not handled
    InvalidArgument,  ///< a parameter of the call is out of its range
    OutOfMemory,      ///< a size that was checked before allocating is over the limit
    Io,               ///< the operating system failed a read or a write
    Cancelled,        ///< the caller asked to stop; not a failure to be shown
    NotRecorded,      ///< the archive does not hold what was asked for, or has lost it
};

/// A failure: one clear sentence that names the file and says what to do, and where it came from.
struct Error {
    ErrorCode code{};
    std::string message;  ///< a whole sentence for the user, without a line break
    std::string context;  ///< file, line, offset or library message; may be empty

    bool cancelled() const { return code == ErrorCode::Cancelled; }
    /// Message and context as one text.
    std::string text() const { return context.empty() ? message : message + " (" + context + ")"; }
};

/// A value or an Error; shaped like std::expected, which the compilers of today's clusters lack.
template <typename T>
using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

/// Builds the failed state of any Result: `return fail(ErrorCode::NotFound, "…");`.
inline Unexpected fail(ErrorCode code, std::string message, std::string context = {})
{
    return Unexpected(Error{code, std::move(message), std::move(context)});
}

inline Unexpected cancelled() { return fail(ErrorCode::Cancelled, "The work was cancelled."); }

}  // namespace skein
