# SPDX-License-Identifier: BSD-3-Clause
"""Results of every kind are valid by the schema, which is strict; docs/result.md names every key.

Arguments: the program that prints made-up results, the schema, the page.
"""
import copy
import json
import subprocess
import sys
import unittest

import jsonschema

RANDOM_RESULTS = 60
# Keys of the result that one command alone has.
OF_A_COMMAND = ['ports']


def refuse_constant(name):
    raise ValueError(f'{name} is no JSON')


def objects_of(schema):
    """Every part of the schema that describes an object with named keys."""
    if isinstance(schema, dict):
        if 'properties' in schema:
            yield schema
        for part in schema.values():
            yield from objects_of(part)


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(SCHEMA, encoding='utf-8') as file:
            cls.schema = json.load(file)
        cls.validator = jsonschema.Draft202012Validator(cls.schema)
        lines = subprocess.run([PROGRAM, str(RANDOM_RESULTS)], check=True,
                               stdout=subprocess.PIPE).stdout.decode().strip('\n').split('\n')
        cls.results = [json.loads(line, parse_constant=refuse_constant) for line in lines]

    def valid(self, result):
        return self.validator.is_valid(result)

    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_results_are_valid(self):
        self.assertGreater(len(self.results), RANDOM_RESULTS)
        for number, result in enumerate(self.results):
            errors = [f'{error.json_path}: {error.message}'
                      for error in self.validator.iter_errors(result)]
            self.assertEqual(errors, [], f'result {number}')

    def test_every_object_is_closed_and_complete(self):
        objects = list(objects_of(self.schema))
        self.assertGreater(len(objects), 10)
        for part in objects:
            self.assertIs(part['additionalProperties'], False)
            optional = OF_A_COMMAND if part is self.schema else []
            self.assertEqual(part['required'] + optional, list(part['properties']))

    def ports(self):
        return next(result for result in self.results if result['command'] == 'ports')

    def test_no_key_of_ports_may_go_or_come(self):
        first = self.ports()
        places = [lambda p: p, lambda p: p['nics'][0], lambda p: p['nics'][0]['pcie'],
                  lambda p: p['interfaces'][0], lambda p: p['kinds'][0]]
        for place in places:
            for key in place(first['ports']):
                less = copy.deepcopy(first)
                del place(less['ports'])[key]
                self.assertFalse(self.valid(less), f'without {key}')
            more = copy.deepcopy(first)
            place(more['ports'])['surprise'] = 1
            self.assertFalse(self.valid(more))

    def test_no_key_may_go_or_come(self):
        first = self.results[0]
        places = [lambda r: r, lambda r: r['environment'], lambda r: r['environment']['ports'][0],
                  lambda r: r['trials'][0], lambda r: r['trials'][0]['lost_by'],
                  lambda r: r['trials'][0]['latency_ns'], lambda r: r['trials'][0]['tx'],
                  lambda r: r['trials'][0]['workers'][0], lambda r: r['trials'][0]['wire'],
                  lambda r: r['trials'][0]['flows'][0], lambda r: r['verdict']]
        for place in places:
            for key in place(first):
                less = copy.deepcopy(first)
                del place(less)[key]
                self.assertFalse(self.valid(less), f'without {key}')
            more = copy.deepcopy(first)
            place(more)['surprise'] = 1
            self.assertFalse(self.valid(more))

    def test_wrong_values_are_refused(self):
        for key, value in (('status', 'fine'), ('run_id', 'xyz'), ('started', 'yesterday'),
                           ('schema', 'barewire.result/2'), ('errors', None)):
            wrong = copy.deepcopy(self.results[0])
            wrong[key] = value
            self.assertFalse(self.valid(wrong), key)
        for key, value in (('offered', -1), ('lost', 0.5), ('frame_size', 63), ('direction', 'up'),
                           ('duration_s', 'long'), ('foreign_by', {'ARP': 'many'})):
            wrong = copy.deepcopy(self.results[0])
            wrong['trials'][0][key] = value
            self.assertFalse(self.valid(wrong), key)

    def test_keys_have_the_order_of_the_page(self):
        for part, value in ((self.schema, self.ports()),
                            (self.schema['$defs']['trial'], self.results[0]['trials'][0])):
            self.assertEqual(list(part['properties']), list(value))

    def test_the_page_names_every_key(self):
        with open(PAGE, encoding='utf-8') as file:
            page = file.read()
        for part in objects_of(self.schema):
            for key in part['properties']:
                self.assertIn(f'`{key}`', page)


if __name__ == '__main__':
    PROGRAM, SCHEMA, PAGE = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1])
