// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/prune_panel.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/choice_box.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/selection_model.h"
#include "views/common/utf8_text.h"
#include "views/tree_graph/prune_canvas.h"

#include <QComboBox>
#include <QCompleter>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStringListModel>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {
namespace {

constexpr int kBinsAtFirst = 25;
constexpr int kMostBinsOffered = 200;

template <typename Widget>
Widget* named(Widget* widget, const char* objectName, const QString& label)
{
    widget->setObjectName(objectName);
    widget->setAccessibleName(label);
    widget->setToolTip(label);
    return widget;
}

QLabel* wrappedLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

std::vector<CallPathRef> refsOf(const CallTreeRows& rows, const std::vector<std::uint32_t>& of)
{
    std::vector<CallPathRef> refs;
    for (const std::uint32_t row : of) {
        const auto some = callPathsOf(rows, row);
        refs.insert(refs.end(), some.begin(), some.end());
    }
    return refs;
}

}  // namespace

PrunePanel::PrunePanel(const ViewContext& context, QWidget* parent)
    : QWidget(parent), selection_(context.selection)
{
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 8, 8, 8);
    all->addWidget(makeRange(context), 1);
    all->addWidget(makeRules());
    all->addWidget(makeQuery());
    all->addWidget(makeButton("tree_graph.showAll", tr("Show All Again"),
                              tr("Undo every prune, collapse and query at once; Undo brings them back"),
                              &PrunePanel::showAllAgain));
    ruleChanged();
}

QPushButton* PrunePanel::makeButton(const char* name, const QString& text, const QString& hint,
                                    void (PrunePanel::*clicked)())
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(hint);
    connect(button, &QPushButton::clicked, this, clicked);
    return button;
}

QWidget* PrunePanel::makeRange(const ViewContext& context)
{
    auto* box = new QGroupBox(tr("Prune by amount"), this);
    auto* layout = new QVBoxLayout(box);
    amount_ = named(new QComboBox(box), "tree_graph.pruneAmount", tr("Amount to prune by"));
    amount_->addItems({tr("Colour"), tr("Area")});
    amount_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    scale_ = named(new QComboBox(box), "tree_graph.bins", tr("Width of the bins"));
    scale_->addItems({tr("Linear bins"), tr("Logarithmic bins")});
    scale_->setCurrentIndex(1);
    bins_ = named(new QSpinBox(box), "tree_graph.binCount", tr("Number of bins"));
    bins_->setRange(2, kMostBinsOffered);
    bins_->setValue(kBinsAtFirst);
    keepWithPanel(*bins_);
    auto* row = new QHBoxLayout;
    row->addWidget(scale_, 1);
    row->addWidget(bins_);
    canvas_ = new PruneCanvas(context, box);
    range_ = wrappedLabel(box);
    range_->setObjectName("tree_graph.range");
    layout->addWidget(amount_);
    layout->addLayout(row);
    layout->addWidget(canvas_, 1);
    layout->addWidget(range_);
    layout->addWidget(makeButton("tree_graph.pruneZeros", tr("Prune Zeros"),
                                 tr("Prune call paths without any of this amount, but for those that lead to "
                                    "others"),
                                 &PrunePanel::pruneZeros));
    connect(amount_, &QComboBox::activated, this, &PrunePanel::showHistogram);
    connect(scale_, &QComboBox::activated, this, &PrunePanel::showHistogram);
    connect(bins_, &QSpinBox::valueChanged, this, &PrunePanel::showHistogram);
    connect(canvas_, &PruneCanvas::moved, this, &PrunePanel::tellRange);
    connect(canvas_, &PruneCanvas::chosen, this, &PrunePanel::applyRange);
    return box;
}

