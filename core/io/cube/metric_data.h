// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/cube/tar_archive.h"
#include "core/io/cube/value_format.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The index and data files of one metric of a Cube profile.
namespace skein::cube {

/// What the files of a metric have to fit.
struct DataShape {
    std::uint64_t nodes = 0;      ///< call paths that may be numbered
    std::uint64_t locations = 0;  ///< values in a row
    std::uint32_t valueBytes = 0;
    std::uint64_t rowBytes() const { return locations * valueBytes; }
};

/// Rows of values, one a call path. Looks at the bytes of the archive. Immutable; reading from several
/// threads is safe.
class MetricData {
public:
    /// Reads the index and the directory of the data; what does not fit is reported under the files' names,
    /// and left out. nullopt where nothing can be read, which is reported too, and after a stop request.
    /// Nothing is allocated that is not in proportion to the files.
    static std::optional<MetricData> open(const TarMember& index, const TarMember& data,
                                          const DataShape& shape, const std::string& metricNumber,
                                          ImportReport& report, const Task& task);

    std::size_t rows() const { return numbers_.size(); }
    /// The number of the row's call path, less than DataShape::nodes; no two rows have the same.
    std::uint32_t number(std::size_t row) const { return numbers_[row]; }
    ByteOrder order() const { return order_; }
    /// The numbers of call paths whose values should be there and are not, each once.
    const std::vector<std::uint32_t>& missing() const { return missing_; }

    struct Row {
        std::string_view bytes;  ///< as many as a row has, or none: all values are 0
        bool whole = true;       ///< false: packed data is damaged, and zeros stand for what is lost
    };
    /// `buffer` holds the bytes where they were packed. O(bytes of the row).
    Row row(std::size_t row, std::string& buffer) const;

private:
    bool readIndex(std::string_view bytes, const DataShape& shape, const std::string& file,
                   ImportReport& report);
    bool readData(std::string_view bytes, const std::string& file, ImportReport& report, const Task& task);
    bool readDirectory(std::string_view bytes, const std::string& file, ImportReport& report,
                       const Task& task);
    void cutPlainRows(std::string_view bytes, const std::string& file, ImportReport& report);
    void dropRepeatedRows(const std::string& file, ImportReport& report);
    void findMissing(std::uint64_t nodes);

    ByteOrder order_ = ByteOrder::Native;
    std::uint64_t rowBytes_ = 0;
    bool packed_ = false;
    bool indexIsCut_ = false;
    std::vector<std::uint32_t> numbers_, missing_;
    std::vector<std::string_view> rows_;  ///< as they lie in the file
    std::vector<std::shared_ptr<const void>> owners_;
};

}  // namespace skein::cube
