// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The little of XML that measurements write: elements, attributes, text, the five predefined entities and
/// character references. Document types and entities of their own are not known, so nothing can expand.
namespace skein::xml {

/// A piece of an XML text in the order of the text.
struct XmlPiece {
    enum class Kind { Open, Close, Text };
    Kind kind = Kind::Text;
    std::string_view name;        ///< of the element
    std::string_view attributes;  ///< raw, between the element's name and '>'
    std::string_view text;        ///< raw, for Text; clearText() resolves it
    std::size_t offset = 0;       ///< byte in the whole text
    bool empty = false;           ///< an Open that closes itself: <a/>
    bool literal = false;         ///< a Text in a CDATA section: nothing in it is markup
};

/// Splits a text into pieces. Comments, instructions and declarations are skipped; NUL bytes between
/// documents too. Linear over the whole text.
class XmlScanner {
public:
    explicit XmlScanner(std::string_view text) : text_(text) {}
    /// nullopt at the end, and where a tag is cut off: then truncated() is true.
    std::optional<XmlPiece> next();
    bool truncated() const { return truncated_; }
    std::size_t offset() const { return at_; }

private:
    bool skipUnnamed();
    /// Of the '>' behind the tag that begins here, which is not within a quoted value; a value holds no '<'.
    std::size_t endOfTag() const;
    std::optional<XmlPiece> tag();
    std::optional<XmlPiece> literal();

    std::string_view text_;
    std::size_t at_ = 0;
    bool truncated_ = false;
};

/// The value of one attribute in XmlPiece::attributes; empty where it is absent.
std::string_view attribute(std::string_view attributes, std::string_view name);

/// Text with its entities resolved; unknown ones stay as they are.
std::string unescaped(std::string_view text);

/// What the text of a piece says.
std::string clearText(const XmlPiece& piece);

/// Reads `<attribute><name>…</name><value>…</value></attribute>` rows.
std::vector<Property> parseAttributes(std::string_view xml);

}  // namespace skein::xml
