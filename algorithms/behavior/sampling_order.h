// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// The order in which a pass goes through entities: batches of `batch`, each with about as many of every
/// previous cluster, drawn at random and without replacement; clusters that are exhausted leave their share
/// to the others (Kesavan et al. 2020, section 4.2.2). Within a batch the counts of clusters that are not
/// exhausted differ by one at most. Without previous labels a random permutation of [0, count). The same seed
/// gives the same order on every machine. O(count).
std::vector<std::uint32_t> samplingOrder(std::size_t count, std::span<const std::uint32_t> previous,
                                         std::size_t batch, std::uint64_t seed);

/// Renames clusters after those before: of all pairs of a new cluster u and a previous one p the share of
/// u's entities that were in p decides, the largest first, then the larger count, the smaller u, the smaller
/// p; each is matched once, and what is left gets the smallest names that are free, in the order of u
/// (Kesavan et al. 2020, section 4.2.2). Gives the new name of each cluster. Labels lie below `clusters` and
/// `previousClusters`; entities beyond those of `previous` are new and do not count. O(entities + pairs log
/// pairs).
std::vector<std::uint32_t> matchClusters(std::span<const std::uint32_t> updated, std::uint32_t clusters,
                                         std::span<const std::uint32_t> previous,
                                         std::uint32_t previousClusters);

/// A small generator whose numbers are the same everywhere (splitmix64).
class SplitRandom {
public:
    explicit SplitRandom(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next()
    {
        std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15ULL;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
        return mixed ^ (mixed >> 31);
    }
    /// In [0, bound); bound > 0.
    std::size_t below(std::size_t bound)
    {
        return static_cast<std::size_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
    }
    /// In [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    std::uint64_t state_;
};

}  // namespace skein
