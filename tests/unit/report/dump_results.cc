// SPDX-License-Identifier: BSD-3-Clause
// Prints made-up results, one JSON object a line, for the test of the schema.
#include <cstdio>
#include <cstdlib>

#include "barewire/report/json.h"

#include "random_result.h"
#include "samples.h"
#include "survey_samples.h"

namespace {

void print(const barewire::report::Json& result) {
    using barewire::report::Json;
    // Through the text that users get, then on one line.
    const Json json = Json::parse(barewire::report::serialize(result));
    std::puts(json.dump().c_str());
}

void print(const barewire::plan::RunResult& run) {
    print(barewire::report::to_json(run));
}

}  // namespace

int main(int argc, char** argv) {
    for (const auto& [name, run] : barewire::samples::all()) print(run);
    for (const auto& survey :
         {barewire::samples::server(), barewire::samples::private_namespace()}) {
        print(barewire::samples::ports_result(survey));
    }
    barewire::samples::RandomResult random(2);
    const int many = argc > 1 ? std::atoi(argv[1]) : 0;
    for (int i = 0; i < many; ++i) print(random.next());
}
