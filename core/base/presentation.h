// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// How the reader wants texts. One choice for the whole program: texts are made in many places and threads,
/// for one reader. Files for other programs (CSV, JSON) do not depend on it. Thread-safe.
namespace skein {

enum class ByteUnits : unsigned char {
    Binary,   ///< "1.36 MiB": powers of 1024
    Decimal,  ///< "1.426 MB": powers of 1000
};

enum class LongNames : unsigned char {
    Whole,
    Folded,  ///< C++ templates and arguments as "<…>" and "(…)"
};

/// Binary until somebody says otherwise.
ByteUnits byteUnits();
void setByteUnits(ByteUnits units);

/// Whole until somebody says otherwise.
LongNames longNames();
void setLongNames(LongNames names);

}  // namespace skein
