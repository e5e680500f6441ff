// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/stream/stream_record.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace skein {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Builds a record while a line is read, so that no tree of values is held.
class StreamRecordBuilder : public nlohmann::json_sax<nlohmann::json> {
public:
    Result<StreamRecord> finish()
    {
        if (!problem_.empty()) return fail(ErrorCode::Malformed, problem_);
        if (!entity_.empty())
            for (StreamValues& values : record_.samples)
                if (values.entities.empty() && values.values.size() == 1) values.entities = {entity_};
        for (StreamAttribute& attribute : record_.attributes)
            if (!entity_.empty() && attribute.entities.empty() && attribute.values.size() == 1)
                attribute.entities = {entity_};
        if (value_) record_.samples.push_back({metric_, entityNames(), {*value_}});
        for (StreamValues& values : record_.samples) {
            if (values.metric.empty()) values.metric = metric_;
            if (!values.entities.empty() && values.entities.size() != values.values.size())
                return fail(ErrorCode::Malformed,
                            "A line of the stream is left out: a value among named ones has no name.");
        }
        return std::move(record_);
    }

    bool null() override { return scalar(kNoValue); }
    bool boolean(bool value) override
    {
        if (path_.size() == 1 && key() == "end") record_.end = value;
        else if (path_.size() > 1 && top() == "attributes") attribute(value ? "true" : "false");
        return true;
    }
    bool number_integer(number_integer_t value) override { return scalar(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) override { return scalar(static_cast<double>(value)); }
    bool number_float(number_float_t value, const string_t&) override { return scalar(value); }
    bool binary(binary_t&) override { return true; }

    bool string(string_t& value) override
    {
        if (path_.size() == 1 && key() == "metric") metric_ = std::move(value);
        else if (path_.size() == 1 && key() == "entity") entity_ = std::move(value);
        else if (path_.size() == 2 && top() == "entities") record_.entities.push_back(std::move(value));
        else if (path_.size() == 2 && top() == "groups") record_.groups.push_back(std::move(value));
        else if (path_.size() == 2 && top() == "levels") record_.levels.push_back(std::move(value));
        else if (path_.size() > 1 && top() == "attributes") attribute(std::move(value));
        else if (path_.size() == 3 && top() == "messages") message(std::move(value));
        else if (path_.size() == 1 && key() == "time") return refuse("\"time\" has to be a number");
        return true;
    }

    bool key(string_t& name) override
    {
        path_.back() = name;
        return true;
    }
    bool start_object(std::size_t) override { return enter(); }
    bool start_array(std::size_t) override
    {
        if (path_.empty()) return refuse("it is an array and no object");
        return enter();
    }
    bool end_object() override { return leave(); }
    bool end_array() override
    {
        if (path_.size() == 3 && top() == "messages") closeMessage();
        return leave();
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override
    {
        return refuse(fmt::format("it is no JSON at byte {}", position));
    }

private:
    static constexpr std::size_t kDeepest = 16;

    const std::string& top() const { return path_.front(); }
    const std::string& key() const { return path_.back(); }

    bool refuse(const std::string& why)
    {
        if (problem_.empty()) problem_ = fmt::format("A line of the stream is left out: {}.", why);
        return false;
    }

    bool enter()
    {
        if (path_.size() == kDeepest) return refuse("its values are nested too deeply");
        path_.emplace_back();
        if (path_.size() == 2 && top() == "values") record_.samples.push_back({});
        else if (path_.size() == 3 && top() == "metrics") record_.samples.push_back({path_[1], {}, {}});
        else if (path_.size() == 3 && top() == "attributes") record_.attributes.push_back({path_[1], {}, {}});
        else if (path_.size() == 3 && top() == "messages") place_ = 0;
        return true;
    }

    bool leave()
    {
        path_.pop_back();
        return true;
    }

    bool scalar(double value)
    {
        if (path_.empty()) return refuse("it is a number and no object");
        if (top() == "attributes") {
            attribute(std::isfinite(value) ? fmt::format("{}", value) : std::string());
            return true;
        }
        const bool inValues = path_.size() == 2 && top() == "values";
        const bool inMetric = path_.size() == 3 && top() == "metrics";
        if (inValues || inMetric) {
            StreamValues& sample = record_.samples.back();
            if (!key().empty()) sample.entities.push_back(key());
            sample.values.push_back(value);
        } else if (path_.size() == 2 && top() == "metrics") {
            record_.samples.push_back({path_[1], {}, {value}});
        } else if (path_.size() == 1 && key() == "value") value_ = value;
        else if (path_.size() == 1 && key() == "time" && std::isfinite(value)) record_.time = value;
        else if (path_.size() == 3 && top() == "messages") number(value);
        return true;
    }

    std::vector<std::string> entityNames() const
    {
        return entity_.empty() ? std::vector<std::string>() : std::vector<std::string>{entity_};
    }

    /// Of one entity, or of the list or the object that is open.
    void attribute(std::string value)
    {
        if (path_.size() == 2 && !key().empty())
            record_.attributes.push_back({key(), {}, {std::move(value)}});
        if (path_.size() != 3) return;
        StreamAttribute& open = record_.attributes.back();
        if (!key().empty()) open.entities.push_back(key());
        open.values.push_back(std::move(value));
    }

    void message(std::string name)
    {
        if (place_ == 0) one_ = {std::move(name), {}, 0, 1, {}};
        else if (place_ == 1) one_.to = std::move(name);
        else {
            one_.type = std::move(name);
            return;
        }
        ++place_;
    }

    void number(double value)
    {
        const double amount = std::isfinite(value) && value > 0 ? value : 0;
        if (place_ == 2) one_.bytes = amount;
        else if (place_ == 3) one_.messages = amount;
        ++place_;
    }

    void closeMessage()
    {
        if (place_ >= 2 && !one_.from.empty() && !one_.to.empty()) record_.messages.push_back(one_);
    }

    StreamRecord record_;
    std::string problem_, metric_, entity_;
    std::optional<double> value_;
    std::vector<std::string> path_;  ///< the key in each object or array that is open; empty in an array
    StreamMessages one_;
    std::size_t place_ = 0;
};

}  // namespace

Result<StreamRecord> parseStreamRecord(std::string_view line)
{
    StreamRecordBuilder builder;
    nlohmann::json::sax_parse(line, &builder);
    return builder.finish();
}

}  // namespace skein