QWidget* PrunePanel::makeRules()
{
    auto* box = new QGroupBox(tr("Prune by what they are"), this);
    auto* layout = new QVBoxLayout(box);
    kind_ = named(new QComboBox(box), "tree_graph.rule", tr("Which call paths"));
    kind_->addItems({tr("Name contains"), tr("Name matches"), tr("Group is"), tr("File or library contains"),
                     tr("Deeper than"), tr("Leaves")});
    text_ = named(new QLineEdit(box), "tree_graph.ruleText", tr("Text to look for"));
    text_->setClearButtonEnabled(true);
    depth_ = named(new QSpinBox(box), "tree_graph.ruleDepth", tr("Callers above those that are pruned"));
    depth_->setRange(0, 1'000'000);
    depth_->setValue(4);
    count_ = wrappedLabel(box);
    count_->setObjectName("tree_graph.ruleCount");
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(makeButton("tree_graph.pruneMatches", tr("Prune"),
                                  tr("Prune these; what they call hangs on their callers"),
                                  &PrunePanel::pruneMatches));
    buttons->addWidget(makeButton("tree_graph.keepMatches", tr("Keep Only"),
                                  tr("Prune all but these and their callers"), &PrunePanel::keepMatches));
    buttons->addWidget(
        makeButton("tree_graph.selectMatches", tr("Select"), tr("Select these"), &PrunePanel::selectMatches));
    layout->addWidget(kind_);
    layout->addWidget(text_);
    layout->addWidget(depth_);
    layout->addWidget(count_);
    layout->addLayout(buttons);
    connect(kind_, &QComboBox::activated, this, &PrunePanel::ruleChanged);
    connect(text_, &QLineEdit::textChanged, this, &PrunePanel::ruleChanged);
    connect(depth_, &QSpinBox::valueChanged, this, &PrunePanel::ruleChanged);
    connect(text_, &QLineEdit::returnPressed, this, &PrunePanel::selectMatches);
    return box;
}

void PrunePanel::setGraph(TreeGraphPtr graph)
{
    graph_ = std::move(graph);
    showHistogram();
    ruleChanged();
    const QString asked = toQString(selection_.state().tree.query);
    if (graph_ && !query_->hasFocus() && query_->text() != asked) query_->setText(asked);
    queryChanged();
}

void PrunePanel::forgetWritten()
{
    query_->clear();
    text_->clear();
    text_->setCompleter(nullptr);
}

const RowQuantity* PrunePanel::quantity() const
{
    if (!graph_) return nullptr;
    return amount_->currentIndex() == 0 ? &graph_->sums->color : &graph_->sums->size;
}

void PrunePanel::showHistogram()
{
    const RowQuantity* of = quantity();
    if (graph_) {
        amount_->setItemText(0, tr("Colour: %1").arg(toQString(graph_->sums->color.name)));
        amount_->setItemText(1, tr("Area: %1").arg(toQString(graph_->sums->size.name)));
    }
    PruneHistogram made;
    if (of)
        made = pruneHistogram(graph_->rows(), of->values, static_cast<std::size_t>(bins_->value()),
                              scale_->currentIndex() == 1 ? BinScale::Logarithmic : BinScale::Linear);
    const bool same =
        canvas_->histogram().least == made.least && canvas_->histogram().greatest == made.greatest;
    const double least = made.least, greatest = made.greatest;
    canvas_->setHistogram(std::move(made), of ? of->unit : std::string());
    const bool ours = selection_.state().tree.removed == afterRange_ && !afterRange_.empty();
    if (!same || !ours) canvas_->setRange(least, greatest);
    tellRange();
}

void PrunePanel::tellRange()
{
    const RowQuantity* of = quantity();
    if (!of || canvas_->histogram().edges.empty()) return range_->clear();
    const auto pruned = rowsOutside(graph_->rows(), of->values, canvas_->from(), canvas_->to());
    range_->setText(tr("%1 to %2: prunes %3 of %4")
                        .arg(toQString(formatAmount(canvas_->from(), of->unit)),
                             toQString(formatAmount(canvas_->to(), of->unit)),
                             toQString(formatGrouped(static_cast<std::int64_t>(pruned.size()))),
                             toQString(formatGrouped(static_cast<std::int64_t>(graph_->shown.rows)))));
}

void PrunePanel::setRemoved(const std::vector<CallPathRef>& removed)
{
    TreeEdits edits = selection_.state().tree;
    edits.removed = removed;
    std::sort(edits.removed.begin(), edits.removed.end());
    edits.removed.erase(std::unique(edits.removed.begin(), edits.removed.end()), edits.removed.end());
    selection_.setTree(edits, nullptr);
}

