// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skein::otf2 {

/// Where a definition with an archive's id stands in its table. Ids may be sparse and huge; where they are
/// not, a look-up is one array access. Reading from several threads is safe after pack().
class IdIndex {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    /// False, and nothing changes, where the id is known already.
    bool insert(std::uint64_t id, std::uint32_t index) { return sparse_.emplace(id, index).second; }

    /// Makes look-ups fast; to be called when all ids are known.
    void pack()
    {
        std::uint64_t largest = 0;
        for (const auto& entry : sparse_) largest = std::max(largest, entry.first);
        if (sparse_.empty() || largest >= sparse_.size() * 4 + 4096) return;
        dense_.assign(largest + 1, kNone);
        for (const auto& entry : sparse_) dense_[entry.first] = entry.second;
        sparse_ = {};
    }

    /// The index, or kNone.
    std::uint32_t find(std::uint64_t id) const
    {
        if (id < dense_.size()) return dense_[id];
        if (sparse_.empty()) return kNone;
        const auto found = sparse_.find(id);
        return found == sparse_.end() ? kNone : found->second;
    }

    std::size_t size() const { return sparse_.size(); }

private:
    std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
    std::vector<std::uint32_t> dense_;
};

/// Definitions of one kind in the order of their appearance, found by the archive's ids. The first of an id
/// counts.
template <typename T>
class RefTable {
public:
    /// False where the id is known already; the value is dropped then.
    bool add(std::uint64_t id, T value)
    {
        if (!index_.insert(id, static_cast<std::uint32_t>(rows_.size()))) return false;
        ids_.push_back(id);
        rows_.push_back(std::move(value));
        return true;
    }
    /// The definition, or null.
    const T* find(std::uint64_t id) const
    {
        const std::uint32_t at = index_.find(id);
        return at == IdIndex::kNone ? nullptr : &rows_[at];
    }
    std::uint32_t indexOf(std::uint64_t id) const { return index_.find(id); }
    const std::vector<T>& rows() const { return rows_; }
    std::uint64_t id(std::size_t row) const { return ids_[row]; }
    std::size_t size() const { return rows_.size(); }
    /// Gives the index away for look-ups while events are read.
    IdIndex takeIndex()
    {
        index_.pack();
        return std::move(index_);
    }

private:
    std::vector<T> rows_;
    std::vector<std::uint64_t> ids_;
    IdIndex index_;
};

}  // namespace skein::otf2
