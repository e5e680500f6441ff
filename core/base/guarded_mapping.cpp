// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/guarded_mapping.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

namespace skein {
namespace {

/// What a signal handler may look at. It has no argument of its own, so that this is one of the few things
/// that belong to the process and not to an object.
struct GuardedSpan {
    std::atomic<bool> taken{false};
    std::atomic<std::uintptr_t> begin{0};  ///< 0 = nothing is mapped
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> shrunk{false};
};
constinit std::array<GuardedSpan, GuardedMapping::kMost> guardedSpans;
std::uintptr_t guardedPageBytes = 4096;
struct sigaction handlerBeforeGuard {};

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// Puts zeros over the page of a fault and all behind it; false where no guarded mapping lies there.
bool zeroLostBytes(std::uintptr_t fault)
{
    for (GuardedSpan& span : guardedSpans) {
        const std::uintptr_t begin = span.begin.load(std::memory_order_acquire);
        const std::uintptr_t end = span.end.load(std::memory_order_relaxed);
        if (begin == 0 || fault < begin || fault >= end) continue;
        const std::uintptr_t page = fault / guardedPageBytes * guardedPageBytes;
        void* const at = reinterpret_cast<void*>(page);
        span.shrunk.store(true, std::memory_order_release);
        return mmap(at, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at;
    }
    return false;
}

extern "C" void onLostBytes(int signal, siginfo_t* info, void*)
{
    const int error = errno;
    const bool fault = info->si_code != SI_USER && info->si_code != SI_TKILL;
    if (!fault || !zeroLostBytes(reinterpret_cast<std::uintptr_t>(info->si_addr))) {
        // The fault happens again on return, and then meets who is in charge of it.
        sigaction(SIGBUS, &handlerBeforeGuard, nullptr);
        if (!fault) raise(signal);
    }
    errno = error;
}

void installGuard()
{
    static std::once_flag once;
    std::call_once(once, [] {
        guardedPageBytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        struct sigaction action {};
        action.sa_sigaction = &onLostBytes;
        action.sa_flags = SA_SIGINFO;
        sigemptyset(&action.sa_mask);
        sigaction(SIGBUS, &action, &handlerBeforeGuard);
    });
}

std::optional<std::size_t> takeSlot()
{
    for (std::size_t slot = 0; slot < guardedSpans.size(); ++slot)
        if (!guardedSpans[slot].taken.exchange(true)) return slot;
    return std::nullopt;
}

}  // namespace

std::shared_ptr<const GuardedMapping> GuardedMapping::map(int descriptor, std::size_t bytes)
{
    installGuard();
    const auto slot = takeSlot();
    if (!slot) return nullptr;
    GuardedSpan& span = guardedSpans[*slot];
    void* const begin = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (begin == MAP_FAILED) {
        span.taken = false;
        return nullptr;
    }
    span.shrunk = false;
    span.end = reinterpret_cast<std::uintptr_t>(begin) + bytes;
    span.begin.store(reinterpret_cast<std::uintptr_t>(begin), std::memory_order_release);
    return std::shared_ptr<const GuardedMapping>(new GuardedMapping(*slot, begin, bytes));
}

GuardedMapping::~GuardedMapping()
{
    guardedSpans[slot_].begin = 0;
    munmap(begin_, bytes_);
    guardedSpans[slot_].taken = false;
}

bool GuardedMapping::hasShrunk() const { return guardedSpans[slot_].shrunk.load(std::memory_order_acquire); }

}  // namespace skein
