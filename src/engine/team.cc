// SPDX-License-Identifier: BSD-3-Clause
// Threads for workers.
#include "team.h"

#include <chrono>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <pthread.h>

#include <rte_errno.h>
#include <rte_lcore.h>

#include "barewire/base/error.h"

namespace barewire::engine {
namespace {

/// Pins this thread and registers it, so that memory pools keep a cache for it. The problem, or
/// empty.
std::string settle_in(int core, const std::string& name) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<size_t>(core), &set);
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
    const int code = pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
    if (code != 0) return fmt::format("cannot pin {} to core {}: {}", name, core, strerror(code));
    if (rte_thread_register() != 0) {
        return fmt::format("rte_thread_register for {}: {}", name, rte_strerror(rte_errno));
    }
    return {};
}

}  // namespace

Team::Team(std::vector<Member> members) : members_(std::move(members)) {
    for (const Member& member : members_) threads_.emplace_back([this, &member] { live(member); });
    std::unique_lock lock(mutex_);
    rest_.wait(lock, [this] { return resting_ == members_.size(); });
    if (problem_.empty()) return;
    lock.unlock();
    stop_all();
    throw DeviceError(problem_);
}

Team::~Team() {
    stop_all();
}

void Team::stop_all() {
    {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Team::live(const Member& member) {
    const std::string problem = settle_in(member.core, member.name);
    std::unique_lock lock(mutex_);
    if (!problem.empty()) problem_ = problem;
    for (uint64_t done = 0;; ++done) {
        ++resting_;
        rest_.notify_all();
        wake_.wait(lock, [&] { return ending_ || round_ > done; });
        if (ending_) break;
        lock.unlock();
        member.work();
        lock.lock();
    }
    lock.unlock();
    rte_thread_unregister();
}

void Team::begin() {
    {
        const std::scoped_lock lock(mutex_);
        resting_ = 0;
        ++round_;
    }
    wake_.notify_all();
}

bool Team::wait_for(Ns timeout) {
    std::unique_lock lock(mutex_);
    return rest_.wait_for(lock, std::chrono::nanoseconds(timeout),
                          [this] { return resting_ == members_.size(); });
}

}  // namespace barewire::engine
