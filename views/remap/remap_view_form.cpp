// SPDX-License-Identifier: GPL-3.0-or-later
// What a remapping is asked with: how its widgets stand.
#include "views/common/choice_box.h"
#include "views/common/elided_label.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/turning_splitter.h"
#include "views/common/wrap_layout.h"
#include "views/remap/remap_canvas.h"
#include "views/remap/remap_view.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace skein {

QLineEdit* RemapView::addRanks(QFormLayout& form, const char* name, const RankFieldTexts& texts,
                               const std::function<QString(const QString&)>& add)
{
    auto* field = new QLineEdit(this);
    field->setObjectName(name);
    field->setAccessibleName(QString(texts.label).remove('&'));
    field->setToolTip(tr("%1, such as %2").arg(texts.meaning, texts.example));
    field->setPlaceholderText(texts.example);
    keepWithPanel(*field);
    auto* button = new QToolButton(this);
    button->setObjectName(QString(name) + ".add");
    button->setText(tr("+ selected"));
    button->setToolTip(tr("Adds what is selected in the views"));
    auto* row = new QHBoxLayout;
    row->addWidget(field, 1);
    row->addWidget(button);
    // A row that is a layout makes no label that belongs to a field.
    auto* label = new QLabel(texts.label, this);
    label->setBuddy(field);
    label->setToolTip(field->toolTip());
    form.addRow(label, row);
    connect(button, &QToolButton::clicked, this, [this, field, add, nothing = texts.nothing] {
        const QString now = add(field->text());
        if (now == field->text()) selection().say(nothing);
        field->setText(now);
    });
    connect(field, &QLineEdit::textChanged, this, [this] { delay_.start(); });
    return field;
}

QWidget* RemapView::makeForm()
{
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    worthWords_ = new QLabel(page);
    worthWords_->setObjectName("remap.worth");
    worthWords_->setWordWrap(true);
    form->addRow(tr("Is it worth it?"), worthWords_);
    addCandidates(*form);
    const auto joined = [](const char* separator, QString (RemapView::*what)() const, const RemapView* view) {
        return [=](const QString& text) {
            const QString more = (view->*what)();
            return more.isEmpty() || text.isEmpty() ? text + more : text + separator + more;
        };
    };
    pinned_ = addRanks(*form, "remap.pinned", {tr("&Pin ranks"), tr("Ranks that stay"), "0,5,10-19"},
                       joined(",", &RemapView::selectedRanks, this));
    auto* others = new QToolButton(page);
    others->setObjectName("remap.pinned.others");
    others->setText(tr("Pin all but the selected"));
    others->setToolTip(tr("Only the ranks that are selected in the views move"));
    connect(others, &QToolButton::clicked, this, [this] {
        if (const auto ranks = otherRanks()) pinned_->setText(*ranks);
        else selection().say(tr("No rank is selected in any view."));
    });
    form->addRow(QString(), others);
    together_ = addRanks(*form, "remap.together",
                         {tr("&Together"), tr("Groups of ranks that share a node"), "0,1;8-11"},
                         joined(";", &RemapView::selectedRanks, this));
    apart_ =
        addRanks(*form, "remap.apart", {tr("&Apart"), tr("Groups of ranks on different nodes"), "0-3;64,128"},
                 joined(";", &RemapView::selectedRanks, this));
    freeNodes_ = addRanks(*form, "remap.free_nodes",
                          {tr("Lea&ve nodes free"), tr("Nodes that stay empty"), "0-3,17",
                           tr("Neither a node nor a rank is selected in any view.")},
                          joined(",", &RemapView::selectedNodes, this));
    const auto number = [&](const char* name, const QString& label, const QString& special) {
        auto* box = new QSpinBox(page);
        box->setObjectName(name);
        box->setRange(0, 1 << 24);
        box->setSpecialValueText(special);
        box->setAccessibleName(QString(label).remove('&'));
        keepWithPanel(*box);
        form->addRow(label, box);
        connect(box, &QSpinBox::valueChanged, this, [this] { delay_.start(); });
        return box;
    };
    capacity_ = number("remap.capacity", tr("Ranks a node, at most"), tr("the ranks per node"));
    maxMoved_ = number("remap.max_moved", tr("Moved ranks, at most"), tr("any number"));
    nodes_ = new QComboBox(page);
    nodes_->setObjectName("remap.nodes");
    nodes_->setAccessibleName(tr("Nodes"));
    nodes_->addItems({tr("those of the job"), tr("all of the machine")});
    form->addRow(tr("&Nodes"), nodes_);
    seed_ = new QSpinBox(page);
    seed_->setObjectName("remap.seed");
    seed_->setRange(1, 1'000'000);
    seed_->setAccessibleName(tr("Seed"));
    keepWithPanel(*seed_);
    form->addRow(tr("See&d"), seed_);
    connect(nodes_, &QComboBox::activated, this, [this] { delay_.start(); });
    return page;
}

