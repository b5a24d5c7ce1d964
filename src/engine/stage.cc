// SPDX-License-Identifier: BSD-3-Clause
// Workers from threads to trials.
#include "stage.h"

#include <utility>

namespace barewire::engine {

Stage::Stage(const Setting& setting) : ports_(setting.ports), clock_(setting.clock) {
    const WayRun::Setting of_way{setting.plan, setting.layout.crowded_cores, setting.run_id,
                                 setting.clock};
    std::vector<Team::Member> members;
    for (const Way& way : setting.layout.ways) {
        ways_.push_back(
            std::make_unique<WayRun>(of_way, way, ports_.end_of(way.tx), ports_.end_of(way.rx)));
        for (auto& member : ways_.back()->members([this] { barrier_->arrive_and_wait(); })) {
            members.push_back(std::move(member));
        }
    }
    barrier_.emplace(static_cast<std::ptrdiff_t>(members.size()), Opening{this});
    team_ = std::make_unique<Team>(std::move(members));
}

void Stage::Opening::operator()() noexcept {
    const Ns start = stage->clock_->now() + stage->lead_ns_;
    for (const auto& way : stage->ways_) way->arm(start);
    stage->started_ns_ = start;
}

void Stage::begin(const TrialSpec& spec) {
    lead_ns_ = spec.lead_ns;
    started_ns_ = 0;
    ports_.begin_trial(spec.number);
    for (const auto& way : ways_) way->prepare(spec);
    team_->begin();
}

bool Stage::rest(Ns timeout) {
    if (!team_->wait_for(timeout)) return false;
    ports_.end_trial();
    return true;
}

}  // namespace barewire::engine
