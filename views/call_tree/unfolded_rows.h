// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <set>

class QModelIndex;
class QTreeView;

namespace skein {

/// Which rows of a tree are unfolded, and how far it is scrolled, by the names on the way to each: for rows
/// that come anew and are mostly the same. At most some thousand rows are kept.
class UnfoldedRows {
public:
    /// Those of the table now. O(rows in sight and their siblings).
    explicit UnfoldedRows(const QTreeView& table);

    /// Unfolds what is there of them.
    void unfold(QTreeView& table) const;
    /// Scrolls to the same place.
    void scroll(QTreeView& table) const;

private:
    void collect(const QTreeView& table, const QModelIndex& parent, const QString& path);
    void unfoldBelow(QTreeView& table, const QModelIndex& parent, const QString& path) const;

    std::set<QString> paths_;
    int place_ = 0;
};

}  // namespace skein
