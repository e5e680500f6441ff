// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Call paths as they are written beside the rows of a tree. Whole paths of a tree of a hundred thousand
/// levels would be as many times as long as the tree.
namespace skein {

/// Paths of more names are written by their ends alone.
inline constexpr std::size_t kMostShownNames = 1000;
/// So many names at each end.
inline constexpr std::size_t kShownAtAnEnd = 50;

/// Stands for so many names that are not shown: "… 1,234 more …".
std::string namesLeftOut(std::size_t count);

/// The names of a tree's nodes in preorder: those that are open at the node that was entered last.
class OpenPath {
public:
    /// `depth` is at most one more than that of the node before; 0 for a root. O(1) amortized.
    void enter(std::size_t depth, std::string name);

    /// From the root to the node, shortened as above. O(names shown).
    std::vector<std::string_view> names() const;
    std::string joined(std::string_view separator) const;

private:
    std::vector<std::string> open_;
    std::string gap_;
};

}  // namespace skein
