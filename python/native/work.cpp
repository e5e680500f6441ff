// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/native/work.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace skein::python {
namespace {

constexpr auto kBetweenQuestions = std::chrono::milliseconds(50);

/// What the working thread and the waiting one tell each other.
struct WorkState {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    double fraction = -1.0;  ///< negative: nothing new to tell
    std::string stage;
    std::exception_ptr thrown;
};

Task::Progress progressInto(const WorkOptions& options, WorkState& state)
{
    if (options.progress.is_none()) return {};
    return [&state](double fraction, std::string_view stage) {
        const std::lock_guard lock(state.mutex);
        state.fraction = fraction;
        state.stage = stage;
    };
}

void runWork(WorkState& state, const std::function<void(const Task&)>& work, const Task& task)
{
    std::exception_ptr thrown;
    try {
        work(task);
    } catch (...) {
        thrown = std::current_exception();
    }
    const std::lock_guard lock(state.mutex);
    state.thrown = thrown;
    state.done = true;
    state.changed.notify_all();
}

/// True once the work has ended.
bool waitForEnd(WorkState& state)
{
    const py::gil_scoped_release released;
    std::unique_lock lock(state.mutex);
    return state.changed.wait_for(lock, kBetweenQuestions, [&state] { return state.done; });
}

/// Throws what came up in the interpreter meanwhile.
void reportProgress(WorkState& state, const WorkOptions& options)
{
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    double fraction = -1.0;
    std::string stage;
    {
        const std::lock_guard lock(state.mutex);
        std::swap(fraction, state.fraction);
        stage = state.stage;
    }
    if (fraction >= 0.0) options.progress(fraction, textOf(stage));
}

}  // namespace

void runAside(const WorkOptions& options, const std::function<void(const Task&)>& work)
{
    WorkState state;
    std::stop_source stop;
    const Task task = Task(stop.get_token(), progressInto(options, state)).withThreads(options.threads);
    std::jthread worker([&] { runWork(state, work, task); });
    try {
        while (!waitForEnd(state)) reportProgress(state, options);
        reportProgress(state, options);
    } catch (...) {
        const std::exception_ptr thrown = std::current_exception();
        stop.request_stop();
        {
            const py::gil_scoped_release released;
            worker.join();
        }
        std::rethrow_exception(thrown);
    }
    worker.join();
    if (state.thrown) std::rethrow_exception(state.thrown);
}

py::str textOf(const std::string& text)
{
    PyObject* const decoded =
        PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace");
    if (!decoded) throw py::error_already_set();
    return py::reinterpret_steal<py::str>(decoded);
}

py::str pathOf(const std::string& path)
{
    PyObject* const decoded =
        PyUnicode_DecodeUTF8(path.data(), static_cast<py::ssize_t>(path.size()), "surrogateescape");
    if (!decoded) throw py::error_already_set();
    return py::reinterpret_steal<py::str>(decoded);
}

void raiseError(const Error& error)
{
    static constexpr const char* kCodes[] = {"not found",   "access denied",    "not recognized", "malformed",
                                             "unsupported", "invalid argument", "out of memory",  "io",
                                             "cancelled",   "not recorded"};
    const py::object type = py::module_::import("skein._errors").attr("Error");
    const py::object raised = type(textOf(error.text()), kCodes[static_cast<int>(error.code)]);
    PyErr_SetObject(type.ptr(), raised.ptr());
    throw py::error_already_set();
}

}  // namespace skein::python
