// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/text.h"

#include "core/base/utf8.h"

#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

namespace skein::cli {
namespace {

struct Character {
    std::string_view bytes;
    std::size_t width = 1;
};

std::size_t sequenceLength(unsigned char lead)
{
    if (lead < 0x80) return 1;
    if (lead < 0xE0) return 2;
    return lead < 0xF0 ? 3 : 4;
}

char32_t codePoint(std::string_view bytes)
{
    const auto lead = static_cast<unsigned char>(bytes[0]);
    if (bytes.size() == 1) return lead;
    char32_t value = lead & (0x7Fu >> bytes.size());
    for (const char byte : bytes.substr(1)) value = value << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
    return value;
}

/// The ranges that matter in names: combining marks and joiners, and the blocks that terminals draw two
/// columns wide.
std::size_t widthOf(char32_t point)
{
    const auto within = [&](char32_t first, char32_t last) { return point >= first && point <= last; };
    if (within(0x0300, 0x036F) || within(0x200B, 0x200F) || within(0x20D0, 0x20FF) || within(0xFE00, 0xFE0F))
        return 0;
    if (within(0x1100, 0x115F) || within(0x2E80, 0xA4CF) || within(0xAC00, 0xD7A3) || within(0xF900, 0xFAFF))
        return 2;
    if (within(0xFE30, 0xFE6F) || within(0xFF00, 0xFF60) || within(0x1F300, 0x1FAFF)
        || within(0x20000, 0x3FFFD))
        return 2;
    return 1;
}

std::vector<Character> charactersOf(std::string_view text)
{
    std::vector<Character> characters;
    while (!text.empty()) {
        const std::size_t length = std::min(text.size(), sequenceLength(static_cast<unsigned char>(text[0])));
        const std::string_view bytes = text.substr(0, length);
        characters.push_back({bytes, widthOf(codePoint(bytes))});
        text.remove_prefix(length);
    }
    return characters;
}

bool isControl(std::string_view bytes)
{
    const char32_t point = codePoint(bytes);
    return point < 0x20 || (point >= 0x7F && point < 0xA0);
}

void appendSpelled(std::string& out, std::string_view bytes)
{
    if (bytes == "\n") out += "\\n";
    else if (bytes == "\t") out += "\\t";
    else if (bytes == "\r") out += "\\r";
    else fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned>(codePoint(bytes)));
}

}  // namespace

void appendJson(std::string& out, std::string_view text) { out += nlohmann::json(toValidUtf8(text)).dump(); }

std::string printable(std::string_view text)
{
    const std::string valid = toValidUtf8(text);
    std::string out;
    out.reserve(valid.size());
    for (const Character& character : charactersOf(valid)) {
        if (isControl(character.bytes)) appendSpelled(out, character.bytes);
        else out += character.bytes;
    }
    return out;
}

std::size_t displayWidth(std::string_view text)
{
    std::size_t width = 0;
    for (const Character& character : charactersOf(text)) width += character.width;
    return width;
}

std::string elided(std::string_view text, std::size_t width)
{
    const std::vector<Character> characters = charactersOf(text);
    std::size_t whole = 0;
    for (const Character& character : characters) whole += character.width;
    if (whole <= width) return std::string(text);
    if (width == 0) return {};
    const std::size_t tailWidth = (width - 1) / 2;
    const std::size_t headWidth = width - 1 - tailWidth;
    std::string head, tail;
    std::size_t used = 0;
    for (auto it = characters.begin(); it != characters.end() && used + it->width <= headWidth; ++it) {
        head += it->bytes;
        used += it->width;
    }
    used = 0;
    auto first = characters.end();
    while (first != characters.begin() && used + std::prev(first)->width <= tailWidth)
        used += (--first)->width;
    for (; first != characters.end(); ++first) tail += first->bytes;
    return head + "…" + tail;
}

}  // namespace skein::cli
