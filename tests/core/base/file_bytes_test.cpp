// SPDX-License-Identifier: GPL-3.0-or-later
// Files that become shorter while they are read: no program ends of it, and none takes zeros for contents.
#include "core/base/file_bytes.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/tau_call_trace.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace skein::file_bytes_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLarge = std::size_t{6} << 20;  ///< is mapped

void fill(const fs::path& file, std::size_t bytes)
{
    const std::string text(bytes, 'x');
    std::ofstream(file, std::ios::binary) << text;
}

std::size_t countOf(std::string_view text, char letter)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), letter));
}

/// The signal that ends a child that reads past the end of a mapped file; 0 where it lives on.
[[maybe_unused]] int signalOf(void (*child)(const fs::path&), const fs::path& file)
{
    const pid_t pid = fork();
    if (pid == 0) {
        child(file);
        _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

volatile char lastRead = 0;

[[maybe_unused]] void readUnguarded(const fs::path& file)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY);
    const auto* bytes =
        static_cast<const char*>(mmap(nullptr, kLarge, PROT_READ, MAP_PRIVATE, descriptor, 0));
    fs::resize_file(file, 0);
    lastRead = bytes[kLarge - 1];
}

[[maybe_unused]] void raiseIt(const fs::path&) { raise(SIGBUS); }

}  // namespace

TEST_CASE("A mapped file that shrinks reads as zeros from there on, and says so")
{
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "file", other = folder.path() / "other";
    fill(file, kLarge);
    fill(other, kLarge);
    const auto bytes = openFileBytes(file), untouched = openFileBytes(other);
    REQUIRE(bytes);
    REQUIRE(bytes->size() == kLarge);
    CHECK(stillWhole(*bytes, "file"));
    constexpr std::size_t kLeft = std::size_t{1} << 20;
    fs::resize_file(file, kLeft);
    CHECK(countOf(bytes->text(), 'x') == kLeft);
    CHECK(countOf(bytes->text(), '\0') == kLarge - kLeft);
    CHECK(bytes->hasShrunk());
    const auto whole = stillWhole(*bytes, file.string());
    REQUIRE(!whole);
    CHECK(whole.error().code == ErrorCode::Io);
    CHECK(whole.error().message.find(file.string() + " became shorter while it was read") == 0);
    CHECK(countOf(untouched->text(), 'x') == kLarge);
    CHECK_FALSE(untouched->hasShrunk());
    // The next mapping in the same place knows nothing of it.
    fill(file, kLarge);
    CHECK_FALSE(openFileBytes(file)->hasShrunk());
}

TEST_CASE("Many threads may meet the lost bytes of one file at the same time")
{
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "file";
    for (int round = 0; round < 20; ++round) {
        fill(file, kLarge);
        const auto bytes = openFileBytes(file);
        REQUIRE(bytes);
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&] { static_cast<void>(countOf(bytes->text(), 'x')); });
        fs::resize_file(file, 0);
        threads.clear();
        static_cast<void>(countOf(bytes->text(), 'x'));
        CHECK(countOf(bytes->text().substr(kLarge - 4096), '\0') == 4096);
        CHECK(bytes->hasShrunk());
    }
}

TEST_CASE("Faults that are nobody's mapping end a program as before")
{
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "file";
    fill(file, kLarge);
    REQUIRE(openFileBytes(file));   // the handler is installed
#if !defined(__SANITIZE_ADDRESS__)  // its own handler ends programs without a signal
    CHECK(signalOf(&raiseIt, file) == SIGBUS);
    CHECK(signalOf(&readUnguarded, file) == SIGBUS);
#endif
}

TEST_CASE("A trace rewritten while it is read opens or is refused with a sentence, and nothing ends")
{
    const test::TemporaryFolder folder;
    test::writeTauCallTrace(folder.path(), 200'000);
    const auto whole = openExperiment(folder.path(), Task().withThreads(2));
    REQUIRE(whole);
    CHECK((*whole)->trace->intervalCount() == 200'000);
    std::size_t refused = 0;
    for (int round = 0; round < 24; ++round) {
        const fs::path records = test::writeTauCallTrace(folder.path(), 200'000);
        REQUIRE(fs::file_size(records) > kLarge);
        const std::jthread writer([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(400 * round));
            fs::resize_file(records, static_cast<std::uintmax_t>(round % 3) * 4096 * 5);
        });
        const auto opened = openExperiment(folder.path(), Task().withThreads(2));
        if (opened) continue;
        ++refused;
        INFO(opened.error().message);
        CHECK(opened.error().message.find('\n') == std::string::npos);
        CHECK(opened.error().message.ends_with("."));
    }
    CHECK(refused > 0);
}

TEST_CASE("A profile of one large file that shrinks while it is read is refused")
{
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "profile.0.0.0";
    std::string text = "200000 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls\n";
    for (int row = 0; row < 200'000; ++row)
        text += "\"function number " + std::to_string(row) + "\" 1 0 5 5 0 GROUP=\"TAU_DEFAULT\"\n";
    text += "0 aggregates\n";
    REQUIRE(text.size() > kLarge);
    for (int round = 0; round < 10; ++round) {
        std::ofstream(file, std::ios::binary) << text;
        const std::jthread writer([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(2 * round));
            fs::resize_file(file, 8192);
        });
        const auto opened = openExperiment(folder.path(), Task().withThreads(2));
        if (!opened) CHECK(opened.error().message.ends_with("."));
        else CHECK((*opened)->profile != nullptr);
    }
}

}  // namespace skein::file_bytes_test
