// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/local_definitions.h"

#include "core/base/file_bytes.h"
#include "core/io/otf2/event_file.h"
#include "core/io/otf2/guarded_callback.h"
#include "core/io/otf2/library.h"
#include "core/io/otf2/record_format.h"

#include <array>
#include <bit>
#include <exception>
#include <memory>
#include <span>

namespace skein::otf2 {
namespace {

constexpr std::uint8_t kMappingTable = 5, kClockOffset = 6, kGroup = 18;  ///< types of records
constexpr std::uint8_t kDenseIds = 0, kSparseIds = 1;

struct FreeIdMap {
    void operator()(OTF2_IdMap* map) const { OTF2_IdMap_Free(map); }
};
using IdMapHandle = std::unique_ptr<OTF2_IdMap, FreeIdMap>;

/// The bytes of a small file, behind which fields may be looked at.
class PaddedFile {
public:
    /// Empty for everything that cannot be read or is larger than `mostBytes`.
    PaddedFile(const std::filesystem::path& path, std::uint64_t mostBytes)
    {
        std::error_code error;
        const std::uintmax_t bytes = std::filesystem::file_size(path, error);
        if (!error && bytes <= mostBytes) bytes_ = fileHead(path, static_cast<std::size_t>(bytes));
        size_ = bytes_.size();
        bytes_.append(kLongestFields, '\0');
    }

    std::size_t size() const { return size_; }
    std::span<const std::uint8_t> bytes() const { return {at(0), size_}; }
    bool isChunk() const
    {
        return size_ > kChunkHeaderBytes && at(0)[0] == kChunkHeader && at(0)[1] == kNativeByteOrder;
    }
    const std::uint8_t* at(std::size_t place) const
    {
        return reinterpret_cast<const std::uint8_t*>(bytes_.data()) + place;
    }
    std::size_t placeOf(const RecordFields& fields) const
    {
        return static_cast<std::size_t>(fields.position() - at(0));
    }

private:
    std::string bytes_;
    std::size_t size_ = 0;
};

/// Takes the records of a file one by one. False, of any of its functions, means that libotf2 has to.
class LocalDefinitionDecoder {
public:
    LocalDefinitionDecoder(const PaddedFile& file, LocationId location) : file_(file), location_(location) {}

    bool run()
    {
        if (!file_.isChunk()) return false;
        std::size_t next = kChunkHeaderBytes;
        while (next < file_.size()) {
            const std::uint8_t type = *file_.at(next);
            if (type == kEndOfFile) return true;
            if (type != kMappingTable && type != kClockOffset) return false;
            RecordFields fields(file_.at(next + 1));
            const RecordEnd end(fields);
            const bool taken = type == kMappingTable ? takeMapping(fields) : takeOffset(fields);
            if (!taken || !fields.valid() || !end.isAt(fields)) return false;
            next = file_.placeOf(fields);
        }
        return false;
    }

    LocalDefinitions takeResult() { return std::move(result_); }

private:
    bool takeMapping(RecordFields& fields)
    {
        const std::uint8_t kind = fields.byte();
        const auto count = fields.number<std::uint64_t>();
        const std::uint8_t mode = fields.byte();
        if (kind >= OTF2_MAPPING_MAX || mode > kSparseIds || count > file_.size() || mapped_[kind])
            return false;
        mapped_[kind] = true;
        const IdMapHandle map(
            OTF2_IdMap_Create(mode == kDenseIds ? OTF2_ID_MAP_DENSE : OTF2_ID_MAP_SPARSE, count));
        if (!map) return false;
        std::uint64_t atLeast = 0;
        for (std::uint64_t pair = 0; pair < count; ++pair) {
            const std::uint64_t own = mode == kDenseIds ? pair : fields.number<std::uint64_t>();
            const auto global = fields.number<std::uint64_t>();
            if (!fields.valid() || file_.placeOf(fields) > file_.size() || own < atLeast) return false;
            if (OTF2_IdMap_AddIdPair(map.get(), own, global) != OTF2_SUCCESS) return false;
            atLeast = own + 1;
        }
        result_.hasMappings = true;
        if (!result_.ids.add(kind, map.get())) result_.onlyLibrary = true;
        return true;
    }

