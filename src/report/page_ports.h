// SPDX-License-Identifier: BSD-3-Clause
// The page of `barewire ports`.
#pragma once

#include <string>

#include "barewire/report/json.h"

#include "layout.h"

namespace barewire::report {

/// The first word: OK, or NONE where no NIC or interface can be a port as it is. `ports` is the
/// result's key of that name; what it lacks is left out.
std::string ports_word(const Json& ports);
void put_ports_page(Page& page, const Json& ports);

}  // namespace barewire::report
