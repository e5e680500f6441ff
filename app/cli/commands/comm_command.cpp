// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/comm/rank_order.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/print_rows.h"
#include "core/machine/placement.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace skein::cli {
namespace {

struct CommOptions : WindowedOptions {
    std::string groupBy = "rank";
    std::string order = "rank";
    std::vector<std::string> messages;
};

const std::map<std::string, RankOrder> kRankOrders{{"rank", RankOrder::Rank},
                                                   {"placement", RankOrder::Placement},
                                                   {"cluster", RankOrder::Cluster},
                                                   {"bandwidth", RankOrder::Bandwidth}};

std::vector<Field> transferFields(FieldKind members)
{
    return {{"sender", "Sender", members},
            {"receiver", "Receiver", members},
            {"messages", "Messages", FieldKind::Count},
            {"bytes", "Bytes", FieldKind::Bytes}};
}

using Matrix = std::shared_ptr<const CommMatrix>;

/// Null for an archive that tells nothing about communication; stderr says why.
Result<Matrix> matrixIfTold(const OpenSession& opened, std::size_t index, const CommOptions& options,
                            const Invocation& invocation)
{
    const Experiment& experiment = *opened.session.experiments[index];
    const auto window = windowOf(opened, index, options.window);
    if (!window) return tl::make_unexpected(window.error());
    const auto rules = messageRulesOf(options.messages);
    if (!rules) return Unexpected(rules.error());
    auto matrix = commMatrixOf(experiment, *window, MessageFilter(experiment, *rules), invocation.task);
    if (matrix || tellsCommunication(experiment)) return matrix;
    invocation.err.write(fmt::format("skein-cli: {}\n", matrix.error().message));
    return Matrix();
}

/// A matrix as it is printed: members in order, with names where they are groups.
struct ShownMatrix {
    Matrix matrix;
    std::vector<std::uint32_t> order;
    std::vector<std::string> names;  ///< empty: members are ranks

    Cell member(std::uint32_t number) const
    {
        return names.empty() ? Cell(std::uint64_t{number}) : Cell(names[number]);
    }
};

Result<ShownMatrix> shownMatrix(const Experiment& experiment, Matrix matrix, const CommOptions& options,
                                const Task& task)
{
    ShownMatrix shown{std::move(matrix), {}, {}};
    if (!shown.matrix) return shown;
    std::vector<std::string> hosts = hostsOfRanks(experiment.definitions);
    if (options.groupBy != "rank") {
        auto groups = rankGroups(experiment.definitions, options.groupBy, shown.matrix->ranks());
        if (!groups) return Unexpected(groups.error());
        shown.matrix = std::make_shared<const CommMatrix>(groupedMatrix(*shown.matrix, *groups));
        hosts = shown.names = std::move(groups->names);
    }
    auto order = orderedRanks(*shown.matrix, kRankOrders.at(options.order), hosts, task);
    if (!order) return Unexpected(order.error());
    shown.order = std::move(*order);
    return shown;
}

bool emitEntries(const ShownMatrix& shown, const Emit& emit)
{
    std::vector<std::uint32_t> position(shown.order.size());
    for (std::uint32_t i = 0; i < shown.order.size(); ++i) position[shown.order[i]] = i;
    for (const std::uint32_t sender : shown.order) {
        const auto row = shown.matrix->row(sender);
        std::vector<CommMatrix::Entry> entries(row.begin(), row.end());
        std::ranges::sort(entries, {}, [&](const auto& entry) { return position[entry.receiver]; });
        for (const CommMatrix::Entry& entry : entries) {
            const Cell messages = entry.messages > 0 || entry.bytes == 0 ? Cell(entry.messages) : Cell();
            if (!emit({shown.member(entry.sender), shown.member(entry.receiver), messages, entry.bytes}))
                return false;
        }
    }
    return true;
}

Result<ExitCode> comm(const CommOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    std::vector<ShownMatrix> matrices;
    for (std::size_t index = 0; index < opened->labels.size(); ++index) {
        auto matrix = matrixIfTold(*opened, index, options, invocation);
        if (!matrix) return tl::make_unexpected(std::move(matrix.error()));
        auto shown =
            shownMatrix(*opened->session.experiments[index], std::move(*matrix), options, invocation.task);
        if (!shown) return tl::make_unexpected(std::move(shown.error()));
        matrices.push_back(std::move(*shown));
    }
    const FieldKind members = options.groupBy == "rank" ? FieldKind::Id : FieldKind::Text;
    return printRows(*opened, options.format, transferFields(members), invocation,
                     [&](std::size_t index, const Emit& emit) {
                         return !matrices[index].matrix || emitEntries(matrices[index], emit);
                     });
}

Action defineComm(CommandLine& line)
{
    auto options = std::make_shared<CommOptions>();
    addPaths(line, options->paths);
    addFormat(line, options->format);
    addWindow(line, options->window);
    addMessageConditions(line, options->messages);
    line.option("--group-by", options->groupBy,
                "rank (the default), or a class of the archive's system tree such as node: what their ranks "
                "send each other")
        .valueName("LEVEL");
    line.option("--order", options->order,
                "Of the rows: rank (the default), placement (by host), cluster (those that exchange most "
                "beside each other), bandwidth (near the diagonal)")
        .oneOf({"rank", "placement", "cluster", "bandwidth"})
        .valueName("ORDER");
    return [options](const Invocation& invocation) { return comm(*options, invocation); };
}

}  // namespace

Command commCommand()
{
    return {"comm", "Who sent how much to whom: messages and bytes of each pair of ranks",
            "  skein-cli comm trace.otf2                          a line a pair that communicates\n"
            "  skein-cli comm profiles/ --format csv > comm.csv   TAU: measured with TAU_COMM_MATRIX=1\n"
            "  skein-cli comm trace.otf2 --window 1s:2s           sends of one second\n"
            "  skein-cli comm trace.otf2 --messages 'tag=100|101'   those of a type\n"
            "  skein-cli comm trace.otf2 --group-by node --order bandwidth\n",
            defineComm};
}

}  // namespace skein::cli
