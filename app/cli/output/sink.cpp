// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/sink.h"

#include <cerrno>
#include <sys/ioctl.h>
#include <unistd.h>

namespace skein::cli {
namespace {

constexpr std::size_t kBufferBytes = 1u << 16;

std::size_t widthOfTerminal(int descriptor)
{
    if (isatty(descriptor) == 0) return 0;
    winsize size{};
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

}  // namespace

Sink::Sink(int descriptor) : descriptor_(descriptor), terminalWidth_(widthOfTerminal(descriptor))
{
    buffer_.reserve(kBufferBytes);
}

Sink::Sink(std::string& text) : text_(&text) {}

Sink::~Sink() { flush(); }

void Sink::write(std::string_view text)
{
    if (text_) {
        *text_ += text;
        return;
    }
    if (buffer_.size() + text.size() > kBufferBytes) flush();
    buffer_ += text;
}

void Sink::flush()
{
    std::string_view rest = buffer_;
    while (!rest.empty() && error_ == 0) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written >= 0) rest.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR) error_ = errno;
    }
    buffer_.clear();
}

void writeWarnings(const std::vector<std::string>& warnings, Sink& err)
{
    for (const std::string& warning : warnings) {
        err.write("warning: ");
        err.write(warning);
        err.write("\n");
    }
}

}  // namespace skein::cli
