// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/call_verdicts.h"
#include "algorithms/anomaly/feature_projection.h"
#include "algorithms/anomaly/find_anomalies.h"
#include "algorithms/anomaly/provenance.h"
#include "algorithms/anomaly/sigma_rule.h"
#include "algorithms/anomaly/stream_anomalies.h"
#include "algorithms/anomaly/workflow_causes.h"
#include "algorithms/timeline/waits_at_end.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/judged_workflow.h"
#include "app/cli/print_rows.h"
#include "app/cli/said_calls.h"
#include "core/base/output_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::cli {
namespace {

enum class AnomaliesBy { Call, Function };

struct AnomalyOptions {
    std::vector<std::string> paths;
    std::vector<std::string> functions;
    Format format = Format::Table;
    AnomalyParams params;
    AnomaliesBy by = AnomaliesBy::Call;
    std::uint32_t height = 3;
    std::string age, provenance, verdicts, coupling;
    bool stream = false;
    bool all = false;
    bool learn = false;
};

const std::vector<Field> kAnomalyFields{
    {"rank", "Rank", FieldKind::Id},
    {"thread", "Thread", FieldKind::Id},
    {"function", "Function", FieldKind::Text},
    {"call_index", "Call", FieldKind::Id},
    {"begin_ns", "Begin", FieldKind::Time},
    {"duration_ns", "Duration", FieldKind::Duration},
    {"score", "Score", FieldKind::Number},
    {"severity_ns", "Lost", FieldKind::Duration},
    {"label", "Label", FieldKind::Text},
    {"reason", "Why", FieldKind::Text},
    {"cause_rank", "Cause: rank", FieldKind::Id},
    {"cause_thread", "thread", FieldKind::Id},
    {"cause_function", "function", FieldKind::Text},
    {"cause_call_index", "call", FieldKind::Id},
    {"cost_ns", "Others waited", FieldKind::Duration},
};

/// Of several archives: which one the cause is in.
std::vector<Field> anomalyFields(const AnomalyOptions& options)
{
    std::vector<Field> fields = kAnomalyFields;
    if (options.paths.size() > 1) fields.push_back({"cause_program", "in", FieldKind::Text});
    return fields;
}

const std::vector<Field> kFunctionFields{
    {"function", "Function", FieldKind::Text},
    {"calls", "Calls", FieldKind::Count},
    {"anomalies", "Anomalies", FieldKind::Count},
    {"consequences", "Consequences", FieldKind::Count},
    {"regular", "Regular", FieldKind::Count},
    {"anomalous_percent", "Anomalous %", FieldKind::Number},
    {"severity_ns", "Lost", FieldKind::Duration},
    {"mean_ns", "Mean", FieldKind::Duration},
    {"deviation_ns", "Deviation", FieldKind::Duration},
    {"median_ns", "Median", FieldKind::Duration},
    {"interest", "Interest", FieldKind::Number},
};

Cell placeRank(const PlaceOfLocation& place) { return place.rank < 0 ? Cell() : Cell(place.rank); }

/// Of one archive of the command line what was found, and of all where causes are.
struct ArchiveCalls {
    const JudgedWorkflow& workflow;
    const WorkflowCauses& causes;
    std::uint32_t number = 0;

