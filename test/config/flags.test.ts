import test from 'ava';
import { readFlags } from '../../config/flags.js';

test('a flag sets a key, ignoring case, and is the origin of the value', (t) => {
  const { values, problems } = readFlags(['OPERATIONS.listenaddress=:1'], '/cwd');
  t.deepEqual(problems, []);
  t.deepEqual(
    [...values],
    [
      [
        'operations.listenAddress',
        { value: ':1', origin: 'flag --set operations.listenAddress', directory: '/cwd' },
      ],
    ],
  );
});

test('the last of several flags for a key is used', (t) => {
  t.is(readFlags(['vm.endpoint=a', 'vm.endpoint=b'], '/').values.get('vm.endpoint')?.value, 'b');
});

test('a value may be empty, and may contain equals signs and line breaks', (t) => {
  const { values } = readFlags(['vm.endpoint=', 'logging.format=a=b\nc'], '/');
  t.is(values.get('vm.endpoint')?.value, '');
  t.is(values.get('logging.format')?.value, 'a=b\nc');
});

test('the items of a list of paths are separated by commas', (t) => {
  const list = (text: string): unknown =>
    readFlags([`operations.tls.clientRootCAs.files=${text}`], '/').values.get(
      'operations.tls.clientRootCAs.files',
    )?.value;
  t.deepEqual(list('a.pem,/b.pem'), ['a.pem', '/b.pem']);
  t.deepEqual(list(''), []);
});

const PROBLEMS: readonly (readonly [string, string])[] = [
  ['vm.endpoint', 'flag --set vm.endpoint: must be key=value'],
  ['', 'flag --set : must be key=value'],
  ['vm.endpiont=x', 'flag --set: vm.endpiont: unknown key; did you mean vm.endpoint?'],
  ['listenAddress=:1', 'flag --set: listenAddress: unknown key; did you mean operations.listenAddress?'],
  ['plugins=docker', 'flag --set: plugins: can only be set in a file'],
];
for (const [flag, problem] of PROBLEMS) {
  test(`the flag '${flag}' is rejected: ${problem}`, (t) => {
    t.deepEqual(readFlags([flag], '/'), { values: new Map(), problems: [problem] });
  });
}
