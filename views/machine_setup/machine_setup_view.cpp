// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/machine_setup/machine_setup_view.h"

#include "views/common/scene/data/session_communication.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/machine_setup/machine_sketch_canvas.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace skein {
namespace {

constexpr int kTypingPauseMs = 100;
constexpr int kMostRanksANode = 1 << 20;
constexpr auto kCheckKey = "machine_setup";

QLabel* wordsOf(QWidget* parent, const char* name)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

}  // namespace

MachineSetupView::MachineSetupView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      problem_(wordsOf(this, "machine_setup.problem")),
      facts_(wordsOf(this, "machine_setup.facts")),
      sketch_(new MachineSketchCanvas(context, this))
{
    setAcceptDrops(true);
    problem_->setProperty("role", "warning");
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    topology_ = addField(*form, "machine_setup.topology", tr("&Machine"),
                         tr("A machine, such as torus:4x4x4 or topology:FILE; empty: the archive's; none"),
                         {"", "none", "torus:4x4x4x4x2", "mesh:8x8", "hamming:8x8x8", "hypercube:6",
                          "dragonfly:9x4x2", "fattree:k=4,n=3"});
    placement_ =
        addField(*form, "machine_setup.placement", tr("&Placement"),
                 tr("Where ranks run: block, cyclic, hosts, an order such as ABCDET, or a map file; "
                    "empty: as the archive tells. Of several archives: parts with ; between, such as "
                    "block; free"),
                 {"", "block", "cyclic", "hosts", "block; free"});
    ranksPerNode_ = new QSpinBox(this);
    ranksPerNode_->setObjectName("machine_setup.ranks_per_node");
    ranksPerNode_->setAccessibleName(tr("Ranks per node"));
    ranksPerNode_->setRange(0, kMostRanksANode);
    ranksPerNode_->setSpecialValueText(tr("as few as hold all"));
    form->addRow(tr("&Ranks per node"), ranksPerNode_);
    routing_ = addField(*form, "machine_setup.routing", tr("R&outing"),
                        tr("How messages go; empty: as fits the machine"), {""});
    routes_ = new QLineEdit(this);
    routes_->setObjectName("machine_setup.routes");
    routes_->setAccessibleName(tr("Recorded routes"));
    routes_->setPlaceholderText(tr("none: a file of routes wins over the model"));
    form->addRow(tr("Recorded ro&utes"), routes_);
    QStringList algorithms;
    for (const std::string& name : collectiveChoices()) algorithms << toQString(name);
    collectives_ = addField(*form, "machine_setup.collectives", tr("&Collectives"),
                            tr("Expand collective operations into messages, by algorithm"), algorithms);
    collectives_->setEditable(false);
    addButtons(*form);
    auto* content = new QWidget(this);
    auto* all = new QVBoxLayout(content);
    all->setContentsMargins(8, 8, 8, 4);
    all->addLayout(form);
    all->addWidget(problem_);
    all->addWidget(facts_);
    all->addWidget(sketch_, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
    typed_.setSingleShot(true);
    typed_.setInterval(kTypingPauseMs);
    connect(&typed_, &QTimer::timeout, this, &MachineSetupView::check);
    connect(ranksPerNode_, &QSpinBox::valueChanged, this, [this] { typed_.start(); });
    connect(routes_, &QLineEdit::textChanged, this, [this] { typed_.start(); });
    selection().listen(this, [this](const ViewChange& change) {
        if (!change.parts.has(ViewParts::kMachine)) return;
        fill(selection().state().machine);
        check();
    });
    setFocusProxy(topology_);
    setSession(nullptr);
}

QComboBox* MachineSetupView::addField(QFormLayout& form, const char* name, const QString& label,
                                      const QString& hint, const QStringList& items)
{
    auto* field = new QComboBox(this);
    field->setObjectName(name);
    field->setAccessibleName(QString(label).remove('&'));
    field->setToolTip(hint);
    field->setEditable(true);
    // What is typed is meant: torus:4x4 is not torus:4x4x4x4x2.
    field->setCompleter(nullptr);
    field->setInsertPolicy(QComboBox::NoInsert);
    field->addItems(items);
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field->setMinimumContentsLength(14);
    field->lineEdit()->setPlaceholderText(hint);
    connect(field, &QComboBox::currentTextChanged, this, [this] { typed_.start(); });
    form.addRow(label, field);
    return field;
}

void MachineSetupView::addButtons(QFormLayout& form)
{
    open_ = new QPushButton(tr("Open &file…"), this);
    open_->setObjectName("machine_setup.open");
    open_->setToolTip(tr("topology.conf, output of ibnetdiscover, edge lists, hwloc's XML, a launcher's map, "
                         "recorded routes; dropping a file here does the same"));
    connect(open_, &QPushButton::clicked, this, &MachineSetupView::openFile);
    clear_ = new QPushButton(tr("C&lear"), this);
    clear_->setObjectName("machine_setup.clear");
    clear_->setToolTip(tr("As the archive tells, or no machine"));
    connect(clear_, &QPushButton::clicked, this, [this] {
        fill({});
        check();
    });
    auto* row = new QHBoxLayout;
    row->addWidget(open_);
    row->addWidget(clear_);
    row->addStretch(1);
    form.addRow(QString(), row);
}

void MachineSetupView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    tasks().drop(kCheckKey);
    typed_.stop();
    const auto communicates = session_ ? communicatingExperiment(*session_) : std::nullopt;
    experiment_ = communicates.value_or(0);
    for (QWidget* field : std::initializer_list<QWidget*>{topology_, placement_, ranksPerNode_, routing_,
                                                          routes_, collectives_, open_, clear_})
        field->setEnabled(communicates.has_value());
    fill(selection().state().machine);
    stale_ = true;
    if (communicates) return typed_.start();
    say({}, {});
    sketch_->setSketch({},
                       session_ ? tr("Nothing that is open tells who sent to whom. Open a trace with "
                                     "messages, a profile with a communication matrix, or a hop-byte file.")
                                : tr("Open an archive to describe the machine that it ran on."));
}