    const Experiment& experiment() const { return *workflow.opened->session.experiments[number]; }
    const FoundAnomalies& found() const { return *workflow.found[number]; }
    /// `call`: one of found().calls.
    WorkflowCall placeOf(const JudgedCall& call) const
    {
        return {number, static_cast<std::uint32_t>(&call - found().calls.data())};
    }
    /// Of a call that was found: whether it is an anomaly only for its own program.
    bool waitedForOther(const JudgedCall& call) const { return causes.labelOf(placeOf(call)) != call.label; }
};

/// Where a call has its cause: in itself, or in the anomaly that it follows from.
void addCause(std::vector<Cell>& cells, const Experiment& experiment, const FoundAnomalies& found,
              const JudgedCall* cause)
{
    if (!cause) {
        cells.resize(cells.size() + 4);
        return;
    }
    const PlaceOfLocation& place = found.places[cause->location.index()];
    cells.push_back(placeRank(place));
    cells.emplace_back(std::uint64_t{place.thread});
    cells.emplace_back(functionName(experiment.definitions, cause->function));
    cells.emplace_back(std::uint64_t{cause->callIndex});
}

/// What is printed of a call whatever caused it.
std::vector<Cell> callCells(const Experiment& experiment, const FoundAnomalies& found, const JudgedCall& call,
                            AnomalyLabel label, std::string_view why)
{
    const PlaceOfLocation& place = found.places[call.location.index()];
    return {placeRank(place),
            std::uint64_t{place.thread},
            functionName(experiment.definitions, call.function),
            std::uint64_t{call.callIndex},
            call.begin,
            call.durationNs,
            call.score,
            call.severityNs,
            std::string(name(label)),
            why.empty() ? Cell() : Cell(std::string(why))};
}

/// What other programs did counts unless something was said of the call.
std::vector<Cell> callRow(const ArchiveCalls& archive, const CallVerdicts& verdicts, const JudgedCall& call,
                          AnomalyLabel label)
{
    const bool single = archive.workflow.opened->single();
    const bool asFound = call.label != AnomalyLabel::Normal && call.label == label
        && !verdicts.saidOf(call.location, call.call);
    const bool fromOther = asFound && archive.waitedForOther(call);
    const AnomalyLabel known = fromOther ? AnomalyLabel::Consequence : label;
    const std::string_view why = fromOther ? name(AnomalyReason::Wait) : asFound ? whyOf(call) : "";
    std::vector<Cell> cells = callCells(archive.experiment(), archive.found(), call, known, why);
    ArchiveCalls at = archive;
    const JudgedCall* cause = known == AnomalyLabel::Anomaly ? &call : nullptr;
    const auto found = asFound ? archive.causes.causeOf(archive.placeOf(call)) : std::nullopt;
    if (found) {
        at.number = found->program;
        cause = &at.found().calls[found->place];
    } else if (known == AnomalyLabel::Consequence && call.cause != kNoCause) {
        cause = &archive.found().calls[call.cause];
    }
    addCause(cells, at.experiment(), at.found(), cause);
    cells.push_back(known == AnomalyLabel::Anomaly ? Cell(call.costNs) : Cell());
    if (!single) cells.push_back(cause ? Cell(archive.workflow.opened->labels[at.number]) : Cell());
    return cells;
}

/// What is printed of calls beside the usual: the chosen features, and where these place a call in two
/// dimensions.
class FeatureColumns {
public:
    static constexpr std::size_t kMostProjected = std::size_t{1}
        << 20;  ///< calls that the axes are learnt of

    static bool isPrintedAnyway(CallFeature feature)
    {
        return feature == CallFeature::Begin || feature == CallFeature::Duration;
    }

    static std::vector<Field> fieldsWith(std::vector<Field> fields, const std::vector<CallFeature>& chosen)
    {
        for (const CallFeature each : chosen) {
            if (isPrintedAnyway(each)) continue;
            std::string key(name(each)), title = key;
            title[0] = static_cast<char>(title[0] - 'a' + 'A');
            const FieldKind kind = each == CallFeature::End ? FieldKind::Time
                : isTime(each)                              ? FieldKind::Duration
                : each == CallFeature::Bytes                ? FieldKind::Bytes
                                                            : FieldKind::Count;
            fields.push_back({isTime(each) ? key + "_ns" : key, title, kind});
        }
        return fields;
    }

    static std::vector<Field> fieldsOfAll(std::vector<Field> fields, const std::vector<CallFeature>& chosen)
    {
        fields = fieldsWith(std::move(fields), chosen);
        if (chosen.size() < 2) return fields;
        fields.push_back({"projection_1", "Projection 1", FieldKind::Number});
        fields.push_back({"projection_2", "Projection 2", FieldKind::Number});
        return fields;
    }

    /// Without places, whose axes are those of all calls.
    FeatureColumns(const FoundAnomalies& found, const std::vector<CallFeature>& chosen)
        : chosen_(chosen), index_(found.features)
    {
    }

