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
struct Desk {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    double fraction = -1.0;  ///< negative: nothing new to tell
    std::string stage;
    std::exception_ptr thrown;
};

Task::Progress receiverOf(const Wanted& wanted, Desk& desk)
{
    if (wanted.progress.is_none()) return {};
    return [&desk](double fraction, std::string_view stage) {
        const std::lock_guard lock(desk.mutex);
        desk.fraction = fraction;
        desk.stage = stage;
    };
}

void workAt(Desk& desk, const std::function<void(const Task&)>& work, const Task& task)
{
    std::exception_ptr thrown;
    try {
        work(task);
    } catch (...) {
        thrown = std::current_exception();
    }
    const std::lock_guard lock(desk.mutex);
    desk.thrown = thrown;
    desk.done = true;
    desk.changed.notify_all();
}

/// True once the work has ended.
bool waitAWhile(Desk& desk)
{
    const py::gil_scoped_release released;
    std::unique_lock lock(desk.mutex);
    return desk.changed.wait_for(lock, kBetweenQuestions, [&desk] { return desk.done; });
}

/// Throws what came up in the interpreter meanwhile.
void hearInterpreter(Desk& desk, const Wanted& wanted)
{
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    double fraction = -1.0;
    std::string stage;
    {
        const std::lock_guard lock(desk.mutex);
        std::swap(fraction, desk.fraction);
        stage = desk.stage;
    }
    if (fraction >= 0.0) wanted.progress(fraction, textOf(stage));
}

}  // namespace

void runAside(const Wanted& wanted, const std::function<void(const Task&)>& work)
{
    Desk desk;
    std::stop_source stop;
    const Task task = Task(stop.get_token(), receiverOf(wanted, desk)).withThreads(wanted.threads);
    std::jthread worker([&] { workAt(desk, work, task); });
    try {
        while (!waitAWhile(desk)) hearInterpreter(desk, wanted);
        hearInterpreter(desk, wanted);
    } catch (...) {
        const std::exception_ptr heard = std::current_exception();
        stop.request_stop();
        {
            const py::gil_scoped_release released;
            worker.join();
        }
        std::rethrow_exception(heard);
    }
    worker.join();
    if (desk.thrown) std::rethrow_exception(desk.thrown);
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
