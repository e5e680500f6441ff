// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// The lines of a table of text, one after the other, without a copy of what is not quoted. Fields stand
/// between commas, semicolons or tabs, whichever the first line has most of; blanks around them are left out,
/// and so are empty lines and those that begin with '#'. Not thread-safe.
class TextFields {
public:
    /// The text must outlive this.
    explicit TextFields(std::string_view text);

    /// Goes to the next line; false at the end.
    bool next();
    /// Of the line; good until next().
    const std::vector<std::string_view>& fields() const { return fields_; }
    /// The share of the text that was read, 0…1.
    double fraction() const;

private:
    void split();
    std::string_view quotedField();
    std::string_view plainField();
    void skipComments();

    std::string_view text_;
    std::size_t at_ = 0;
    char separator_ = ',';
    std::vector<std::string_view> fields_;
    std::deque<std::string> unquoted_;  ///< fields of the line that held doubled quotes
};

/// What a field says.
struct FieldNumber {
    double value;       ///< NaN where there is none
    bool text = false;  ///< it holds something else than a number or a word for a missing one
};

/// Empty fields, "nan", "na", "null" and "-" mean that there is no value.
FieldNumber fieldNumber(std::string_view field);
/// Whether it is a number, or a word for one, or empty.
bool fieldIsNumber(std::string_view field);

}  // namespace skein