    /// Errors: Cancelled.
    static Result<FeatureColumns> make(const Experiment& experiment, const FoundAnomalies& found,
                                       const std::vector<CallFeature>& chosen, const Task& task)
    {
        FeatureColumns columns(found, chosen);
        if (chosen.size() < 2) return columns;
        const auto rows = sampledFeatures(*experiment.trace, *found.functionsOfCalls, *found.features,
                                          kMostProjected, task);
        if (!rows) return tl::make_unexpected(rows.error());
        columns.projection_.emplace(*rows, chosen);
        return columns;
    }

    void addTo(std::vector<Cell>& cells, const JudgedCall& call) const
    {
        if (chosen_.empty()) return;
        const CallFeatureValues values = index_->values(call.location, call.call);
        for (const CallFeature each : chosen_) {
            if (isPrintedAnyway(each)) continue;
            const std::int64_t value = values[static_cast<std::size_t>(each)];
            cells.push_back(isTime(each) ? Cell(value) : Cell(static_cast<std::uint64_t>(value)));
        }
        if (!projection_) return;
        for (const double each : projection_->place({call.function, values})) cells.emplace_back(each);
    }

private:
    std::vector<CallFeature> chosen_;
    std::shared_ptr<const CallFeatureIndex> index_;
    std::optional<FeatureProjection> projection_;
};

/// By function, which of them the user named; empty: all. Errors: InvalidArgument for a name that is none.
Result<std::vector<bool>> wantedFunctions(const Experiment& experiment, const FoundAnomalies& found,
                                          const std::vector<std::string>& names)
{
    std::vector<bool> wanted;
    if (names.empty()) return wanted;
    wanted.resize(found.functionsOfCalls->count(), false);
    const std::vector<std::uint32_t> first = firstOfName(experiment.definitions);
    for (const std::string& text : names) {
        bool known = false;
        for (std::size_t region = 0; region < first.size(); ++region) {
            const Region& each = experiment.definitions.regions[region];
            if (each.name != text && displayName(each) != text) continue;
            wanted[first[region]] = known = true;
        }
        if (!known)
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("No function is named '{}'; skein-cli profile --by region lists them.", text));
    }
    return wanted;
}

/// "sigma: 3 deviations, beyond which 0.27 % of a normal distribution lie"
std::string detectorText(const AnomalyParams& params)
{
    std::string text(name(params.detector));
    if (params.detector == AnomalyDetector::Sigma || params.detector == AnomalyDetector::Robust)
        text += fmt::format(": {} deviations, beyond which {:.3g} % of a normal distribution lie",
                            params.sigma, 100.0 * tailShare(params.sigma));
    return text;
}

void tellAnomalies(const ArchiveCalls& archive, const AnomalyOptions& options, Sink& err)
{
    const Experiment& experiment = archive.experiment();
    const FoundAnomalies& found = archive.found();
    const auto first = found.calls.begin();
    const auto odd = static_cast<std::size_t>(
        std::count_if(first, first + static_cast<std::ptrdiff_t>(found.anomalies),
                      [&](const JudgedCall& call) { return !archive.waitedForOther(call); }));
    err.write(fmt::format("skein-cli: {}: {} anomalous calls and {} consequences; {}.\n",
                          experiment.path.string(), odd, found.calls.size() - odd,
                          detectorText(options.params)));
    if (found.delays.contradictions() > 0)
        err.write(
            fmt::format("skein-cli: {}: the clocks of {} pairs of locations contradict each other: chains of "
                        "causes stop there; --correct-clocks may help.\n",
                        experiment.path.string(), found.delays.contradictions()));
}

/// What was found of functions, less the anomalies that are consequences of what other programs did.
std::vector<FunctionVerdicts> functionsIn(const ArchiveCalls& archive)
{
    std::vector<FunctionVerdicts> functions = archive.found().functions;
    if (!archive.causes.any()) return functions;
    for (std::size_t i = 0; i < archive.found().anomalies; ++i) {
        const JudgedCall& call = archive.found().calls[i];
        if (!archive.waitedForOther(call)) continue;
        const auto of = std::find_if(functions.begin(), functions.end(), [&](const FunctionVerdicts& each) {
            return each.function == call.function;
        });
        if (of == functions.end()) continue;
        --of->anomalies;
        ++of->consequences;
        of->severityNs -= call.severityNs;
    }
    return functions;
}

