// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"

#include <functional>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <utility>

/// How the module calls what takes long, and how failures become exceptions of Python.
namespace skein::python {

namespace py = pybind11;

/// What the caller of a function wants of its work.
struct WorkOptions {
    py::object progress = py::none();  ///< None, or called with the fraction and the stage
    int threads = 0;                   ///< 0: as many as can run
};

/// Runs the work on a thread of its own, without the interpreter's lock, which this thread takes every now
/// and then to hear of an interrupt and to tell `progress`. Returns once the work has ended. An interrupt, or
/// an exception of `progress`, stops the work and is thrown. Exceptions of the work pass through.
void runAside(const WorkOptions& options, const std::function<void(const Task&)>& work);

/// Throws skein.Error.
[[noreturn]] void raiseError(const Error& error);

/// Texts of archives are whatever somebody wrote: what is no UTF-8 is replaced.
py::str textOf(const std::string& text);
/// A path as Python holds such (PEP 383): bytes that are no UTF-8 survive the way there and back.
py::str pathOf(const std::string& path);

/// The value of a Result that is made aside; skein.Error where it is none.
template <typename Make>
auto made(const WorkOptions& options, const Make& make)
{
    using Answer = decltype(make(Task()));
    std::optional<Answer> answer;
    runAside(options, [&](const Task& task) { answer.emplace(make(task)); });
    if (!*answer) raiseError(answer->error());
    return std::move(**answer);
}

}  // namespace skein::python
