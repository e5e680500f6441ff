// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QAbstractItemModel>

#include "views/common/scene/color/palette.h"
#include "views/common/scene/data/call_tree_rows.h"
#include "views/common/scene/tree/derived_column.h"
#include "views/common/table/compared_cells.h"
#include "views/common/table/sorted_model.h"

#include <memory>
#include <optional>
#include <vector>

namespace skein {

/// The call tree as a tree of Qt. Siblings are put in order only when somebody looks at them, so that
/// hundreds of thousands of call paths cost nothing until they are unfolded.
class CallTreeModel : public SortedModel<QAbstractItemModel> {
    Q_OBJECT

public:
    enum Column {
        kName,
        kPercent,
        kInclusive,
        kExclusive,
        kCalls,
        kMean,
        kMinimum,
        kMaximum,
        kImbalance,
        kLost,
        kWorst,
        kDerived,  ///< only where there is one
        kColumnCount
    };

    explicit CallTreeModel(QObject* parent = nullptr);

    /// `palettes` holds the colours of each experiment's regions.
    void setRows(std::shared_ptr<const CallTreeRows> rows, std::vector<RegionPalette> palettes,
                 DerivedColumn derived = {});
    const DerivedColumn& derived() const { return derived_; }
    void setPalettes(std::vector<RegionPalette> palettes);
    /// Shows two runs beside each other: behind the name stand the columns of ComparedColumn.
    void setCompared(ComparedRowsPtr compared);
    const ComparedCells& compared() const { return compared_; }
    /// Shows only rows whose name contains the text, and those above them.
    void setFilter(const QString& text);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override { return rowCount(parent) > 0; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const CallTreeRows& rows() const { return *rows_; }
    /// Number of the row behind an index; -1 for none.
    std::int64_t nodeOf(const QModelIndex& index) const;
    /// Invalid when the filter hides the row.
    QModelIndex indexOf(std::int64_t node, int column = kName) const;
    /// Rows whose own name matches the filter, in preorder, at most `limit`.
    std::vector<std::int64_t> matches(std::size_t limit) const;
    /// Follows the child with the greatest inclusive amount while it holds at least half of its parent's,
    /// from a row or, when that is invalid, from the greatest root; as hpcviewer does. Gives where that ends.
    QModelIndex hotPathFrom(const QModelIndex& start) const;

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    std::size_t slotOf(const QModelIndex& parent) const;
    std::span<std::uint32_t> childrenOf(std::size_t slot) const;
    void order(std::size_t slot) const;
    bool before(std::uint32_t left, std::uint32_t right) const;
    void rebuild();
    std::size_t numberOf(const CallTreeRow& row) const;
    /// What a column shows of a comparison; nothing for names and where nothing is compared.
    std::optional<ComparedColumn> comparedAt(int column) const;
    bool isText(int column) const;
    QString text(const CallTreeRow& row, int column) const;
    double value(const CallTreeRow& row, int column) const;
    QString toolTip(const CallTreeRow& row, int column) const;
    QVariant unit(int column) const;
    QVariant swatchOf(const CallTreeRow& row) const;

    std::shared_ptr<const CallTreeRows> rows_;
    DerivedColumn derived_;
    ComparedCells compared_;
    std::vector<RegionPalette> palettes_;
    std::string filter_;
    std::vector<std::uint8_t> matches_;
    std::vector<std::uint32_t> offsets_;  ///< children of slot s: [offsets[s], offsets[s + 1])
    mutable std::vector<std::uint32_t>
        children_;  ///< slot 0 holds the outermost rows, slot n + 1 the children of row n
    mutable std::vector<std::uint32_t>
        rowOf_;  ///< place of each row among its siblings, once they are in order
    mutable std::vector<std::uint32_t> ordered_;  ///< per slot: the generation for which it is in order
    std::uint32_t generation_ = 1;
};

}  // namespace skein
