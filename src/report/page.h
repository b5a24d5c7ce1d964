// SPDX-License-Identifier: BSD-3-Clause
// The parts of the end page, from top to bottom. Each leaves out what the run does not know.
#pragma once

#include <string>

#include "layout.h"
#include "reading.h"

namespace barewire::report {

/// The first word: OK, LOSS, FLAW (damage without loss), SHORT (less sent than intended), NONE
/// (nothing arrived, or nothing ran), PART (interrupted), FAIL.
std::string answer_word(const Run& run);

/// The word, what the frames went through, the answer in words, errors and warnings.
void put_answer(Page& page, const Run& run);
/// One row a trial and direction.
void put_trials(Page& page, const Run& run);
/// What stands beside the table: the other counts, foreign frames, stalls, the ledger.
void put_counts(Page& page, const Run& run);
/// Where frames were lost, if any were.
void put_where(Page& page, const Run& run);
/// What the embedded wire did by its own count, if it did or was told to do anything.
void put_wire(Page& page, const Run& run);
/// Evidence and next commands of the verdict.
void put_verdict(Page& page, const Run& run);
/// Ports, label, the run itself.
void put_foot(Page& page, const Run& run, bool saved);

}  // namespace barewire::report