/// A range takes the place of the one before it, as long as nothing else was pruned since.
void PrunePanel::applyRange()
{
    const RowQuantity* of = quantity();
    if (!of) return;
    const std::vector<CallPathRef>& now = selection_.state().tree.removed;
    if (now != afterRange_) beforeRange_ = now;
    std::vector<CallPathRef> removed =
        refsOf(graph_->rows(), rowsOutside(graph_->rows(), of->values, canvas_->from(), canvas_->to()));
    removed.insert(removed.end(), beforeRange_.begin(), beforeRange_.end());
    setRemoved(removed);
    afterRange_ = selection_.state().tree.removed;
}

void PrunePanel::pruneZeros()
{
    const RowQuantity* of = quantity();
    if (!of) return;
    std::vector<double> values = of->values;
    for (double& value : values) value = value == 0.0 ? 0.0 : 1.0;  // what is not known stays
    std::vector<CallPathRef> removed = refsOf(graph_->rows(), rowsOutside(graph_->rows(), values, 1.0, 1.0));
    const std::vector<CallPathRef>& before = selection_.state().tree.removed;
    removed.insert(removed.end(), before.begin(), before.end());
    setRemoved(removed);
}

std::vector<std::uint32_t> PrunePanel::matches()
{
    ruleProblem_.clear();
    if (!graph_) return {};
    PruneRule rule{static_cast<PruneRule::Kind>(kind_->currentIndex()), text_->text().toStdString(),
                   static_cast<std::uint32_t>(depth_->value())};
    if (rule.kind == PruneRule::Kind::Match) {
        const QRegularExpression pattern(text_->text());
        if (!pattern.isValid()) {
            ruleProblem_ =
                tr("At character %1: %2.").arg(pattern.patternErrorOffset() + 1).arg(pattern.errorString());
            return {};
        }
        if (text_->text().isEmpty()) return {};
        rule.matches = [pattern](const std::string& name) {
            return pattern.match(toQString(name)).hasMatch();
        };
    }
    const RegionGroups groups(*graph_->sums->session, selection_.state().grouping);
    return rowsThatMatch(groups, graph_->rows(), graph_->shown, rule);
}

void PrunePanel::ruleChanged()
{
    const auto kind = static_cast<PruneRule::Kind>(kind_->currentIndex());
    text_->setVisible(kind < PruneRule::Kind::Depth);
    depth_->setVisible(kind == PruneRule::Kind::Depth);
    if (kind == PruneRule::Kind::Group && graph_ && !text_->completer()) {
        QStringList names;
        const RegionGroups groups(*graph_->sums->session, selection_.state().grouping);
        for (const ShownGroup& group : groups.list()) names << toQString(group.name);
        auto* completer = new QCompleter(names, text_);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        text_->setCompleter(completer);
    }
    if (kind != PruneRule::Kind::Group) text_->setCompleter(nullptr);
    const auto found = matches();
    count_->setText(!ruleProblem_.isEmpty() ? ruleProblem_
                        : found.size() == 1 ? tr("1 call path")
                                            : tr("%1 call paths").arg(found.size()));
}

void PrunePanel::pruneMatches()
{
    const auto found = matches();
    if (!found.empty())
        selection_.setTree(withRemoved(selection_.state().tree, graph_->rows(), found), nullptr);
}

void PrunePanel::keepMatches()
{
    const auto found = matches();
    if (found.empty()) return selection_.say(tr("Nothing matches; nothing was pruned."));
    selection_.setTree(withOnly(selection_.state().tree, graph_->rows(), found), nullptr);
}

void PrunePanel::selectMatches()
{
    const auto found = matches();
    if (!found.empty())
        selection_.setSelected(select(*graph_->sums->session, refsOf(graph_->rows(), found)), nullptr);
}

void PrunePanel::showAllAgain()
{
    TreeEdits edits = selection_.state().tree;
    edits.removed.clear();
    edits.collapsed.clear();
    edits.query.clear();
    selection_.setTree(edits, nullptr);
}

}  // namespace skein
