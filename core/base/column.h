// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace skein {

/// An immutable array of plain values that lives in memory or in a mapped file; copies share the storage.
/// Reading from several threads is safe.
template <typename T>
class Column {
    static_assert(std::is_trivially_copyable_v<T>, "a column must be mappable from a file as it is");

public:
    using value_type = T;

    Column() = default;
    /// Takes a vector over.
    explicit Column(std::vector<T> values)
    {
        auto held = std::make_shared<const std::vector<T>>(std::move(values));
        values_ = *held;
        owner_ = std::move(held);
    }
    /// Looks at values that `owner` keeps alive, for example a file mapping.
    Column(std::shared_ptr<const void> owner, std::span<const T> values)
        : owner_(std::move(owner)), values_(values)
    {
    }

    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    const T& operator[](std::size_t index) const { return values_[index]; }
    const T& front() const { return values_.front(); }
    const T& back() const { return values_.back(); }
    const T* data() const { return values_.data(); }
    auto begin() const { return values_.data(); }
    auto end() const { return values_.data() + values_.size(); }
    std::span<const T> span() const { return values_; }
    std::size_t bytes() const { return values_.size_bytes(); }

private:
    std::shared_ptr<const void> owner_;
    std::span<const T> values_;
};

/// Grows an array at its end and hands it over as a Column. Growth goes through realloc: large blocks move by
/// remapping, not by copying, and capacity that was never written is not resident. Not thread-safe.
template <typename T>
class ColumnBuilder {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    ColumnBuilder() = default;
    ~ColumnBuilder() { std::free(values_); }
    ColumnBuilder(ColumnBuilder&& other) noexcept
        : values_(std::exchange(other.values_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0))
    {
    }
    ColumnBuilder& operator=(ColumnBuilder&& other) noexcept
    {
        std::swap(values_, other.values_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }

    void push(const T& value)
    {
        if (size_ == capacity_) grow(capacity_ < 64 ? 64 : capacity_ * 2);
        values_[size_++] = value;
    }
    void reserve(std::size_t capacity)
    {
        if (capacity > capacity_) grow(capacity);
    }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// Forgets the values and keeps the room for new ones.
    void clear() { size_ = 0; }
    T& operator[](std::size_t index) { return values_[index]; }
    const T& operator[](std::size_t index) const { return values_[index]; }
    T& back() { return values_[size_ - 1]; }
    std::span<T> span() { return {values_, size_}; }
    std::span<const T> span() const { return {values_, size_}; }

    /// Gives unused capacity back and hands the values over; the builder is empty afterwards.
    Column<T> finish()
    {
        if (size_ == 0) {
            std::free(std::exchange(values_, nullptr));
            capacity_ = 0;
            return {};
        }
        grow(size_);
        std::shared_ptr<T> held(values_, [](T* values) { std::free(values); });
        const std::span<const T> view(values_, size_);
        values_ = nullptr;
        size_ = capacity_ = 0;
        return Column<T>(std::move(held), view);
    }

private:
    void grow(std::size_t capacity)
    {
        void* moved = std::realloc(static_cast<void*>(values_), capacity * sizeof(T));
        if (!moved) throw std::bad_alloc();
        values_ = static_cast<T*>(moved);
        capacity_ = capacity;
    }

    T* values_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace skein
