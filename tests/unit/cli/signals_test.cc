// SPDX-License-Identifier: BSD-3-Clause
// A signal sets the flag, again and again; afterwards everything is as it was.
#include "signals.h"

#include <cerrno>

#include <gtest/gtest.h>
#include <unistd.h>

namespace barewire::cli {
namespace {

TEST(Signals, SetTheFlagAsOftenAsTheyCome) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const SignalGuard guard;
        EXPECT_FALSE(SignalGuard::stop());
        raise(signal);
        EXPECT_TRUE(SignalGuard::stop());
        raise(signal);
        EXPECT_TRUE(SignalGuard::stop());
    }
}

TEST(Signals, AClosedPipeIsAFailedWrite) {
    const SignalGuard guard;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    EXPECT_EQ(write(ends[1], "x", 1), -1);
    EXPECT_EQ(errno, EPIPE);
    close(ends[1]);
}

TEST(Signals, AreGivenBack) {
    struct sigaction before {};
    struct sigaction after {};
    sigaction(SIGINT, nullptr, &before);
    { const SignalGuard guard; }
    sigaction(SIGINT, nullptr, &after);
    EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST(Signals, AHangUpThatIsIgnoredStaysSo) {
    signal(SIGHUP, SIG_IGN);
    {
        const SignalGuard guard;
        raise(SIGHUP);
        EXPECT_FALSE(SignalGuard::stop());
    }
    signal(SIGHUP, SIG_DFL);
}

}  // namespace
}  // namespace barewire::cli
