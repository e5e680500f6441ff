// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/packed_profile.h"

#include "core/base/file_bytes.h"
#include "core/base/utf8.h"
#include "core/io/gzip/gzip_reader.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::tau {
namespace {

/// Of one timer's groups together. TAU's own take some 30 bytes.
constexpr std::size_t kMaximumGroupBytes = 512;
constexpr int kNewestVersion = 2;

bool readMagic(GzipReader& reader)
{
    return reader.readUint16() == 'P' && reader.readUint16() == 'P' && reader.readUint16() == 'K'
        && reader.good();
}

class PackedProfileParser {
public:
    PackedProfileParser(std::string_view bytes, std::string_view file, const Task& task)
        : reader_(bytes, unpackingLimit(bytes.size())), file_(file), task_(task)
    {
    }

    Result<RawProfile> run()
    {
        if (!readMagic(reader_))
            return fail(ErrorCode::Malformed, fmt::format("{} is no packed TAU profile.", file_));
        const int version = reader_.readInt32();
        if (reader_.readInt32() > kNewestVersion)
            return fail(ErrorCode::Unsupported,
                        fmt::format("{} is of a newer version of ParaProf than this program knows.", file_));
        if (version >= 2) readMetadata();
        else reader_.skip(static_cast<std::uint32_t>(reader_.readInt32()));
        readDefinitions();
        repeat([&] { readThread(); });
        if (task_.stopRequested()) return cancelled();
        tellState();
        return std::move(profile_);
    }

private:
    /// Reads a count and calls the body so often, or until the stream ends or the task stops.
    template <typename Body>
    void repeat(const Body& body)
    {
        const std::int32_t count = reader_.readInt32();
        if (count < 0) complain("a negative count");
        for (std::int32_t index = 0; index < count && alive(index); ++index) body();
    }

    bool alive(std::int32_t index)
    {
        return !abandoned_ && reader_.good() && (index % 1024 != 0 || !task_.stopRequested());
    }

    /// Ends the reading: what follows cannot be trusted.
    void abandon(std::string detail)
    {
        complain(std::move(detail));
        abandoned_ = true;
    }

    /// A name of the definitions. TAU writes none that is empty, but damaged data has millions of them.
    std::string readName()
    {
        std::string name = reader_.readString();
        if (name.empty() && reader_.good()) abandon("a definition without a name");
        return name;
    }

    void complain(std::string detail)
    {
        profile_.report.add(IssueKind::CorruptRecord, file_, "", std::move(detail),
                            static_cast<std::int64_t>(reader_.offset()));
    }

    double readChecked()
    {
        return checkedValue(reader_.readDouble(), profile_.report, file_,
                            static_cast<std::int64_t>(reader_.offset()));
    }

    Property readProperty()
    {
        std::string name = toValidUtf8(reader_.readString());
        return {std::move(name), toValidUtf8(reader_.readString())};
    }

    ThreadKey readKey()
    {
        ThreadKey key;
        for (std::uint32_t* part : {&key.node, &key.context, &key.thread}) {
            const std::int32_t value = reader_.readInt32();
            *part = value < 0 ? 0 : static_cast<std::uint32_t>(value);
        }
        return key;
    }

    void readMetadata()
    {
        reader_.readInt32();  // how much of this an old reader skips
        reader_.skip(static_cast<std::uint32_t>(reader_.readInt32()));
        repeat([&] { profile_.metadata.push_back(readProperty()); });
        repeat([&] {
            RawThread& thread = profile_.threads.emplace_back();
            thread.key = readKey();
            repeat([&] { thread.metadata.push_back(readProperty()); });
        });
    }

