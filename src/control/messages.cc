// SPDX-License-Identifier: BSD-3-Clause
// Messages as JSON, and back with every value checked.
#include "barewire/control/messages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "barewire/base/knobs.h"

namespace barewire::control {
namespace {

constexpr size_t kMostText = 512;

/// Reads one object's members; a member that is missing or out of its range spoils the whole.
class Reader {
  public:
    explicit Reader(const Json& json) : json_(json) {}
    [[nodiscard]] bool good() const { return good_; }

    template <class T>
    void number(const char* key, T& to, uint64_t least = 0,
                uint64_t most = std::numeric_limits<T>::max()) {
        const Json* value = find(key);
        if (value == nullptr || !value->is_number_unsigned()) return spoil();
        const auto read = value->get<uint64_t>();
        if (read < least || read > most) return spoil();
        to = static_cast<T>(read);
    }
    void rate(const char* key, std::optional<double>& to) {
        const Json* value = find(key);
        if (value == nullptr) return spoil();
        if (value->is_null()) return;
        if (!value->is_number()) return spoil();
        to = value->get<double>();
        if (!std::isfinite(*to) || *to <= 0 || *to > 1e9) spoil();
    }
    void flag(const char* key, bool& to) {
        const Json* value = find(key);
        if (value == nullptr || !value->is_boolean()) return spoil();
        to = value->get<bool>();
    }
    void text(const char* key, std::string& to) {
        const Json* value = find(key);
        if (value == nullptr || !value->is_string()) return spoil();
        to = value->get<std::string>();
        if (to.size() > kMostText) spoil();
        std::replace_if(
            to.begin(), to.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    }
    void mac(const char* key, std::optional<plan::Addressing::Mac>& to) {
        const Json* value = find(key);
        if (value == nullptr) return spoil();
        if (value->is_null()) return;
        plan::Addressing::Mac read{};
        if (!value->is_array() || value->size() != read.size()) return spoil();
        for (size_t i = 0; i < read.size(); ++i) {
            const Json& byte = (*value)[i];
            if (!byte.is_number_unsigned() || byte.get<uint64_t>() > 255) return spoil();
            read[i] = static_cast<uint8_t>(byte.get<uint64_t>());
        }
        to = read;
    }
    void counts(const char* key, std::vector<uint64_t>& to) {
        const Json* value = find(key);
        if (value == nullptr || !value->is_array() || value->empty() ||
            value->size() > kMaxStreams) {
            return spoil();
        }
        for (const Json& count : *value) {
            if (!count.is_number_unsigned()) return spoil();
            to.push_back(count.get<uint64_t>());
        }
    }
    void any(const char* key, Json& to) {
        const Json* value = find(key);
        if (value == nullptr) return spoil();
        to = *value;
    }

  private:
    [[nodiscard]] const Json* find(const char* key) const {
        const auto found = json_.find(key);
        return found == json_.end() ? nullptr : &*found;
    }
    void spoil() { good_ = false; }

    const Json& json_;
    bool good_ = true;
};

template <class T>
Json maybe(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json form(const Hello& m) {
    return {{"type", "hello"}, {"protocol", m.protocol}, {"version", m.version}, {"run", m.run}};
}
void take(Reader& in, Hello& m) {
    in.number("protocol", m.protocol);
    in.text("version", m.version);
    in.number("run", m.run);
}

Json form(const Here& m) {
    return {{"type", "here"},   {"protocol", m.protocol},   {"version", m.version},
            {"role", m.role},   {"max_frame", m.max_frame}, {"generators", m.generators},
            {"sinks", m.sinks}, {"machine", m.machine},     {"environment", m.environment}};
}
void take(Reader& in, Here& m) {
    in.number("protocol", m.protocol);
    in.text("version", m.version);
    in.text("role", m.role);
    in.number("max_frame", m.max_frame);
    in.number("generators", m.generators, 0, kMaxStreams);
    in.number("sinks", m.sinks, 0, kMaxStreams);
    in.text("machine", m.machine);
    in.any("environment", m.environment);
}

Json form(const Order& m) {
    return {{"type", "order"},
            {"run", m.run},
            {"trial", m.trial},
            {"frame_size", m.frame_size},
            {"repeat", m.repeat},
            {"to_far_streams", m.to_far_streams},
            {"from_far_streams", m.from_far_streams},
            {"flows", m.flows},
            {"payload_check", m.payload_check},
            {"seed", m.seed},
            {"window_ns", m.window_ns},
            {"count", m.count},
            {"fps", maybe(m.fps)},
            {"skip_late", m.late.kind == plan::LatePolicy::Kind::skip},
            {"late_ns", m.late.limit_ns},
            {"src_mac", maybe(m.src_mac)},
            {"dst_mac", maybe(m.dst_mac)},
            {"src_ip", m.src_ip},
            {"dst_ip", m.dst_ip},
            {"src_port", m.src_port},
            {"dst_port", m.dst_port}};
}
void take(Reader& in, Order& m) {
    constexpr uint64_t kMostNs = uint64_t{366} * 24 * 3600 * 1'000'000'000;
    in.number("run", m.run);
    in.number("trial", m.trial);
    in.number("frame_size", m.frame_size, kMinFrameSize, kMaxFrameSize);
    in.number("repeat", m.repeat);
    in.number("to_far_streams", m.to_far_streams, 0, kMaxStreams);
    in.number("from_far_streams", m.from_far_streams, 0, kMaxStreams);
    in.number("flows", m.flows, 1, kMaxFlows);
    in.flag("payload_check", m.payload_check);
    in.number("seed", m.seed);
    in.number("window_ns", m.window_ns, 0, kMostNs);
    in.number("count", m.count);
    in.rate("fps", m.fps);
    bool skip = false;
    in.flag("skip_late", skip);
    m.late.kind = skip ? plan::LatePolicy::Kind::skip : plan::LatePolicy::Kind::catch_up;
    in.number("late_ns", m.late.limit_ns, 1, kMostNs);
    in.mac("src_mac", m.src_mac);
    in.mac("dst_mac", m.dst_mac);
    in.number("src_ip", m.src_ip);
    in.number("dst_ip", m.dst_ip);
    in.number("src_port", m.src_port, 1);
    in.number("dst_port", m.dst_port, 1);
}

Json form(const Ready& m) {
    return {{"type", "ready"}, {"run", m.run}, {"trial", m.trial}};
}
void take(Reader& in, Ready& m) {
    in.number("run", m.run);
    in.number("trial", m.trial);
}

Json form(const Refused& m) {
    return {{"type", "refused"}, {"why", m.why}};
}
void take(Reader& in, Refused& m) {
    in.text("why", m.why);
}

Json form(const End& m) {
    return {{"type", "end"},          {"run", m.run},       {"trial", m.trial},
            {"intended", m.intended}, {"unsent", m.unsent}, {"offered", m.offered}};
}
void take(Reader& in, End& m) {
    in.number("run", m.run);
    in.number("trial", m.trial);
    in.number("intended", m.intended);
    in.number("unsent", m.unsent);
    in.counts("offered", m.offered);
}

Json form(const Outcomes& m) {
    return {{"type", "outcomes"}, {"run", m.run}, {"trial", m.trial}, {"trials", m.trials}};
}
void take(Reader& in, Outcomes& m) {
    in.number("run", m.run);
    in.number("trial", m.trial);
    in.any("trials", m.trials);
}

Json form(const Alive& m) {
    return {{"type", "alive"}, {"run", m.run}};
}
void take(Reader& in, Alive& m) {
    in.number("run", m.run);
}

Json form(const Bye& m) {
    return {{"type", "bye"}, {"run", m.run}};
}
void take(Reader& in, Bye& m) {
    in.number("run", m.run);
}

template <class T>
std::optional<Content> message_of(const Json& json) {
    T message;
    Reader in(json);
    take(in, message);
    if (!in.good()) return std::nullopt;
    return message;
}

/// Arrays and objects within each other; more is no message, and would cost stack.
constexpr int kMostDepth = 8;

}  // namespace

std::string write(const Content& content) {
    const Json json = std::visit([](const auto& m) { return form(m); }, content);
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::optional<Content> read(std::string_view text) {
    bool too_deep = false;
    const auto watch_depth = [&](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > kMostDepth;
        return !too_deep;
    };
    const Json json = Json::parse(text, watch_depth, false);
    if (too_deep || !json.is_object()) return std::nullopt;
    const auto type = json.find("type");
    if (type == json.end() || !type->is_string()) return std::nullopt;
    const auto& name = type->get_ref<const std::string&>();
    if (name == "hello") return message_of<Hello>(json);
    if (name == "here") return message_of<Here>(json);
    if (name == "order") return message_of<Order>(json);
    if (name == "ready") return message_of<Ready>(json);
    if (name == "refused") return message_of<Refused>(json);
    if (name == "end") return message_of<End>(json);
    if (name == "outcomes") return message_of<Outcomes>(json);
    if (name == "alive") return message_of<Alive>(json);
    if (name == "bye") return message_of<Bye>(json);
    return std::nullopt;
}

}  // namespace barewire::control
