// SPDX-License-Identifier: BSD-3-Clause
// A trial as the near end orders it, and as the far end then runs it.
#pragma once

#include "barewire/control/messages.h"
#include "barewire/engine/layout.h"
#include "barewire/plan/plan.h"

#include "way_run.h"

namespace barewire::engine {

/// Where both ends send: each opens its window this long after the order, by its own clock.
inline constexpr Ns kBothSendLeadNs = 250'000'000;

/// Near end: `to_far` is its sending way; `from_far` the far end's, or null.
control::Order order_of(const plan::Plan& plan, uint32_t run, const TrialSpec& spec,
                        const WayRun& to_far, const Way* from_far);

/// Far end: what `order` of the near end at `from` makes of the plan and layout it was started
/// with. The layout's ports are those of `plan`, which outlives it.
plan::Plan plan_for(const control::Order& order, const plan::Plan& own);
Layout layout_for(const control::Order& order, const wire::MacAddress& from, const Layout& own,
                  const plan::Plan& plan);
TrialSpec spec_for(const control::Order& order);

}  // namespace barewire::engine