    void readDefinitions()
    {
        repeat([&] {
            profile_.metrics.push_back({readName(), ""});
            if (profile_.metrics.size() > kMaximumMetrics) abandon("more metrics than a profile can hold");
        });
        std::vector<std::string> groups;
        repeat([&] { groups.push_back(readName()); });
        repeat([&] {
            RawTimer& timer = profile_.timers.emplace_back();
            timer.name = readName();
            repeat([&] {
                const auto group = static_cast<std::uint32_t>(reader_.readInt32());
                if (group < groups.size()) addGroup(groups[group], timer);
            });
        });
        repeat([&] { profile_.events.push_back(readName()); });
    }

    /// Timers name groups by number: a long name must not be copied for each of them.
    void addGroup(const std::string& group, RawTimer& timer)
    {
        if (timer.groups.size() + group.size() <= kMaximumGroupBytes) timer.groups += group + "|";
        else
            profile_.report.add(IssueKind::UnsupportedRecord, file_, "",
                                fmt::format("groups of a timer beyond {} bytes of names", kMaximumGroupBytes),
                                static_cast<std::int64_t>(reader_.offset()));
    }

    /// The numbers of a thread; its metadata, if any, came before under the same key and is joined with them
    /// later.
    void readThread()
    {
        RawThread thread;
        thread.key = readKey();
        repeat([&] { readTimerRow(thread); });
        repeat([&] { readEventRow(thread); });
        profile_.threads.push_back(std::move(thread));
    }

    void readTimerRow(RawThread& thread)
    {
        const auto timer = static_cast<std::uint32_t>(reader_.readInt32());
        const double calls = readChecked();
        const double subroutines = readChecked();
        const auto row = static_cast<std::uint32_t>(thread.timerRows.size());
        const std::size_t valuesBefore = thread.values.size();
        for (std::uint32_t metric = 0; metric < profile_.metrics.size() && reader_.good(); ++metric) {
            const double exclusive = readChecked();
            thread.values.push_back({row, metric, exclusive, readChecked()});
        }
        if (reader_.good() && timer < profile_.timers.size())
            return thread.timerRows.push_back({timer, calls, subroutines});
        thread.values.resize(valuesBefore);
        if (reader_.good()) complain(fmt::format("timer {} is not defined", timer));
    }

    void readEventRow(RawThread& thread)
    {
        RawEventRow row;
        row.event = static_cast<std::uint32_t>(reader_.readInt32());
        row.count = std::max(0, reader_.readInt32());
        for (double* value : {&row.minimum, &row.maximum, &row.mean, &row.sumOfSquares})
            *value = readChecked();
        if (!reader_.good()) return;
        if (row.event < profile_.events.size()) thread.eventRows.push_back(row);
        else complain(fmt::format("user event {} is not defined", row.event));
    }

    void tellState()
    {
        if (reader_.good()) return;
        const auto offset = static_cast<std::int64_t>(reader_.offset());
        const auto kind = reader_.overLimit() ? IssueKind::CorruptRecord : IssueKind::Truncated;
        const std::string_view detail = reader_.overLimit()
            ? "unpacks to far more than a profile can hold; the rest is left out"
            : "the packed data ends or is damaged here";
        profile_.report.add(kind, file_, "", std::string(detail), offset);
    }

    GzipReader reader_;
    std::string_view file_;
    const Task& task_;
    RawProfile profile_;
    bool abandoned_ = false;
};

}  // namespace

bool isPackedProfile(std::string_view head)
{
    GzipReader reader(head, unpackingLimit(head.size()));
    return readMagic(reader);
}

Result<RawProfile> parsePackedProfile(std::string_view bytes, std::string_view file, const Task& task)
{
    return PackedProfileParser(bytes, file, task).run();
}

Result<RawProfile> readPackedProfile(const std::filesystem::path& path, const Task& task)
{
    const auto bytes = openFileBytes(path);
    if (!bytes) return tl::make_unexpected(bytes.error());
    auto profile = parsePackedProfile(bytes->text(), path.filename().string(), task);
    if (const auto whole = stillWhole(*bytes, path.string()); !whole) return Unexpected(whole.error());
    return profile;
}

}  // namespace skein::tau