bool emitFunctions(const ArchiveCalls& archive, const std::vector<bool>& wanted, const Emit& emit)
{
    for (const FunctionVerdicts& each : functionsIn(archive)) {
        if (!wanted.empty() && !wanted[each.function]) continue;
        const std::uint64_t strange = each.anomalies + each.consequences;
        const double share = each.calls == 0
            ? 0.0
            : 100.0 * static_cast<double>(each.anomalies) / static_cast<double>(each.calls);
        if (!emit({functionName(archive.experiment().definitions, each.function), each.calls, each.anomalies,
                   each.consequences, each.calls > strange ? each.calls - strange : 0, share, each.severityNs,
                   each.meanNs, each.deviationNs, each.medianNs, each.interest}))
            return false;
    }
    return true;
}

/// What the detector found, by what was said of it; then the calls that it calls normal as far as they are
/// wanted, or something was said of them or learned.
Result<bool> emitCalls(const ArchiveCalls& archive, const CallVerdicts& verdicts,
                       const std::vector<bool>& wanted, const AnomalyOptions& options,
                       const Invocation& invocation, const Emit& emit)
{
    const Experiment& experiment = archive.experiment();
    const FoundAnomalies& found = archive.found();
    const auto columns = FeatureColumns::make(experiment, found, options.params.chosen, invocation.task);
    if (!columns) return tl::make_unexpected(columns.error());
    const auto row = [&](const JudgedCall& call) {
        const AnomalyLabel label = verdicts.labelOf(found, call);
        if (label == AnomalyLabel::Normal && !options.all) return true;
        std::vector<Cell> cells = callRow(archive, verdicts, call, label);
        columns->addTo(cells, call);
        return emit(std::move(cells));
    };
    for (const JudgedCall& call : found.calls)
        if ((wanted.empty() || wanted[call.function]) && !row(call)) return false;
    if (!options.all && verdicts.empty()) return true;
    const auto visit = [&](const JudgedCall& call) {
        return call.label != AnomalyLabel::Normal || row(call);
    };
    const bool complete = forEachJudgedCall(experiment, found, wanted, visit, invocation.task);
    if (invocation.task.stopRequested()) return cancelled();
    return complete;
}

/// Each has its cause in itself; who waited for it is not asked, and so its cost is not known.
std::vector<Cell> streamRow(const Experiment& experiment, const FoundAnomalies& found, const JudgedCall& call,
                            const AnomalyOptions& options)
{
    std::vector<Cell> cells = callCells(experiment, found, call, call.label, whyOf(call));
    addCause(cells, experiment, found, &call);
    cells.emplace_back();
    if (options.paths.size() > 1) cells.emplace_back(experiment.path.string());
    return cells;
}

/// The features that calls are judged by, where there are such, as they are known at a call's end.
Result<bool> countChosen(const Experiment& experiment, FoundAnomalies& found, const AnomalyParams& params,
                         const Task& task)
{
    if (params.chosen.empty() || !experiment.trace) return true;
    const auto waits = findWaitsKnownAtEnd(experiment, task);
    if (!waits) return tl::make_unexpected(waits.error());
    auto features = CallFeatureIndex::build(*experiment.trace, *found.functionsOfCalls, *waits, task);
    if (!features) return tl::make_unexpected(features.error());
    found.features = std::make_shared<const CallFeatureIndex>(std::move(*features));
    return true;
}

/// The anomalies alone, in the order in which their calls ended.
Result<bool> emitStream(const Experiment& experiment, const AnomalyOptions& options,
                        const Invocation& invocation, const Emit& emit)
{
    FoundAnomalies found;
    found.places = placesOf(experiment.definitions);
    found.functionsOfCalls = std::make_shared<const FunctionsOfCalls>(experiment);
    const auto wanted = wantedFunctions(experiment, found, options.functions);
    if (!wanted) return tl::make_unexpected(wanted.error());
    const auto age = options.age.empty() ? std::optional<TimeNs>(0) : parseTime(options.age);
    if (!age)
        return fail(ErrorCode::InvalidArgument, "The age '" + options.age + "' is no time such as 30s.");
    if (const auto counted = countChosen(experiment, found, options.params, invocation.task); !counted)
        return counted;
    auto calls = streamAnomalies(experiment, *found.functionsOfCalls, {options.params, *age}, invocation.task,
                                 found.features.get());
    if (!calls) return tl::make_unexpected(calls.error());
    invocation.task.report(1.0, "");
    found.calls = std::move(*calls);
    invocation.err.write(fmt::format("skein-cli: {}: {} anomalous calls as they ended; {}.\n",
                                     experiment.path.string(), found.calls.size(),
                                     detectorText(options.params)));
    const FeatureColumns columns(found, options.params.chosen);
    for (const JudgedCall& call : found.calls) {
        if (!wanted->empty() && !(*wanted)[call.function]) continue;
        std::vector<Cell> cells = streamRow(experiment, found, call, options);
        columns.addTo(cells, call);
        if (!emit(std::move(cells))) return false;
    }
    return true;
}