void RemapView::addCandidates(QFormLayout& form)
{
    list_ = new QListWidget(this);
    list_->setObjectName("remap.candidates");
    list_->setAccessibleName(tr("Candidates; double click renames"));
    list_->setToolTip(tr("Candidates; double click renames"));
    list_->setFixedHeight(90);
    form.addRow(tr("Candidates"), list_);
    compared_ = new QComboBox(this);
    compared_->setObjectName("remap.compared");
    compared_->setToolTip(tr("What the candidate is compared with"));
    form.addRow(tr("&Beside"), compared_);
    connect(list_, &QListWidget::currentRowChanged, this, [this] { showCandidate(); });
    connect(list_, &QListWidget::itemChanged, this, &RemapView::rename);
    connect(compared_, &QComboBox::activated, this, [this] { showCandidate(); });
}

/// What is searched for and the search itself: in sight however low the panel is.
QLayout* RemapView::makeBar()
{
    auto* bar = new WrapLayout;
    bar->setContentsMargins(8, 0, 8, 4);
    const auto labelled = [&](const QString& text, QWidget* field) {
        auto* label = new QLabel(text, this);
        label->setBuddy(field);
        field->setAccessibleName(QString(text).remove('&'));
        bar->addWidget(label);
        bar->addWidget(field);
    };
    objective_ = new QComboBox(this);
    objective_->setObjectName("remap.objective");
    objective_->addItems({tr("Hop-bytes"), tr("Largest load of a link"), tr("Half of each")});
    connect(objective_, &QComboBox::activated, this, [this] { delay_.start(); });
    labelled(tr("&Lower"), objective_);
    seconds_ = new QDoubleSpinBox(this);
    seconds_->setObjectName("remap.seconds");
    seconds_->setRange(0.1, 86'400);
    seconds_->setValue(10);
    seconds_->setSuffix(tr(" s"));
    keepWithPanel(*seconds_);
    labelled(tr("Search &for"), seconds_);
    const auto button = [this, bar](const char* name, const QString& text, auto clicked) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(name);
        connect(made, &QPushButton::clicked, this, clicked);
        bar->addWidget(made);
        return made;
    };
    start_ = button("remap.start", tr("&Search"), [this] { search(From::Placement); });
    stop_ = button("remap.stop", tr("St&op"), [this] {
        if (live_) live_->stop.request_stop();
    });
    goOn_ = button("remap.go_on", tr("&Go on"), [this] { search(From::Candidate); });
    write_ = button("remap.write", tr("&Write map…"), [this] { writeMap(); });
    bar->addStretch();
    return bar;
}

void RemapView::layOut()
{
    QLayout* bar = makeBar();
    problem_ = new QLabel(this);
    problem_->setObjectName("remap.problem");
    problem_->setProperty("role", "warning");
    problem_->setWordWrap(true);
    problem_->setContentsMargins(8, 0, 8, 4);
    auto* form = new QScrollArea(this);
    form->setWidget(makeForm());
    form->setWidgetResizable(true);
    form->setFrameShape(QFrame::NoFrame);
    form->setMinimumWidth(300);
    auto* right = new TurningSplitter(this);
    right->addWidget(canvas_);
    right->addWidget(figures_);
    right->setStretchFactor(0, 3);
    right->setStretchFactor(1, 1);
    auto* parts = new QSplitter(this);
    parts->addWidget(form);
    parts->addWidget(right);
    parts->setStretchFactor(0, 0);
    parts->setStretchFactor(1, 1);
    head_->setContentsMargins(8, 4, 8, 4);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(head_);
    all->addLayout(bar);
    all->addWidget(problem_);
    all->addWidget(parts, 1);
    setFocusProxy(start_);
}

}  // namespace skein
