// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/topology.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace skein {

/// What each link of a machine carries: a list of all links, or of those that are used where they are few of
/// a machine with so many links that these follow from a rule (Topology::linksByRule). Reading from several
/// threads is safe.
class LinkAmounts {
public:
    struct Used {
        LinkIndex link = 0;
        std::uint64_t amount = 0;
    };

    LinkAmounts() = default;
    /// One amount a link.
    explicit LinkAmounts(std::vector<std::uint64_t> all)
        : links_(static_cast<std::uint32_t>(all.size())), all_(std::move(all))
    {
    }
    /// Of `links` links those that are used, by link and each once.
    LinkAmounts(std::uint32_t links, std::vector<Used> used)
        : links_(links), ofUsed_(true), used_(std::move(used))
    {
    }

    std::uint32_t size() const { return links_; }
    /// Are only the used links listed?
    bool ofUsed() const { return ofUsed_; }
    /// O(1), or O(log used).
    std::uint64_t operator[](LinkIndex link) const
    {
        if (!ofUsed_) return all_[link];
        const auto found =
            std::lower_bound(used_.begin(), used_.end(), link,
                             [](const Used& used, LinkIndex wanted) { return used.link < wanted; });
        return found != used_.end() && found->link == link ? found->amount : 0;
    }
    /// Calls f(link, amount) by link for all links that are listed.
    template <typename F>
    void forEach(const F& f) const
    {
        for (const Used& used : used_) f(used.link, used.amount);
        for (LinkIndex link = 0; link < all_.size(); ++link) f(link, all_[link]);
    }
    /// One amount a link, whatever it takes.
    std::vector<std::uint64_t> listed() const
    {
        if (!ofUsed_) return all_;
        std::vector<std::uint64_t> all(links_, 0);
        for (const Used& used : used_) all[used.link] = used.amount;
        return all;
    }

private:
    std::uint32_t links_ = 0;
    bool ofUsed_ = false;
    std::vector<std::uint64_t> all_;
    std::vector<Used> used_;
};

}  // namespace skein
