// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace skein::gui {

/// Looks into JSON that anybody may have written: what is missing, or is of another kind than asked for, is
/// the value that the caller names. What it looks at must outlive it.
class JsonView {
public:
    JsonView() = default;
    explicit JsonView(const nlohmann::json& value) : value_(&value) {}

    /// A member of an object.
    JsonView operator[](const char* name) const
    {
        if (!value_ || !value_->is_object()) return {};
        const auto found = value_->find(name);
        return found == value_->end() ? JsonView() : JsonView(*found);
    }
    /// An element of an array.
    JsonView at(std::size_t index) const
    {
        return value_ && value_->is_array() && index < value_->size() ? JsonView((*value_)[index])
                                                                      : JsonView();
    }
    std::size_t size() const { return value_ && value_->is_array() ? value_->size() : 0; }
    std::vector<JsonView> elements() const
    {
        std::vector<JsonView> all;
        for (std::size_t index = 0; index < size(); ++index) all.push_back(at(index));
        return all;
    }

    /// Missing, or null.
    bool absent() const { return !value_ || value_->is_null(); }
    std::string text(const char* otherwise = "") const
    {
        return value_ && value_->is_string() ? value_->get<std::string>() : otherwise;
    }
    bool isWhole() const { return whole(0) == whole(1); }
    /// A whole number of 64 bits, also one that is written with a point or an exponent.
    std::int64_t whole(std::int64_t otherwise) const;

private:
    const nlohmann::json* value_ = nullptr;
};

}  // namespace skein::gui
