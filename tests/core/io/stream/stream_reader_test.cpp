// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/stream/stream_reader.h"

#include "core/io/stream/listening_socket.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <arpa/inet.h>
#include <cstring>
#include <fstream>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>

namespace skein::stream_reader_test {

using namespace skein::test;

namespace {

using Kind = StreamEvent::Kind;

OwnedDescriptor connectTo(const StreamAddress& address)
{
    const bool tcp = address.kind == StreamAddress::Kind::Tcp;
    OwnedDescriptor socket(::socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    int done = -1;
    if (tcp) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(address.port);
        inet_pton(AF_INET, address.host.c_str(), &to.sin_addr);
        done = connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
    } else {
        sockaddr_un to{};
        to.sun_family = AF_UNIX;
        std::memcpy(to.sun_path, address.path.data(), std::min(address.path.size(), sizeof to.sun_path - 1));
        done = connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
    }
    REQUIRE(done == 0);
    return socket;
}

void sendText(const OwnedDescriptor& to, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t sent = send(to.get(), text.data(), text.size(), MSG_NOSIGNAL);
        REQUIRE(sent > 0);
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

/// Takes events until there are so many of a kind.
std::vector<StreamEvent> takeUntil(StreamReader& reader, Kind kind, std::size_t count)
{
    std::vector<StreamEvent> all;
    for (int i = 0; i < 400; ++i) {
        for (StreamEvent& event : reader.take(std::chrono::milliseconds(50))) all.push_back(std::move(event));
        std::size_t found = 0;
        for (const StreamEvent& event : all) found += event.kind == kind ? 1 : 0;
        if (found >= count) return all;
    }
    FAIL("the events did not come");
    return all;
}

std::vector<std::string> textsOf(const std::vector<StreamEvent>& events, Kind kind)
{
    std::vector<std::string> texts;
    for (const StreamEvent& event : events)
        if (event.kind == kind) texts.push_back(event.text);
    return texts;
}

}  // namespace

TEST_CASE("addresses of streams are read as they are documented")
{
    const auto tcp = parseStreamAddress("tcp:7777");
    REQUIRE(tcp);
    CHECK(tcp->kind == StreamAddress::Kind::Tcp);
    CHECK(tcp->host == "127.0.0.1");
    CHECK(tcp->port == 7777);
    CHECK(parseStreamAddress("tcp:localhost:1")->host == "localhost");
    CHECK(parseStreamAddress("tcp:[::1]:80")->host == "::1");
    CHECK(parseStreamAddress("tcp:[::1]:80")->text() == "tcp:[::1]:80");
    CHECK(parseStreamAddress("unix:some/socket")->path == "some/socket");
    CHECK(parseStreamAddress("data.csv")->kind == StreamAddress::Kind::File);
    for (const char* wrong : {"tcp:", "tcp:host", "tcp:host:x", "tcp:1:70000", "unix:", ""})
        CHECK_FALSE(parseStreamAddress(wrong));
    CHECK_FALSE(parseStreamAddress("unix:" + std::string(200, 'x')));
}

TEST_CASE("lines come through a port, from senders that come and go")
{
    auto reader = StreamReader::open(*parseStreamAddress("tcp:0"));
    REQUIRE(reader);
    CHECK((*reader)->address().port != 0);
    {
        const OwnedDescriptor first = connectTo((*reader)->address());
        sendText(first, "one\ntw");
        CHECK(textsOf(takeUntil(**reader, Kind::Line, 1), Kind::Line) == std::vector<std::string>{"one"});
        sendText(first, "o\nhalf a li");
    }
    const auto events = takeUntil(**reader, Kind::Ended, 1);
    CHECK(textsOf(events, Kind::Line) == std::vector<std::string>{"two"});
    CHECK(textsOf(events, Kind::Ended)[0].find("middle of a line: its last 9 bytes") != std::string::npos);
    const OwnedDescriptor again = connectTo((*reader)->address());
    sendText(again, "back\n");
    const auto after = takeUntil(**reader, Kind::Line, 1);
    CHECK(after.back().text == "back");
    CHECK(after.back().sender == 2);
}

TEST_CASE("a sender that does not end its line freezes nobody and takes no memory")
{
    StreamLimits limits;
    limits.lineBytes = 1 << 16;
    auto reader = StreamReader::open(*parseStreamAddress("tcp:0"), limits);
    REQUIRE(reader);
    const OwnedDescriptor endless = connectTo((*reader)->address());
    const OwnedDescriptor good = connectTo((*reader)->address());
    const std::string block(1 << 20, 'x');
    for (int i = 0; i < 32; ++i) sendText(endless, block);
    sendText(good, "fine\n");
    auto events = takeUntil(**reader, Kind::Line, 1);
    CHECK(textsOf(events, Kind::Line) == std::vector<std::string>{"fine"});
    sendText(endless, "\nshort\n");
    for (StreamEvent& event : takeUntil(**reader, Kind::Line, 1)) events.push_back(std::move(event));
    CHECK(events.back().text == "short");
    const auto troubles = textsOf(events, Kind::Trouble);
    REQUIRE(troubles.size() == 1);
    CHECK(troubles[0].find("64 KiB") != std::string::npos);
    CHECK((*reader)->waitingBytes() == 0);
}

TEST_CASE("a sender that is faster than what is taken waits, and no line is lost")
{
    StreamLimits limits;
    limits.queueBytes = 1 << 16;
    auto reader = StreamReader::open(*parseStreamAddress("tcp:0"), limits);
    REQUIRE(reader);
    constexpr int kLines = 200'000;
    std::jthread sender([address = (*reader)->address()] {
        const OwnedDescriptor socket = connectTo(address);
        std::string text;
        for (int i = 0; i < kLines; ++i) text += "line " + std::to_string(i) + "\n";
        sendText(socket, text);
    });
    int next = 0;
    bool inOrder = true, bounded = true, ended = false;
    while (!ended) {
        bounded = bounded && (*reader)->waitingBytes() <= limits.queueBytes;
        for (const StreamEvent& event : (*reader)->take(std::chrono::milliseconds(1000))) {
            if (event.kind == Kind::Line) inOrder = inOrder && event.text == "line " + std::to_string(next++);
            ended = ended || event.kind == Kind::Ended;
        }
    }
    CHECK(inOrder);
    CHECK(bounded);
    CHECK(next == kLines);
}

TEST_CASE("senders beyond the limit are refused with a sentence")
{
    StreamLimits limits;
    limits.senders = 2;
    auto reader = StreamReader::open(*parseStreamAddress("tcp:0"), limits);
    REQUIRE(reader);
    std::vector<OwnedDescriptor> senders;
    for (int i = 0; i < 4; ++i) senders.push_back(connectTo((*reader)->address()));
    const auto events = takeUntil(**reader, Kind::Trouble, 1);
    CHECK(textsOf(events, Kind::Began).size() == 2);
}

TEST_CASE("a socket in the file system takes the place of a dead one and of nothing else")
{
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "socket").string();
    const StreamAddress address = *parseStreamAddress("unix:" + path);
    {
        auto reader = StreamReader::open(address);
        REQUIRE(reader);
        CHECK_FALSE(StreamReader::open(address));
        const OwnedDescriptor sender = connectTo(address);
        sendText(sender, "hello\n");
        CHECK(takeUntil(**reader, Kind::Line, 1).back().text == "hello");
        struct stat status {};
        REQUIRE(stat(path.c_str(), &status) == 0);
        CHECK((status.st_mode & 0777) == 0600);
    }
    CHECK_FALSE(std::filesystem::exists(path));
    {
        const OwnedDescriptor dead(::socket(AF_UNIX, SOCK_STREAM, 0));
        sockaddr_un where{};
        where.sun_family = AF_UNIX;
        std::memcpy(where.sun_path, path.data(), std::min(path.size(), sizeof where.sun_path - 1));
        REQUIRE(bind(dead.get(), reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0);
    }
    CHECK(std::filesystem::exists(path));
    CHECK(StreamReader::open(address));
    const std::string file = fileWith(folder, "file", "text");
    CHECK_FALSE(StreamReader::open(*parseStreamAddress("unix:" + file)));
    CHECK(std::filesystem::exists(file));
}

TEST_CASE("a file is followed while it grows, is cut and is replaced")
{
    const TemporaryFolder folder;
    const std::string path = fileWith(folder, "grows", "a\nb");
    auto reader = StreamReader::open(*parseStreamAddress(path));
    REQUIRE(reader);
    CHECK(takeUntil(**reader, Kind::Line, 1).back().text == "a");
    std::ofstream(path, std::ios::app) << "c\nd\n";
    CHECK(textsOf(takeUntil(**reader, Kind::Line, 2), Kind::Line) == std::vector<std::string>{"bc", "d"});
    std::ofstream(path, std::ios::trunc) << "e\n";
    auto events = takeUntil(**reader, Kind::Line, 1);
    CHECK(events.back().text == "e");
    CHECK(textsOf(events, Kind::Began).size() == 1);
    std::filesystem::rename(fileWith(folder, "other", "f is longer than that\n"), path);
    events = takeUntil(**reader, Kind::Line, 1);
    CHECK(events.back().text == "f is longer than that");
    std::filesystem::remove(path);
    CHECK(textsOf(takeUntil(**reader, Kind::Trouble, 1), Kind::Trouble)[0].find("not there any more")
          != std::string::npos);
    CHECK_FALSE(StreamReader::open(*parseStreamAddress((folder.path() / "none").string())));
    CHECK_FALSE(StreamReader::open(*parseStreamAddress(folder.path().string())));
}

TEST_CASE("a pipe is no file that grows, and is not waited for")
{
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "pipe").string();
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    const auto reader = StreamReader::open(*parseStreamAddress(path));
    REQUIRE_FALSE(reader);
    CHECK(reader.error().code == ErrorCode::InvalidArgument);
}

}  // namespace skein::stream_reader_test