MachineChoice MachineSetupView::choice() const
{
    const auto text = [](const QComboBox* field) { return field->currentText().trimmed().toStdString(); };
    MachineChoice choice{.topology = text(topology_),
                         .placement = text(placement_),
                         .ranksPerNode = static_cast<std::uint32_t>(ranksPerNode_->value()),
                         .routing = text(routing_),
                         .routes = routes_->text().trimmed().toStdString(),
                         .collectives = text(collectives_)};
    if (choice.collectives == "none") choice.collectives.clear();
    return choice;
}

void MachineSetupView::fill(const MachineChoice& choice)
{
    for (QObject* field : std::initializer_list<QObject*>{topology_, placement_, ranksPerNode_, routing_,
                                                          routes_, collectives_})
        field->blockSignals(true);
    topology_->setCurrentText(toQString(choice.topology));
    placement_->setCurrentText(toQString(choice.placement));
    ranksPerNode_->setValue(static_cast<int>(choice.ranksPerNode));
    routing_->setCurrentText(toQString(choice.routing));
    routes_->setText(toQString(choice.routes));
    collectives_->setCurrentText(choice.collectives.empty() ? "none" : toQString(choice.collectives));
    for (QObject* field : std::initializer_list<QObject*>{topology_, placement_, ranksPerNode_, routing_,
                                                          routes_, collectives_})
        field->blockSignals(false);
}

void MachineSetupView::check()
{
    typed_.stop();
    stale_ = !isVisible();
    if (stale_ || !session_ || !open_->isEnabled()) return;
    tasks().run<MachineCheck>(
        {kCheckKey, tr("Building the machine")}, this,
        [session = session_, results = results(), experiment = experiment_,
         choice = choice()](const Task& task) -> Result<MachineCheck> {
            const std::uint32_t ranks = communicatingRanks(*session->experiments[experiment]);
            return checkMachine(*results, session, experiment, choice, ranks, task);
        },
        [this](Result<MachineCheck> checked) {
            if (checked) show(*checked);
        });
}

void MachineSetupView::show(const MachineCheck& check)
{
    say(toQString(check.problem), toQString(check.facts));
    showSketch(check);
    if (check.topology) offerRoutings(*check.topology);
    if (check.good() && check.choice != selection().state().machine)
        selection().setMachine(check.choice, this);
}

void MachineSetupView::showSketch(const MachineCheck& check)
{
    const QString message = check.good()
        ? tr("No machine is described. Type one above, such as torus:4x4x4, or drop a file here.")
        : QString();
    sketch_->setSketch({check.topology, check.machine}, message);
}

void MachineSetupView::offerRoutings(const Topology& topology)
{
    const QSignalBlocker quiet(routing_);
    const QString chosen = routing_->currentText();
    routing_->clear();
    routing_->addItem(QString());
    for (const std::string& text : routingsOf(topology)) routing_->addItem(toQString(text));
    routing_->setCurrentText(chosen);
}

void MachineSetupView::say(const QString& problem, const QString& facts)
{
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    facts_->setText(facts);
    facts_->setVisible(!facts.isEmpty());
}

void MachineSetupView::openFile()
{
    const QString file = QFileDialog::getOpenFileName(
        this, tr("A machine's description, a launcher's map, or recorded routes"));
    if (!file.isEmpty()) takeFile(file.toStdString());
}

void MachineSetupView::takeFile(const std::filesystem::path& file)
{
    if (!session_ || !open_->isEnabled()) return;
    tasks().run<MachineChoice>(
        {kCheckKey, tr("Reading %1").arg(toQString(file.filename().string()))}, this,
        [file, now = choice()](const Task& task) { return choiceWithFile(now, file, task); },
        [this](Result<MachineChoice> taken) {
            if (taken) {
                fill(*taken);
                check();
            } else if (!taken.error().cancelled()) {
                say(toQString(taken.error().text()), facts_->text());
            }
        });
}

void MachineSetupView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    if (stale_) typed_.start();
}

void MachineSetupView::dragEnterEvent(QDragEnterEvent* event)
{
    if (open_->isEnabled() && event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MachineSetupView::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls()) {
        if (!url.isLocalFile()) continue;
        event->acceptProposedAction();
        return takeFile(url.toLocalFile().toStdString());
    }
}

}  // namespace skein
