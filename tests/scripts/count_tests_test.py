# SPDX-License-Identifier: BSD-3-Clause
"""The counter against reports as Meson 1.0 and GoogleTest 1.12 write them."""
import contextlib
import io
import json
import pathlib
import tempfile
import unittest

import count_tests

CASE = '<testcase name="{0}" classname="Suite" status="run">{1}</testcase>'


def junit(*suites):
    return '<testsuites>' + ''.join(suites) + '</testsuites>'


def suite(test, *cases):
    return f'<testsuite name="barewire.barewire:unit / {test}.Suite">{"".join(cases)}</testsuite>'


class CountTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.report = pathlib.Path(folder.name) / 'testlog-short.json'

    def count(self, results, xml=None, extra=()):
        """Exit status and printed lines for a report of (name, result) pairs."""
        lines = [json.dumps({'name': f'barewire:unit / {name}', 'result': result})
                 for name, result in results]
        self.report.write_text('\n'.join(lines) + '\n')
        if xml is not None:
            self.report.with_suffix('.junit.xml').write_text(xml)
        return self.run_main([str(self.report), *extra])

    @staticmethod
    def run_main(arguments):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = count_tests.main(arguments)
        return status, out.getvalue().splitlines()

    def test_counts_gtest_cases_and_plain_tests(self):
        plain = '<testcase name="barewire:e2e / e2e/x"/>'
        xml = junit(suite('base/clock', CASE.format('A', ''), CASE.format('B', '')),
                    f'<testsuite name="barewire">{plain}</testsuite>')
        status, lines = self.count([('base/clock', 'OK'), ('e2e/x', 'OK')], xml)
        self.assertEqual((status, lines), (0, ['3 passed, 0 failed, 0 skipped']))

    def test_a_failed_case_is_named_and_counted_once(self):
        xml = junit(suite('base/clock', CASE.format('A', '<failure/>'), CASE.format('B', '')))
        status, lines = self.count([('base/clock', 'FAIL')], xml)
        self.assertEqual(status, 1)
        self.assertEqual(lines, ['failed: base/clock: Suite.A', '1 passed, 1 failed, 0 skipped'])

    def test_a_crash_after_passing_cases_fails(self):
        xml = junit(suite('base/clock', CASE.format('A', '')))
        status, lines = self.count([('base/clock', 'ERROR')], xml)
        self.assertEqual((status, lines[-1]), (1, '1 passed, 1 failed, 0 skipped'))

    def test_a_crash_without_cases_fails(self):
        status, lines = self.count([('base/clock', 'FAIL'), ('wire/x', 'OK')], junit())
        self.assertEqual((status, lines[-1]), (1, '1 passed, 1 failed, 0 skipped'))

    def test_each_bad_result_of_meson_fails(self):
        for result in ('FAIL', 'TIMEOUT', 'INTERRUPT', 'ERROR', 'UNEXPECTEDPASS'):
            status, lines = self.count([('e2e/x', result), ('e2e/y', 'OK')])
            self.assertEqual((status, lines[-1]), (1, '1 passed, 1 failed, 0 skipped'), result)

    def test_skips_of_both_kinds(self):
        xml = junit(suite('base/clock', CASE.format('A', '<skipped/>'), CASE.format('B', ''),
                          '<testcase name="DISABLED_C" classname="Suite" status="notrun"/>'))
        status, lines = self.count([('base/clock', 'OK'), ('e2e/x', 'SKIP')], xml)
        self.assertEqual((status, lines[-1]), (0, '1 passed, 0 failed, 3 skipped'))

    def test_what_failed_before_the_tests_is_one_failure(self):
        status, lines = self.count([('e2e/x', 'OK')], extra=['--failed=build of build/x'])
        self.assertEqual(status, 1)
        self.assertEqual(lines, ['failed: build of build/x', '1 passed, 1 failed, 0 skipped'])

    def test_cases_that_belong_to_no_test_fail(self):
        xml = junit(suite('base/y', CASE.format('A', '')))
        status, lines = self.count([('base/x', 'OK')], xml)
        self.assertEqual((status, lines[-1]), (1, '1 passed, 1 failed, 0 skipped'))

    def test_a_missing_report_fails(self):
        status, lines = self.run_main([str(self.report)])
        self.assertEqual((status, lines[-1]), (1, '0 passed, 1 failed, 0 skipped'))

    def test_a_damaged_report_fails(self):
        self.report.write_text('{"name": ')
        status, lines = self.run_main([str(self.report)])
        self.assertEqual((status, lines[-1]), (1, '0 passed, 1 failed, 0 skipped'))

    def test_an_empty_report_fails(self):
        status, lines = self.count([])
        self.assertEqual((status, lines[-1]), (1, '0 passed, 1 failed, 0 skipped'))


if __name__ == '__main__':
    unittest.main()