/// What the session file says of the calls of this archive.
Result<CallVerdicts> verdictsOf(const Experiment& experiment, const FoundAnomalies& found,
                                const AnomalyOptions& options, std::size_t number, Sink& err)
{
    if (options.verdicts.empty()) return CallVerdicts();
    const auto said = readSaidCalls(options.verdicts, number);
    if (!said) return tl::make_unexpected(said.error());
    CallVerdicts verdicts(experiment, found, *said, options.learn ? Teaching::Limits : Teaching::None);
    if (verdicts.unknown() > 0)
        err.write(fmt::format("skein-cli: {}: {} of the calls in {} are not in this archive.\n",
                              experiment.path.string(), verdicts.unknown(), options.verdicts));
    return verdicts;
}

Result<bool> emitArchive(const ArchiveCalls& archive, const AnomalyOptions& options,
                         const Invocation& invocation, const Emit& emit)
{
    const Experiment& experiment = archive.experiment();
    const FoundAnomalies& found = archive.found();
    const auto wanted = wantedFunctions(experiment, found, options.functions);
    if (!wanted) return tl::make_unexpected(wanted.error());
    const auto verdicts = verdictsOf(experiment, found, options, archive.number, invocation.err);
    if (!verdicts) return tl::make_unexpected(verdicts.error());
    invocation.task.report(1.0, "");
    tellAnomalies(archive, options, invocation.err);
    if (!options.provenance.empty())
        if (const auto written =
                writeFile(options.provenance, provenanceJson(experiment, found, {}, *verdicts));
            !written)
            return tl::make_unexpected(written.error());
    if (options.by == AnomaliesBy::Function) return emitFunctions(archive, *wanted, emit);
    return emitCalls(archive, *verdicts, *wanted, options, invocation, emit);
}

Result<ExitCode> streamedAnomalies(const AnomalyOptions& options, const Invocation& invocation)
{
    if (options.by == AnomaliesBy::Function)
        return fail(ErrorCode::InvalidArgument,
                    "--by function counts all calls, which --stream does not list.");
    const WindowedOptions windowed{options.paths, options.format, ""};
    return printWindowed(
        windowed, "calls", FeatureColumns::fieldsWith(anomalyFields(options), options.params.chosen),
        invocation, [&](const Experiment& experiment, const auto&, const Emit& emit) -> Result<bool> {
            return emitStream(experiment, options, invocation, emit);
        });
}

/// All archives are judged before a row is printed: a call of one may wait for another.
Result<ExitCode> anomalies(const AnomalyOptions& options, const Invocation& invocation)
{
    if (options.stream) return streamedAnomalies(options, invocation);
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    if (const auto traces = windowsOfTraces(*opened, "calls", "", invocation.err); !traces)
        return tl::make_unexpected(traces.error());
    const auto workflow = judgedWorkflow(*opened, options.params, options.coupling, invocation.task);
    if (!workflow) return tl::make_unexpected(workflow.error());
    const WorkflowCauses causes(workflow->programs(), workflow->handOvers);
    const bool functions = options.by == AnomaliesBy::Function;
    return printRows(*opened, options.format,
                     functions ? kFunctionFields
                               : FeatureColumns::fieldsOfAll(anomalyFields(options), options.params.chosen),
                     invocation, [&](std::size_t index, const Emit& emit) -> Result<bool> {
                         if (!workflow->found[index]) return true;
                         return emitArchive({*workflow, causes, static_cast<std::uint32_t>(index)}, options,
                                            invocation, emit);
                     });
}

