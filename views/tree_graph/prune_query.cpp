// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/scene/tree/row_query.h"
#include "views/common/selection_model.h"
#include "views/common/utf8_text.h"
#include "views/tree_graph/prune_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QCompleter>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStringListModel>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {

QWidget* PrunePanel::makeQuery()
{
    auto* box = new QGroupBox(tr("Query"), this);
    auto* layout = new QVBoxLayout(box);
    query_ = new QLineEdit(box);
    query_->setObjectName("tree_graph.query");
    query_->setAccessibleName(tr("Query in the language of Hatchet"));
    query_->setToolTip(
        tr("A query in Hatchet's string or object dialect: MATCH (\"*\")->(n) WHERE n.\"name\" = "
           "\"MPI_Wait\""));
    query_->setPlaceholderText("MATCH (\"*\")->(n) WHERE …");
    query_->setClearButtonEnabled(true);
    completions_ = new QStringListModel(query_);
    auto* completer = new QCompleter(completions_, query_);
    completer->setCompletionMode(QCompleter::PopupCompletion);
    query_->setCompleter(completer);
    queryState_ = new QLabel(box);
    queryState_->setObjectName("tree_graph.queryState");
    queryState_->setWordWrap(true);
    queryState_->setTextFormat(Qt::PlainText);
    auto* buttons = new QHBoxLayout;
    showFound_ = makeButton("tree_graph.showFound", tr("Show Only Found"),
                            tr("Show only what the query finds; an empty query shows all (Enter)"),
                            &PrunePanel::applyQuery);
    buttons->addWidget(showFound_);
    selectFound_ =
        makeButton("tree_graph.selectFound", tr("Select Found"),
                   tr("Select what the query finds, here and in all panels"), &PrunePanel::selectFound);
    buttons->addWidget(selectFound_);
    auto* writing = new QHBoxLayout;
    writing->addWidget(
        makeButton("tree_graph.asQuery", tr("Picture as Query"),
                   tr("Write the query that finds what is shown now again, by call path, and copy "
                      "it"),
                   &PrunePanel::writeQuery));
    writing->addWidget(
        makeButton("tree_graph.selectedAsQuery", tr("Selected as Query"),
                   tr("Write the query that finds the selected call paths again, by call path, "
                      "and copy it"),
                   &PrunePanel::writeSelected));
    layout->addWidget(query_);
    layout->addWidget(queryState_);
    layout->addLayout(buttons);
    layout->addLayout(writing);
    connect(query_, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (!graph_) return;
        QStringList whole;
        for (const std::string& one : queryCompletions(queried(), text.toStdString()))
            whole << toQString(one);
        completions_->setStringList(whole);
    });
    connect(query_, &QLineEdit::textChanged, this, &PrunePanel::queryChanged);
    connect(query_, &QLineEdit::returnPressed, this, &PrunePanel::applyQuery);
    return box;
}

const QueriedRows& PrunePanel::queried()
{
    if (!queried_ || queriedSums_ != graph_->sums) {
        queriedSums_ = graph_->sums;
        queried_ = std::make_shared<const QueriedRows>(
            tableOfRows(*graph_->sums->session, graph_->rows(), selection_.state().metric));
    }
    return *queried_;
}

/// How many call paths the query finds, or what is wrong with it, with a mark below the character.
void PrunePanel::queryChanged()
{
    showFound_->setEnabled(graph_ != nullptr);
    selectFound_->setEnabled(false);
    if (!graph_ || query_->text().trimmed().isEmpty()) return queryState_->clear();
    const std::string text = query_->text().toStdString();
    const auto found = findRows(text, queried(), graph_->rows().rows.size(), Task());
    showFound_->setEnabled(found.has_value());
    selectFound_->setEnabled(found && found->count > 0);
    if (!found) return queryState_->setText(toQString(sentenceOf(found.error(), text)));
    QString words = tr("Finds %1 of %2 call paths.")
                        .arg(toQString(formatGrouped(static_cast<std::int64_t>(found->count))),
                             toQString(formatGrouped(static_cast<std::int64_t>(graph_->shown.rows))));
    for (const std::string& note : found->notes) words += "\n" + toQString(note);
    queryState_->setText(words);
}

void PrunePanel::applyQuery()
{
    if (!graph_ || !showFound_->isEnabled()) return;
    TreeEdits edits = selection_.state().tree;
    edits.query = query_->text().trimmed().toStdString();
    selection_.setTree(edits, nullptr);
}

void PrunePanel::selectFound()
{
    if (!graph_) return;
    const auto found = findRows(query_->text().toStdString(), queried(), graph_->rows().rows.size(), Task());
    if (!found) return;
    std::vector<CallPathRef> paths;
    for (std::uint32_t row = 0; row < found->found.size(); ++row) {
        if (!found->found[row]) continue;
        const auto more = callPathsOf(graph_->rows(), row);
        paths.insert(paths.end(), more.begin(), more.end());
    }
    selection_.setSelected(select(*graph_->sums->session, paths), nullptr);
}

void PrunePanel::writeSelected()
{
    if (!graph_) return;
    std::vector<std::uint32_t> rows;
    for (const CallPathRef& path : selection_.state().selected.callPaths)
        if (const std::int64_t row = graph_->rows().rowOf(path.experiment, path.id); row >= 0)
            rows.push_back(static_cast<std::uint32_t>(row));
    if (rows.empty())
        return selection_.say(tr("Select call paths first: click them, or drag with the brush (B)."));
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    write(rows);
}

void PrunePanel::writeQuery()
{
    if (!graph_) return;
    std::vector<std::uint32_t> rows;
    for (const ShownNode& node : graph_->shown.nodes)
        if (node.kind != ShownKind::Surrogate) rows.push_back(node.row);
    std::sort(rows.begin(), rows.end());
    write(rows);
}

void PrunePanel::write(const std::vector<std::uint32_t>& rows)
{
    const SetQuery query = queryOfRows(queried(), rows);
    query_->setText(toQString(query.text));
    QApplication::clipboard()->setText(toQString(query.text));
    selection_.say(query.exact
                       ? tr("The query is in the clipboard.")
                       : tr("The query is in the clipboard; siblings of one name cannot be told apart, so "
                            "it finds all of them."));
}

}  // namespace skein
