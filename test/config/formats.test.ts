import { inspect } from 'node:util';
import test from 'ava';
import { checkValues } from '../../config/check-values.js';
import { FORMATS, type FormatName } from '../../config/formats.js';

/** The converted value, or the reason why it is invalid. */
function convert(format: FormatName, value: unknown): { value: unknown } | { reason: string | undefined } {
  // Sensitive, so that the reason does not repeat the value.
  const leaves = new Map([['a', { doc: 'd', format, sensitive: true }]]);
  const { values, invalid } = checkValues(leaves, new Map([['a', { value, origin: 'o', directory: '/d' }]]));
  return invalid.length === 0 ? { value: values.get('a') } : { reason: invalid[0]?.reason };
}

const VALID: readonly (readonly [FormatName, unknown, unknown])[] = [
  ...[true, 'true', 'TRUE', 'True', 'yes', 'on', '1', 't', 'Y'].map(
    (value) => ['boolean', value, true] as const,
  ),
  ...[false, 'false', 'FALSE', 'no', 'off', '0', 'F', 'n'].map((value) => ['boolean', value, false] as const),
  ['number', 1.5, 1.5],
  ['number', '-1.5', -1.5],
  ['count', 1, 1],
  ['count', '10000', 10_000],
  ['string', '', ''],
  ['string', 'ä', 'ä'],
  ['path', '', ''],
  ['path', 'a/b.pem', '/d/a/b.pem'],
  ['path-list', [], []],
  ['path-list', ['a', '/b'], ['/d/a', '/b']],
  ['path-list', 'a', ['/d/a']],
  ['path-list', '', []],
  ['name-list', [], []],
  ['name-list', ['docker', 'peer0/couchdb'], ['docker', 'peer0/couchdb']],
  ['name-list', 'docker', ['docker']],
  ['name-list', '', []],
  [
    'host-list',
    ['a', 'agent-1.example.com', '10.0.0.1', 'fe80::1'],
    ['a', 'agent-1.example.com', '10.0.0.1', 'fe80::1'],
  ],
  ['url', '', ''],
  ['url', 'https://host1.example.com:9543/agent/', 'https://host1.example.com:9543/agent/'],
  ['host-list', 'a', ['a']],
  ['host-list', ['*'], ['*']],
  ['host-list', ['a', '*'], ['a', '*']],
  ['duration', '1m', 60_000],
  ['duration', 0, 0],
  ['positive-duration', '1ms', 1],
  ['host-port', ':0', { host: '', port: 0 }],
  ['host-port', '[::1]:9443', { host: '::1', port: 9443 }],
  ['list', [1], [1]],
];
for (const [format, value, result] of VALID) {
  test(`${inspect(value)} is a valid ${format}`, (t) => {
    t.deepEqual(convert(format, value), { value: result });
  });
}

const LIST_OF_PATHS = 'must be a list of paths, none of them empty';
const INVALID: readonly (readonly [FormatName, readonly unknown[], string])[] = [
  ['boolean', ['', 'ja', 'tru', 1, 0, ['true']], 'must be true or false'],
  ['number', ['', '5abc', '0x10', '1e3', Number.NaN, Number.POSITIVE_INFINITY, true], 'must be a number'],
  [
    'count',
    ['', 0, '0', -1, 1.5, '1.5', '80x', 1e21, Number.NaN, '1 000', true],
    'must be a whole number of 1 or more',
  ],
  ['string', [5, true, ['a']], 'must be a string'],
  [
    'url',
    [5, 'host1:9543', 'ftp://host1', 'https://u@host1', 'https://host1/?a', 'https://host1/#a'],
    'must be a URL that begins with http:// or https://, without user name, query and fragment',
  ],
  ['path', [5, ['a'], 'a\0b'], 'must be a path'],
  ['path-list', [5, [''], ['a', '']], LIST_OF_PATHS],
  ['path-list', [[5], ['a\0b'], [null]], 'must be a path'],
  [
    'host-list',
    [
      5,
      [''],
      [5],
      [null],
      ['a', ''],
      ['a:9443'],
      ['http://a'],
      ['a/b'],
      ['a b'],
      ['*.example.com'],
      ['[::1]'],
      ['999.1.1.1'],
      ['ä'],
    ],
    "must be a list of host names or addresses without ports, or '*'",
  ],
  ['name-list', [5, [''], ['a', ''], [5], [null]], 'must be a list of names, none of them empty'],
  ['duration', [10, '10'], 'must have a unit: write 10s for seconds or 10ms for milliseconds'],
  ['positive-duration', ['0s', 0], 'must be longer than 0s'],
  [
    'host-port',
    ['', 'localhost', 9443, ['a:1']],
    'must be host:port, such as 127.0.0.1:9443, :9443 for all addresses, or [::1]:9443',
  ],
  ['list', ['a', 5], 'must be a list'],
];
for (const [format, values, reason] of INVALID) {
  for (const value of values) {
    test(`${inspect(value)} is not a valid ${format}: ${reason}`, (t) => {
      t.deepEqual(convert(format, value), { reason });
    });
  }
}

for (const format of Object.keys(FORMATS) as FormatName[]) {
  test(`a mapping is not a valid ${format}`, (t) => {
    const isList = format.endsWith('list');
    t.deepEqual(convert(format, { a: 1 }), {
      reason: `must be a ${isList ? 'list' : 'value'}, not a mapping`,
    });
  });
}
