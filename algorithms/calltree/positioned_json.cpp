// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/positioned_json.h"

#include "core/base/parse_number.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <optional>

namespace skein {
namespace {

constexpr int kDeepestJson = 64;

class PositionedJsonReader {
public:
    using Value = tl::expected<PositionedJson, TextProblem>;

    explicit PositionedJsonReader(std::string_view text) : text_(text) {}

    Value whole()
    {
        auto value = any(0);
        if (!value) return value;
        skipBlanks();
        if (at_ < text_.size()) return wrong("expected the end of the JSON text");
        return value;
    }

private:
    tl::unexpected<TextProblem> wrong(std::string message) const
    {
        return tl::make_unexpected(TextProblem{std::move(message), at_, at_ + 1});
    }

    void skipBlanks()
    {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }

    bool take(char c)
    {
        skipBlanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    Value any(int depth)
    {
        skipBlanks();
        if (depth > kDeepestJson) return wrong("more than 64 brackets in one another");
        if (at_ >= text_.size()) return wrong("expected a JSON value");
        const std::size_t begin = at_;
        auto value = valueOf(text_[at_], depth);
        if (!value) return value;
        value->begin = begin;
        value->end = at_;
        return value;
    }

    Value valueOf(char first, int depth)
    {
        if (first == '[') return list(depth);
        if (first == '{') return object(depth);
        if (first == '"') return quoted();
        if (first == '-' || std::isdigit(static_cast<unsigned char>(first)) != 0) return number();
        return word();
    }

    Value list(int depth)
    {
        PositionedJson out;
        out.kind = PositionedJson::Kind::List;
        ++at_;
        if (take(']')) return out;
        do {
            auto item = any(depth + 1);
            if (!item) return item;
            out.items.push_back(std::move(*item));
        } while (take(','));
        if (!take(']')) return wrong("expected , or ]");
        return out;
    }

    Value object(int depth)
    {
        PositionedJson out;
        out.kind = PositionedJson::Kind::Object;
        ++at_;
        if (take('}')) return out;
        do {
            skipBlanks();
            const std::size_t keyBegin = at_;
            if (at_ >= text_.size() || text_[at_] != '"')
                return wrong("expected an attribute's name in double quotes");
            auto key = quoted();
            if (!key) return key;
            if (!take(':')) return wrong("expected :");
            auto item = any(depth + 1);
            if (!item) return item;
            out.keys.emplace_back(std::move(key->text), keyBegin);
            out.items.push_back(std::move(*item));
        } while (take(','));
        if (!take('}')) return wrong("expected , or }");
        return out;
    }

    Value number()
    {
        std::size_t end = at_;
        while (end < text_.size()
               && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0
                   || std::string_view("+-.").find(text_[end]) != std::string_view::npos))
            ++end;
        const auto parsed = parseNumber<double>(text_.substr(at_, end - at_));
        if (!parsed) return wrong("expected a number");
        PositionedJson out;
        out.kind = PositionedJson::Kind::Number;
        out.number = *parsed;
        at_ = end;
        return out;
    }

    Value word()
    {
        PositionedJson out;
        for (const std::string_view known : {"true", "false", "null"}) {
            if (text_.substr(at_, known.size()) != known) continue;
            out.kind = known == "null" ? PositionedJson::Kind::Null : PositionedJson::Kind::Boolean;
            out.number = known == "true" ? 1.0 : 0.0;
            at_ += known.size();
            return out;
        }
        return wrong("expected a JSON value: a list, an object, a text in double quotes, or a number");
    }

    Value quoted()
    {
        PositionedJson out;
        out.kind = PositionedJson::Kind::Text;
        const std::size_t begin = at_++;
        while (at_ < text_.size() && text_[at_] != '"') {
            if (text_[at_] != '\\') {
                out.text += text_[at_++];
                continue;
            }
            if (!escape(out.text)) return wrong("JSON has no such escape");
        }
        if (at_ >= text_.size())
            return tl::make_unexpected(TextProblem{"this quote is not closed", begin, begin + 1});
        ++at_;
        return out;
    }

    bool escape(std::string& out)
    {
        static constexpr std::string_view kEscapes = "\"\\/bfnrt";
        static constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
        const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
        if (c == 'u') return unicode(out);
        const std::size_t known = kEscapes.find(c);
        if (known == std::string_view::npos) return false;
        out += kMeant[known];
        at_ += 2;
        return true;
    }

    std::optional<std::uint32_t> hexAt(std::size_t at) const
    {
        if (at + 6 > text_.size() || text_.substr(at, 2) != "\\u") return std::nullopt;
        std::uint32_t value = 0;
        for (const char c : text_.substr(at + 2, 4)) {
            if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return std::nullopt;
            const int digit =
                std::isdigit(static_cast<unsigned char>(c)) != 0 ? c - '0' : (c | 0x20) - 'a' + 10;
            value = value * 16 + static_cast<std::uint32_t>(digit);
        }
        return value;
    }

    bool unicode(std::string& out)
    {
        const auto high = hexAt(at_);
        if (!high) return false;
        std::uint32_t point = *high;
        std::size_t length = 6;
        if (point >= 0xD800 && point < 0xDC00)
            if (const auto low = hexAt(at_ + 6); low && *low >= 0xDC00 && *low < 0xE000) {
                point = 0x10000 + ((point - 0xD800) << 10u) + (*low - 0xDC00);
                length = 12;
            }
        if (point >= 0xD800 && point < 0xE000) point = 0xFFFD;
        appendUtf8(out, point);
        at_ += length;
        return true;
    }

    static void appendUtf8(std::string& out, std::uint32_t point)
    {
        const auto push = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
        if (point < 0x80) return push(point);
        if (point < 0x800) push(0xC0u | (point >> 6u));
        else {
            if (point < 0x10000) push(0xE0u | (point >> 12u));
            else {
                push(0xF0u | (point >> 18u));
                push(0x80u | ((point >> 12u) & 0x3Fu));
            }
            push(0x80u | ((point >> 6u) & 0x3Fu));
        }
        push(0x80u | (point & 0x3Fu));
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

tl::expected<PositionedJson, TextProblem> parsePositionedJson(std::string_view text)
{
    return PositionedJsonReader(text).whole();
}

}  // namespace skein
