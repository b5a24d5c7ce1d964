# SPDX-License-Identifier: BSD-3-Clause
"""Each rule of tidy.py: a breach is found, and what looks like one is not."""
import pathlib
import unittest

import tidy

HEAD = '// SPDX-License-Identifier: BSD-3-Clause\n// What this file is for, in one sentence.\n'
# In two parts: tidy.py reads this file too.
WORK = '/wo' + 'rk'


def breaches(name, text):
    return [what for _, what in tidy.check_text(pathlib.PurePosixPath(name), text)]


class TidyTest(unittest.TestCase):
    def assert_clean(self, name, text):
        self.assertEqual(breaches(name, text), [])

    def assert_breach(self, name, text, part):
        found = breaches(name, text)
        self.assertEqual(len(found), 1, found)
        self.assertIn(part, found[0])

    def test_header(self):
        self.assert_clean('src/base/a.cc', HEAD)
        self.assert_breach('src/base/a.cc', 'int a;\n', 'SPDX')
        self.assert_breach('src/base/a.cc', HEAD.splitlines()[0] + '\nint a;\n', 'sentence')
        self.assert_breach('scripts/x', '#!/bin/sh\necho\n', 'SPDX')
        self.assert_breach('src/meson.build', "x = 1\n", 'SPDX')
        self.assert_clean('README.md', '# barewire\n')

    def test_lines(self):
        self.assert_breach('src/base/a.cc', HEAD + '\tint a;\n', 'tab')
        self.assert_breach('README.md', 'word \n', 'trailing')
        self.assert_breach('src/base/a.cc', HEAD + '// ' + 'a' * 98 + '\n', '101 columns')
        self.assert_clean('src/base/a.cc', HEAD + '// ' + 'a' * 97 + '\n')
        self.assert_clean('README.md', 'a' * 500 + '\n')
        self.assert_breach('README.md', 'word', 'newline')
        self.assert_breach('src/base/a.cc', HEAD + 'int a;\n' * 449, '451 lines')

    def test_words(self):
        self.assert_breach('README.md', 'a TO' + 'DO here\n', 'banned word')
        self.assert_clean('README.md', 'HACKING, TODOS and XXXL are other words\n')

    def test_paths_of_one_machine(self):
        self.assert_breach('README.md', f'see {WORK}/main\n', 'path of one machine')
        self.assert_clean('README.md', f'$HOME{WORK} and src{WORK}er, build{WORK}\n')

    def test_dpdk_only_where_it_belongs(self):
        include = HEAD + '#include <rte_mbuf.h>\n'
        self.assert_breach('src/wire/a.cc', include, 'DPDK')
        self.assert_breach('apps/barewire/a.cc', include, 'DPDK')
        self.assert_breach('tests/unit/wire/a_test.cc', include, 'DPDK')
        self.assert_clean('src/nic/a.cc', include)
        self.assert_clean('include/barewire/engine/a.h', include)

    def test_includes_point_downward(self):
        self.assert_breach('src/wire/a.cc', HEAD + '#include "barewire/report/text.h"\n',
                           'wire/ may not include report/')
        self.assert_breach('include/barewire/base/a.h', HEAD + '#include "barewire/plan/plan.h"\n',
                           'base/ may not include plan/')
        self.assert_breach('src/report/a.cc', HEAD + '#include "nic/burst.h"\n', 'may not')
        self.assert_clean('src/link/a.cc', HEAD + '#include "barewire/plan/result.h"\n')
        self.assert_clean('src/engine/a.cc', HEAD + '#include "barewire/nic/port.h"\n')
        self.assert_clean('apps/barewire/a.cc', HEAD + '#include "barewire/engine/run.h"\n')
        self.assert_clean('src/wire/a.cc', HEAD + '#include <sys/time.h>\n')

    def test_skips_need_a_reason(self):
        self.assert_breach('tests/unit/base/a_test.cc', HEAD + 'GTEST_SKIP() << "";\n', 'MAY_SKIP')
        script = HEAD.replace('//', '#') + '[[ -e x ]] || exit 77\n'
        self.assert_breach('tests/e2e/a_test.sh', script, 'MAY_SKIP')
        tidy.MAY_SKIP['tests/e2e/a_test.sh'] = 'needs x'
        self.addCleanup(tidy.MAY_SKIP.clear)
        self.assert_clean('tests/e2e/a_test.sh', script)

    def test_nolint_names_check_and_reason(self):
        self.assert_breach('src/wire/a.cc', HEAD + 'f();  // NOLINT\n', 'NOLINT')
        self.assert_breach('src/wire/a.cc', HEAD + 'f();  // NOLINT(misc-x)\n', 'NOLINT')
        self.assert_clean('src/wire/a.cc', HEAD + 'f();  // NOLINT(misc-x): the API wants it\n')


if __name__ == '__main__':
    unittest.main()
