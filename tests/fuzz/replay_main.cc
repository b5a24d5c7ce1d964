// SPDX-License-Identifier: BSD-3-Clause
// Runs a fuzz target over files, or over all files of folders, without a fuzzer: any compiler will
// do, and every input once found stays a test.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

bool replay(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)),
                                  std::istreambuf_iterator<char>());
    if (!file) {
        std::fprintf(stderr, "cannot read %s\n", path.c_str());
        return false;
    }
    // To the byte as long as the input, so that a sanitizer sees a read past its end.
    const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
    std::fprintf(stderr, "%s: %zu bytes\n", path.c_str(), exact.size());
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    int replayed = 0;
    for (int i = 1; i < argc; ++i) {
        if (!std::filesystem::is_directory(argv[i])) {
            if (!replay(argv[i])) return 1;
            ++replayed;
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
            if (!entry.is_regular_file()) continue;
            if (!replay(entry.path())) return 1;
            ++replayed;
        }
    }
    std::fprintf(stderr, "%d inputs\n", replayed);
    // An empty corpus would pass for ever without testing anything.
    return replayed > 0 ? 0 : 1;
}
