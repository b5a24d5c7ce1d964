// SPDX-License-Identifier: BSD-3-Clause
// The workers' threads: pinned, known to DPDK, asleep between trials.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "barewire/base/clock.h"

namespace barewire::engine {

class Team {
  public:
    struct Member {
        int core = 0;
        std::string name;            ///< as `top -H` shows it, at most 15 characters
        std::function<void()> work;  ///< one trial; does not throw
    };
    /// Starts one thread a member. Throws DeviceError when one cannot be pinned or registered.
    explicit Team(std::vector<Member> members);
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    /// All must be at rest.
    ~Team();

    /// Every member does its work once.
    void begin();
    /// Sleeps until all are at rest again (true) or for `timeout` (false).
    bool wait_for(Ns timeout);

  private:
    void live(const Member& member);
    void stop_all();

    std::vector<Member> members_;
    std::mutex mutex_;
    std::condition_variable wake_;  // to members: a new round, or the end
    std::condition_variable rest_;  // to the control thread: at rest
    uint64_t round_ = 0;
    size_t resting_ = 0;
    bool ending_ = false;
    std::string problem_;
    std::vector<std::thread> threads_;
};

}  // namespace barewire::engine
