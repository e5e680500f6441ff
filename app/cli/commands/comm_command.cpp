// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_matrix_of.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/open_session.h"

#include <fmt/format.h>

namespace skein::cli {
namespace {

struct CommOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
    std::string window;
};

const std::vector<Field> kTransferFields{
    {"sender", "Sender", FieldKind::Id},
    {"receiver", "Receiver", FieldKind::Id},
    {"messages", "Messages", FieldKind::Count},
    {"bytes", "Bytes", FieldKind::Bytes},
};

using Matrix = std::shared_ptr<const CommMatrix>;

/// Null for an archive that tells nothing about communication; stderr says why.
Result<Matrix> matrixIfTold(const OpenSession& opened, std::size_t index, const CommOptions& options,
                            const Invocation& invocation)
{
    const Experiment& experiment = *opened.session.experiments[index];
    const auto window = windowOf(opened, index, options.window);
    if (!window) return tl::make_unexpected(window.error());
    auto matrix = commMatrixOf(experiment, *window, invocation.task);
    if (matrix || tellsCommunication(experiment)) return matrix;
    invocation.err.write(fmt::format("skein-cli: {}\n", matrix.error().message));
    return Matrix();
}

Result<ExitCode> comm(const CommOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    std::vector<Matrix> matrices;
    for (std::size_t index = 0; index < opened->labels.size(); ++index) {
        auto matrix = matrixIfTold(*opened, index, options, invocation);
        if (!matrix) return tl::make_unexpected(std::move(matrix.error()));
        matrices.push_back(std::move(*matrix));
    }
    RecordWriter writer(invocation.out, options.format, opened->withExperiment(kTransferFields));
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        if (!matrices[i]) continue;
        for (const CommMatrix::Entry& entry : matrices[i]->entries()) {
            if (invocation.task.stopRequested()) return cancelled();
            const Cell messages = entry.messages > 0 || entry.bytes == 0 ? Cell(entry.messages) : Cell();
            if (!writer.row(opened->withLabel(
                    i, {std::uint64_t{entry.sender}, std::uint64_t{entry.receiver}, messages, entry.bytes})))
                return opened->exitCode();
        }
    }
    writer.finish();
    return opened->exitCode();
}

Action defineComm(CommandLine& line)
{
    auto options = std::make_shared<CommOptions>();
    addPaths(line, options->paths);
    addFormat(line, options->format);
    addWindow(line, options->window);
    return [options](const Invocation& invocation) { return comm(*options, invocation); };
}

}  // namespace

Command commCommand()
{
    return {"comm", "Who sent how much to whom: messages and bytes of each pair of ranks",
            "  skein-cli comm trace.otf2                          a line a pair that communicates\n"
            "  skein-cli comm profiles/ --format csv > comm.csv   TAU: measured with TAU_COMM_MATRIX=1\n"
            "  skein-cli comm trace.otf2 --window 1s:2s           sends of one second\n",
            defineComm};
}

}  // namespace skein::cli
