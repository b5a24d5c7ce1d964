// SPDX-License-Identifier: BSD-3-Clause
// The end on the other host, as the end that leads the run sees it.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "barewire/engine/run.h"
#include "barewire/plan/result.h"
#include "barewire/stats/ledger.h"

#include "talk.h"

namespace barewire::engine {

class FarEnd {
  public:
    /// All outlive it.
    FarEnd(Channel& channel, const TscClock& clock, uint32_t run, const RunOptions& options);

    /// Asks on the link, or at `mac`, until somebody answers or `patience` is over: false then.
    /// Throws DeviceError where two answer, or one that speaks another protocol.
    bool find(const std::optional<wire::MacAddress>& mac, Ns patience);
    /// Nobody answered and nobody has to: orders are announced to `mac`.
    void announce_to(const wire::MacAddress& mac) { mac_ = mac; }

    /// Somebody answers there.
    [[nodiscard]] bool answers() const { return here_.has_value(); }
    [[nodiscard]] const control::Here& here() const { return *here_; }
    [[nodiscard]] const wire::MacAddress& mac() const { return mac_; }

    /// Has the far end make ready for a trial. Throws DeviceError where it refuses or is lost.
    void order(const control::Order& order);
    /// Takes in what came, says that we live. Often, during a trial.
    void turn();
    /// It fell silent.
    [[nodiscard]] bool lost() const;
    /// How it was lost, in words.
    [[nodiscard]] std::string loss() const;
    /// Tells what our senders did in the trial ordered last.
    void end(const stats::SentTotals& totals);
    /// What its senders did, once it has told.
    [[nodiscard]] const std::optional<stats::SentTotals>& sent() const { return sent_; }
    /// What it counted in that trial, one element a direction. Waits; throws DeviceError where it
    /// is lost.
    std::vector<plan::TrialResult> outcomes();
    /// The run is over.
    void bye();

  private:
    void take(const Heard& heard);
    template <class Done>
    bool wait(Ns patience, Done done);
    void tell(const control::Content& content);
    [[nodiscard]] std::string name() const;

    Talk talk_;
    const TscClock& clock_;
    uint32_t run_;
    const RunOptions& options_;
    wire::MacAddress mac_{};
    std::optional<control::Here> here_;
    std::optional<Heard> second_;  // another that answers to a hello
    control::Order order_;
    bool ready_ = false;
    bool undelivered_ = false;
    std::optional<uint32_t> telling_;
    std::optional<std::string> refused_;
    std::optional<stats::SentTotals> sent_;
    std::optional<control::Outcomes> outcomes_;
    Ns heard_ns_ = 0;
    Ns alive_ns_ = 0;
};

}  // namespace barewire::engine
