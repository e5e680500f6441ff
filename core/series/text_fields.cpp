// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/text_fields.h"

#include "core/base/parse_number.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace skein {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool isFieldBlank(char letter) { return letter == ' ' || letter == '\r'; }

std::string_view withoutBlanks(std::string_view field)
{
    while (!field.empty() && isFieldBlank(field.front())) field.remove_prefix(1);
    while (!field.empty() && isFieldBlank(field.back())) field.remove_suffix(1);
    return field;
}

char mostFrequentSeparator(std::string_view line)
{
    char best = ',';
    std::ptrdiff_t most = 0;
    for (const char candidate : {',', ';', '\t'}) {
        const std::ptrdiff_t count = std::count(line.begin(), line.end(), candidate);
        if (count > most) {
            most = count;
            best = candidate;
        }
    }
    return best;
}

bool isMissingWord(std::string_view field)
{
    std::string lower(field);
    for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return lower == "nan" || lower == "-nan" || lower == "na" || lower == "n/a" || lower == "null"
        || lower == "-";
}

/// A number that no double is near enough to, such as 1e999.
bool isBeyondDoubles(std::string_view field)
{
    double value = 0.0;
    const auto [rest, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    return error == std::errc::result_out_of_range && rest == field.data() + field.size();
}

}  // namespace

TextFields::TextFields(std::string_view text) : text_(text)
{
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    skipComments();
    separator_ = mostFrequentSeparator(text_.substr(at_, text_.find('\n', at_) - at_));
}

double TextFields::fraction() const
{
    return text_.empty() ? 1.0 : static_cast<double>(at_) / static_cast<double>(text_.size());
}

void TextFields::skipComments()
{
    while (at_ < text_.size()) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        const std::string_view line = withoutBlanks(text_.substr(at_, end - at_));
        if (!line.empty() && line.front() != '#') return;
        at_ = std::min(end + 1, text_.size());
    }
}

bool TextFields::next()
{
    skipComments();
    if (at_ >= text_.size()) return false;
    split();
    return true;
}

void TextFields::split()
{
    fields_.clear();
    unquoted_.clear();
    while (true) {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        const bool quoted = at_ < text_.size() && text_[at_] == '"';
        fields_.push_back(quoted ? quotedField() : plainField());
        if (at_ >= text_.size()) return;
        const char end = text_[at_++];
        if (end == '\n') return;
    }
}

std::string_view TextFields::plainField()
{
    const char ends[] = {separator_, '\n', '\0'};
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(std::string_view(ends, 2), begin), text_.size());
    return withoutBlanks(text_.substr(begin, at_ - begin));
}

/// A field whose closing quote is missing ends with the text.
std::string_view TextFields::quotedField()
{
    std::string& field = unquoted_.emplace_back();
    for (++at_; at_ < text_.size(); ++at_) {
        if (text_[at_] == '"') {
            if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
            ++at_;
        }
        field += text_[at_];
    }
    while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n') ++at_;
    return field;
}

FieldNumber fieldNumber(std::string_view field)
{
    if (!field.empty() && field.front() == '+') field.remove_prefix(1);
    if (const auto value = parseNumber<double>(field)) return {*value};
    if (isBeyondDoubles(field)) return {std::nan("")};
    return {std::nan(""), !field.empty() && !isMissingWord(field)};
}

bool fieldIsNumber(std::string_view field) { return !fieldNumber(field).text; }

}  // namespace skein