    bool takeOffset(RecordFields& fields)
    {
        const std::uint64_t time = fields.wholeNumber();
        const auto offset = static_cast<std::int64_t>(fields.number<std::uint64_t>());
        const auto deviation = std::bit_cast<double>(fields.wholeNumber());
        auto& offsets = result_.clockOffsets;
        if (!offsets.empty() && time <= offsets.back().timeTicks) return false;
        offsets.push_back({location_, time, offset, deviation});
        return true;
    }

    const PaddedFile& file_;
    LocationId location_;
    std::array<bool, OTF2_MAPPING_MAX> mapped_{};
    LocalDefinitions result_;
};

/// Steps over the records of a file as libotf2 does, and looks at what it would believe: it takes counts for
/// granted, allocates for them and reads on past its own memory, sorts ids one by one, and takes what its
/// memory happens to hold for the rest of a file that was cut off.
class LocalDefinitionWalk {
public:
    LocalDefinitionWalk(std::span<const std::uint8_t> bytes, std::uint64_t chunkBytes)
        : bytes_(bytes), chunkBytes_(static_cast<std::size_t>(chunkBytes))
    {
    }

    /// Nothing where libotf2 may read the file, else what is wrong with it.
    std::optional<IssueKind> problem()
    {
        while (at_ < bytes_.size()) {
            end_ = bytes_.size() - at_ < chunkBytes_ ? bytes_.size() : at_ + chunkBytes_;
            const std::size_t next = end_;
            const ChunkEnd end = walkChunk();
            if (end == ChunkEnd::FileEnd) return std::nullopt;
            if (end == ChunkEnd::Damaged) return IssueKind::CorruptRecord;
            if (end == ChunkEnd::Cut) break;
            at_ = next;
        }
        return IssueKind::Truncated;
    }

private:
    ChunkEnd walkChunk()
    {
        if (end_ - at_ < kChunkHeaderBytes) return ChunkEnd::Cut;
        const std::uint8_t order = bytes_[at_ + 1];
        if (bytes_[at_] != kChunkHeader || (order != kBigEndian && order != kLittleEndian))
            return ChunkEnd::Damaged;
        isBigEndian_ = order == kBigEndian;
        at_ += kChunkHeaderBytes;
        while (at_ < end_) {
            const std::uint8_t type = bytes_[at_++];
            if (type == kEndOfFile) return ChunkEnd::FileEnd;
            if (type == kEndOfChunk) return ChunkEnd::NextChunk;
            const auto length = recordLength();
            if (!length || *length > end_ - at_) return ChunkEnd::Cut;
            const std::size_t next = at_ + static_cast<std::size_t>(*length);
            if (type == kMappingTable && !tableEndsBefore(next)) return ChunkEnd::Damaged;
            if (type == kGroup && !groupEndsBefore(next)) return ChunkEnd::Damaged;
            at_ = next;
        }
        return ChunkEnd::Cut;
    }

    std::optional<std::uint64_t> recordLength()
    {
        if (at_ == end_) return std::nullopt;
        const std::uint8_t length = bytes_[at_++];
        return length == kLongRecord ? bytesAsNumber(sizeof(std::uint64_t), end_) : length;
    }

    bool tableEndsBefore(std::size_t end)
    {
        if (!skipByte(end)) return false;  // the kind
        const auto count = number(end);
        if (!count || at_ == end) return false;
        const bool isSparse = bytes_[at_++] == kSparseIds;
        std::optional<std::uint64_t> before;
        for (std::uint64_t pair = 0; pair < *count; ++pair) {
            const auto own = number(end);
            if (!own) return false;
            if (!isSparse) continue;
            if (!number(end) || (before && *own <= *before)) return false;
            before = own;
        }
        return true;
    }

    bool groupEndsBefore(std::size_t end)
    {
        if (!number(end) || !skipByte(end) || !number(end)) return false;  // id, type, name
        const auto count = number(end);
        return count && *count <= end - at_;
    }

    bool skipByte(std::size_t end)
    {
        if (at_ == end) return false;
        ++at_;
        return true;
    }

    std::optional<std::uint64_t> number(std::size_t end)
    {
        if (at_ == end) return std::nullopt;
        const std::uint8_t length = bytes_[at_++];
        return length == kUndefined ? ~std::uint64_t{0} : bytesAsNumber(length, end);
    }