/// What is wrong with the text, if anything is.
std::optional<std::string> takeFeatures(const std::string& text, AnomalyParams& params)
{
    params.chosen.clear();
    if (text == "time") params.features = AnomalyFeatures::Time;
    else if (text == "structure") params.features = AnomalyFeatures::Structure;
    else if (text == "both") params.features = AnomalyFeatures::Both;
    else {
        auto chosen = callFeaturesOf(text);
        if (!chosen) return chosen.error().message + " Or one of: time, structure, both.";
        params.features = AnomalyFeatures::Time;
        params.chosen = std::move(*chosen);
    }
    return std::nullopt;
}

void addDetector(CommandLine& line, AnomalyOptions& options)
{
    std::vector<std::pair<std::string, AnomalyDetector>> detectors;
    for (std::size_t i = 0; i < kAnomalyDetectors; ++i) {
        const auto detector = static_cast<AnomalyDetector>(i);
        detectors.emplace_back(std::string(name(detector)), detector);
    }
    addChoice(
        line, "--detector", options.params.detector, detectors,
        "what judges the time in a call itself: a break in the tail, deviations from the mean or the median, "
        "histograms, densities, a support vector machine");
    line.option(
            "--features", [&options](const std::string& text) { return takeFeatures(text, options.params); },
            "time: how long calls last; structure: which calls they make; both, the default; or a list of "
            "features, which lof, svm, hbos and copod judge together: duration, exclusive, begin, end, "
            "messages, bytes, children, "
            "mpi, waiting")
        .valueName("time|structure|both|LIST");
    line.option("--sigma", options.params.sigma, "how far from normal is anomalous, in deviations")
        .aboveZero();
    line.option("--height", options.height, "how many levels of calls a structure is compared by")
        .between(1, static_cast<int>(kMostLabelHeight));
}

Action defineAnomalies(CommandLine& line)
{
    auto options = std::make_shared<AnomalyOptions>();
    addPaths(line, options->paths);
    line.option("--function", options->functions, "only calls of these functions")
        .valueName("NAME")
        .repeatable();
    addDetector(line, *options);
    addChoice<AnomaliesBy>(line, "--by", options->by,
                           {{"call", AnomaliesBy::Call}, {"function", AnomaliesBy::Function}},
                           "calls, or what was found of each function, the most interesting first");
    line.flag("--stream", options->stream,
              "judge each call as it ends, by those before it alone; anomalies only");
    line.option("--age", options->age,
                "with --stream: how long a call is remembered, such as 1h or 500ms; all of them")
        .valueName("TIME")
        .needs("--stream");
    line.option("--provenance", options->provenance,
                "writes the anomalies with call stack and window as Chimbuko's provenance records; of the "
                "last PATH")
        .valueName("FILE")
        .excludes("--stream");
    line.option("--verdicts", options->verdicts,
                "a session file: what was said of calls in the window counts, whatever the detector says")
        .valueName("FILE")
        .excludes("--stream");
    line.option("--coupling", options->coupling,
                "what several archives handed over to each other; without it coupling.csv beside them")
        .valueName("FILE")
        .excludes("--stream");
    line.flag("--learn", options->learn, "what was said moves the limits of functions").needs("--verdicts");
    line.flag("--all", options->all, "normal calls as well").excludes("--stream");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) {
        options->params.labelHeight = options->height;
        return anomalies(*options, invocation);
    };
}

}  // namespace

Command anomaliesCommand()
{
    return {
        "anomalies", "Calls that are different, calls that are long because of them, and why",
        "  skein-cli anomalies trace.otf2                          what is not normal, most severe first\n"
        "  skein-cli anomalies trace.otf2 --by function            what was found of each function\n"
        "  skein-cli anomalies trace.otf2 --function solve --all   every call of one function\n"
        "  skein-cli anomalies trace.otf2 --detector sigma --sigma 6 --features time\n"
        "  skein-cli anomalies sim/traces.otf2 ana/traces.otf2     causes may be in the other program\n",
        defineAnomalies};
}

}  // namespace skein::cli
