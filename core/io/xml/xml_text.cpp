// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/xml/xml_text.h"

#include "core/base/utf8.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

namespace skein::xml {
namespace {

constexpr auto kNowhere = std::string_view::npos;
constexpr std::string_view kLiteralBegin = "<![CDATA[";
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kLiteralEnd = "]]>";

void appendUtf8(std::string& text, std::uint32_t code)
{
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = 0xFFFD;
    const auto push = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) return push(code);
    if (code < 0x800) {
        push(0xC0 | code >> 6);
        return push(0x80 | (code & 0x3F));
    }
    if (code < 0x10000) {
        push(0xE0 | code >> 12);
    } else {
        push(0xF0 | code >> 18);
        push(0x80 | (code >> 12 & 0x3F));
    }
    push(0x80 | (code >> 6 & 0x3F));
    push(0x80 | (code & 0x3F));
}

/// Appends what "&…;" stands for; false where it is no entity that is known.
bool appendEntity(std::string& text, std::string_view entity)
{
    constexpr std::array<std::pair<std::string_view, char>, 5> named{
        {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}}};
    for (const auto& [name, character] : named) {
        if (entity != name) continue;
        text += character;
        return true;
    }
    if (!entity.starts_with('#')) return false;
    const bool hexadecimal = entity.size() > 1 && (entity[1] == 'x' || entity[1] == 'X');
    const std::string_view digits = entity.substr(hexadecimal ? 2 : 1);
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size()) return false;
    appendUtf8(text, code);
    return true;
}

}  // namespace

bool XmlScanner::skipUnnamed()
{
    const std::string_view rest = text_.substr(at_);
    std::string_view end;
    if (rest.starts_with("<!--")) end = "-->";
    else if (rest.starts_with("<?")) end = "?>";
    else if (rest.starts_with("<!")) end = ">";
    else return false;
    const auto found = text_.find(end, at_ + 2);
    truncated_ = found == kNowhere;
    at_ = truncated_ ? text_.size() : found + end.size();
    return true;
}

std::size_t XmlScanner::endOfTag() const
{
    const auto first = text_.find('>', at_);
    if (first == kNowhere) return kNowhere;
    char quote = 0;
    for (std::size_t at = at_ + 1; at < text_.size() && text_[at] != '<'; ++at) {
        if (text_[at] == '>' && quote == 0) return at;
        if (quote != 0 && text_[at] == quote) quote = 0;
        else if (quote == 0 && (text_[at] == '"' || text_[at] == '\'')) quote = text_[at];
    }
    return first;
}

std::optional<XmlPiece> XmlScanner::tag()
{
    XmlPiece piece;
    piece.offset = at_;
    const auto end = endOfTag();
    if (end == kNowhere) {
        truncated_ = true;
        at_ = text_.size();
        return std::nullopt;
    }
    std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    piece.kind = inside.starts_with('/') ? XmlPiece::Kind::Close : XmlPiece::Kind::Open;
    if (piece.kind == XmlPiece::Kind::Close) inside.remove_prefix(1);
    piece.empty = inside.ends_with('/');
    if (piece.empty) inside.remove_suffix(1);
    const auto blank = inside.find_first_of(kBlanks);
    piece.name = inside.substr(0, blank);
    piece.attributes = blank == kNowhere ? std::string_view() : inside.substr(blank + 1);
    return piece;
}

std::optional<XmlPiece> XmlScanner::literal()
{
    XmlPiece piece;
    piece.offset = at_;
    piece.literal = true;
    const std::size_t begin = at_ + kLiteralBegin.size();
    const auto end = text_.find(kLiteralEnd, begin);
    truncated_ = end == kNowhere;
    piece.text = text_.substr(begin, truncated_ ? end : end - begin);
    at_ = truncated_ ? text_.size() : end + kLiteralEnd.size();
    return piece;
}

std::optional<XmlPiece> XmlScanner::next()
{
    while (at_ < text_.size()) {
        if (text_.substr(at_, kLiteralBegin.size()) == kLiteralBegin) return literal();
        if (text_[at_] == '<') {
            if (skipUnnamed()) continue;
            return tag();
        }
        XmlPiece piece;
        piece.offset = at_;
        const auto end = text_.find('<', at_);
        piece.text = text_.substr(at_, end == kNowhere ? end : end - at_);
        at_ = end == kNowhere ? text_.size() : end;
        return piece;
    }
    return std::nullopt;
}

std::string_view attribute(std::string_view attributes, std::string_view name)
{
    std::size_t from = 0;
    for (auto found = attributes.find(name); found != kNowhere; found = attributes.find(name, from)) {
        from = found + name.size();
        const bool starts = found == 0 || kBlanks.find(attributes[found - 1]) != kNowhere;
        if (!starts || from + 1 >= attributes.size() || attributes[from] != '=') continue;
        const char quote = attributes[from + 1];
        if (quote != '"' && quote != '\'') continue;
        const auto end = attributes.find(quote, from + 2);
        return end == kNowhere ? std::string_view() : attributes.substr(from + 2, end - from - 2);
    }
    return {};
}

std::string unescaped(std::string_view text)
{
    constexpr std::size_t kLongestEntity = 10;
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto ampersand = text.find('&');
        result += text.substr(0, ampersand);
        if (ampersand == kNowhere) break;
        text.remove_prefix(ampersand);
        const auto end = text.substr(0, kLongestEntity + 2).find(';');
        const bool known = end != kNowhere && appendEntity(result, text.substr(1, end - 1));
        if (!known) result += '&';
        text.remove_prefix(known ? end + 1 : 1);
    }
    return result;
}

std::string clearText(const XmlPiece& piece)
{
    return piece.literal ? std::string(piece.text) : unescaped(piece.text);
}

std::vector<Property> parseAttributes(std::string_view xml)
{
    std::vector<Property> properties;
    XmlScanner scanner(xml);
    std::string_view element;
    Property property;
    while (const auto piece = scanner.next()) {
        if (piece->kind == XmlPiece::Kind::Open) {
            element = piece->empty ? std::string_view() : piece->name;
        } else if (piece->kind == XmlPiece::Kind::Close) {
            element = {};
            if (piece->name == "attribute" && !property.name.empty())
                properties.push_back(std::exchange(property, {}));
        } else if (element == "name") {
            property.name += toValidUtf8(clearText(*piece));
        } else if (element == "value") {
            property.value += toValidUtf8(clearText(*piece));
        }
    }
    return properties;
}

}  // namespace skein::xml