    std::optional<std::uint64_t> bytesAsNumber(std::size_t count, std::size_t end)
    {
        if (count > sizeof(std::uint64_t) || count > end - at_) return std::nullopt;
        std::uint64_t value = 0;
        for (std::size_t byte = 0; byte < count; ++byte)
            value = value << 8 | bytes_[at_ + (isBigEndian_ ? byte : count - 1 - byte)];
        at_ += count;
        return value;
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t chunkBytes_;
    std::size_t at_ = 0, end_ = 0;  ///< the place, and the end of its chunk
    bool isBigEndian_ = false;
};

/// Says what is wrong with a file that libotf2 must not read; false where it may.
bool reportUnsafe(const LocalDefinitionFile& file, ImportReport& report)
{
    constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
    if (file.chunkBytes == 0) return false;
    std::error_code error;
    const bool isHuge = std::filesystem::file_size(file.path, error) > kMostBytes;
    const PaddedFile bytes(file.path, kMostBytes);
    const auto problem =
        isHuge ? IssueKind::CorruptRecord : LocalDefinitionWalk(bytes.bytes(), file.chunkBytes).problem();
    if (problem)
        report.add(*problem, file.path.string(), file.label,
                   isHuge ? "more bytes than local definitions ever have; none of them are used"
                          : "none of the definitions of this location are used");
    return problem.has_value();
}

struct LocalDefinitionTarget {
    LocalDefinitions& result;
    LocationId location;
    bool outOfMemory = false;
};

void onClockOffset(LocalDefinitionTarget& local, OTF2_TimeStamp time, std::int64_t offset, double deviation)
{
    local.result.clockOffsets.push_back({local.location, time, offset, deviation});
}

void onMappingTable(LocalDefinitionTarget& local, OTF2_MappingType kind, const OTF2_IdMap* map)
{
    local.result.hasMappings = true;
    if (!local.result.ids.add(kind, map)) local.result.onlyLibrary = true;
}

void onUnknownLocalDefinition(LocalDefinitionTarget& local)
{
    local.result.report.add(IssueKind::UnsupportedRecord, {}, {},
                            "definitions unknown to this version of libotf2");
}

struct DeleteDefinitionCallbacks {
    void operator()(OTF2_DefReaderCallbacks* set) const { OTF2_DefReaderCallbacks_Delete(set); }
};

}  // namespace

std::optional<LocalDefinitions> decodeLocalDefinitions(const LocalDefinitionFile& file)
{
    if (std::endian::native != std::endian::little) return std::nullopt;
    try {
        const PaddedFile bytes(file.path, file.chunkBytes);
        LocalDefinitionDecoder decoder(bytes, file.location);
        const ErrorCapture complaints;
        if (!decoder.run()) return std::nullopt;
        return decoder.takeResult();
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

LocalDefinitions readLocalDefinitions(OTF2_Reader* reader, const LocalDefinitionFile& file)
{
    LocalDefinitions result;
    try {
        if (reportUnsafe(file, result.report)) return result;
    } catch (const std::exception&) {
        result.outOfMemory = true;
        return result;
    }
    ErrorCapture errors;
    OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader, file.id);
    const std::unique_ptr<OTF2_DefReaderCallbacks, DeleteDefinitionCallbacks> callbacks(
        OTF2_DefReaderCallbacks_New());
    LocalDefinitionTarget local{result, file.location};
    if (definitions && callbacks) {
        auto* set = callbacks.get();
        OTF2_DefReaderCallbacks_SetClockOffsetCallback(set, &DefinitionCallback<onClockOffset>::call);
        OTF2_DefReaderCallbacks_SetMappingTableCallback(set, &DefinitionCallback<onMappingTable>::call);
        OTF2_DefReaderCallbacks_SetUnknownCallback(set, &DefinitionCallback<onUnknownLocalDefinition>::call);
        OTF2_Reader_RegisterDefCallbacks(reader, definitions, set, &local);
        std::uint64_t read = 0;
        const OTF2_ErrorCode status = OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &read);
        if (status != OTF2_SUCCESS) result.onlyLibrary = true;
        if (status != OTF2_SUCCESS && !local.outOfMemory)
            result.report.add(IssueKind::CorruptRecord, file.path.string(), file.label,
                              OTF2_Error_GetDescription(status));
    }
    if (definitions) OTF2_Reader_CloseDefReader(reader, definitions);
    result.outOfMemory = local.outOfMemory;
    errors.moveTo(result.report, file.path.string(), file.label);
    return result;
}

}  // namespace skein::otf2
