// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/id.h"
#include "core/index/disk/index_format.h"

#include <concepts>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

/// How values become bytes of the catalog and back. Both directions go through the same description of every
/// type (catalog_fields.h), so that they cannot differ.
namespace skein::disk {

/// Describes how a type is laid out: `template <typename Visitor, typename T> static void visit(Visitor&,
/// T&)`.
struct Fields;

template <typename T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Where a column goes: puts the bytes into the payload and tells at which offset of the file.
class ColumnSink {
public:
    virtual ~ColumnSink() = default;
    virtual std::uint64_t put(std::span<const std::byte> bytes) = 0;
};

class CatalogWriter {
public:
    explicit CatalogWriter(ColumnSink& columns) : columns_(columns) {}

    template <typename... Values>
    void operator()(const Values&... values)
    {
        (put(values), ...);
    }
    const std::string& bytes() const { return bytes_; }

private:
    void raw(const void* from, std::size_t size) { bytes_.append(static_cast<const char*>(from), size); }
    void count(std::uint64_t number) { raw(&number, sizeof number); }

    template <Plain T>
    void put(const T& value)
    {
        raw(&value, sizeof value);
    }
    template <typename Tag>
    void put(const Id<Tag>& id)
    {
        put(id.value());
    }
    void put(const std::string& text)
    {
        count(text.size());
        raw(text.data(), text.size());
    }
    template <typename T>
    void put(const std::vector<T>& values)
    {
        count(values.size());
        for (const T& value : values) put(value);
    }
    template <typename T>
    void put(const Column<T>& column)
    {
        count(column.size());
        count(column.empty() ? 0 : columns_.put(std::as_bytes(column.span())));
    }
    template <typename T, typename Description = Fields>
    requires std::is_class_v<T>
    void put(const T& value) { Description::visit(*this, value); }

    ColumnSink& columns_;
    std::string bytes_;
};

/// Reads what a CatalogWriter wrote out of a mapped file. Nothing is believed: counts are held against what
/// is left, columns against the payload. After the first contradiction everything else stays empty and
/// failed() is true.
class CatalogReader {
public:
    /// `owner` keeps `file` alive; columns lie in it from the header's end up to `payloadEnd`.
    CatalogReader(std::span<const std::byte> catalog, std::shared_ptr<const void> owner,
                  std::span<const std::byte> file, std::uint64_t payloadEnd)
        : left_(catalog), owner_(std::move(owner)), file_(file), payloadEnd_(payloadEnd)
    {
    }

    template <typename... Values>
    void operator()(Values&... values)
    {
        (get(values), ...);
    }
    bool failed() const { return failed_; }

private:
    bool raw(void* into, std::size_t size)
    {
        if (failed_ || size > left_.size()) return !(failed_ = true);
        if (size > 0) std::memcpy(into, left_.data(), size);
        left_ = left_.subspan(size);
        return true;
    }
    /// Every entry takes a byte at least.
    std::size_t count()
    {
        std::uint64_t number = 0;
        if (!raw(&number, sizeof number)) return 0;
        if (number > left_.size()) failed_ = true;
        return failed_ ? 0 : number;
    }

    void get(bool& value)
    {
        std::uint8_t byte = 0;
        raw(&byte, 1);
        value = byte != 0;
    }
    template <Plain T>
    void get(T& value)
    {
        if (!raw(&value, sizeof value)) value = T{};
    }
    template <typename Tag>
    void get(Id<Tag>& id)
    {
        std::uint32_t value = 0;
        get(value);
        id = Id<Tag>(value);
    }
    void get(std::string& text)
    {
        text.resize(count());
        raw(text.data(), text.size());
    }
    template <typename T>
    void get(std::vector<T>& values)
    {
        values.clear();
        for (std::size_t left = count(); left > 0 && !failed_; --left) get(values.emplace_back());
    }
    template <typename T>
    void get(Column<T>& column)
    {
        std::uint64_t size = 0;
        std::uint64_t offset = 0;
        get(size);
        get(offset);
        column = {};
        if (failed_ || size == 0) return;
        const bool placed = offset >= kHeaderBytes && offset % alignof(T) == 0 && offset <= payloadEnd_
            && size <= (payloadEnd_ - offset) / sizeof(T);
        if (!placed) {
            failed_ = true;
            return;
        }
        column = Column<T>(
            owner_, {reinterpret_cast<const T*>(file_.data() + offset), static_cast<std::size_t>(size)});
    }
    template <typename T, typename Description = Fields>
    requires std::is_class_v<T>
    void get(T& value) { Description::visit(*this, value); }

    std::span<const std::byte> left_;
    std::shared_ptr<const void> owner_;
    std::span<const std::byte> file_;
    std::uint64_t payloadEnd_ = 0;
    bool failed_ = false;
};

}  // namespace skein::disk
