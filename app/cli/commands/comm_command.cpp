// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_matrix_of.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/print_rows.h"

#include <fmt/format.h>

namespace skein::cli {
namespace {

const std::vector<Field> kTransferFields{
    {"sender", "Sender", FieldKind::Id},
    {"receiver", "Receiver", FieldKind::Id},
    {"messages", "Messages", FieldKind::Count},
    {"bytes", "Bytes", FieldKind::Bytes},
};

using Matrix = std::shared_ptr<const CommMatrix>;

/// Null for an archive that tells nothing about communication; stderr says why.
Result<Matrix> matrixIfTold(const OpenSession& opened, std::size_t index, const WindowedOptions& options,
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

bool emitEntries(const CommMatrix& matrix, const Emit& emit)
{
    for (const CommMatrix::Entry& entry : matrix.entries()) {
        const Cell messages = entry.messages > 0 || entry.bytes == 0 ? Cell(entry.messages) : Cell();
        if (!emit({std::uint64_t{entry.sender}, std::uint64_t{entry.receiver}, messages, entry.bytes}))
            return false;
    }
    return true;
}

Result<ExitCode> comm(const WindowedOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    std::vector<Matrix> matrices;
    for (std::size_t index = 0; index < opened->labels.size(); ++index) {
        auto matrix = matrixIfTold(*opened, index, options, invocation);
        if (!matrix) return tl::make_unexpected(std::move(matrix.error()));
        matrices.push_back(std::move(*matrix));
    }
    return printRows(*opened, options.format, kTransferFields, invocation,
                     [&](std::size_t index, const Emit& emit) {
                         return !matrices[index] || emitEntries(*matrices[index], emit);
                     });
}

Action defineComm(CommandLine& line)
{
    auto options = std::make_shared<WindowedOptions>();
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
