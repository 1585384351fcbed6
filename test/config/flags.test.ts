import test from 'ava';
import { readFlags } from '../../config/flags.js';

test('a flag sets a key in any case, and says so', (t) => {
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

test('the last of several flags for a key wins', (t) => {
  t.is(readFlags(['vm.endpoint=a', 'vm.endpoint=b'], '/').values.get('vm.endpoint')?.value, 'b');
});

test('a value may be empty and may have equals signs and line ends in it', (t) => {
  const { values } = readFlags(['vm.endpoint=', 'logging.format=a=b\nc'], '/');
  t.is(values.get('vm.endpoint')?.value, '');
  t.is(values.get('logging.format')?.value, 'a=b\nc');
});

test('a list of paths has commas between its items', (t) => {
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
  ['vm.endpiont=x', 'flag --set: vm.endpiont: is not known; did you mean vm.endpoint?'],
  ['listenAddress=:1', 'flag --set: listenAddress: is not known; did you mean operations.listenAddress?'],
  ['plugins=docker', 'flag --set: plugins: can only be set in a file'],
];
for (const [flag, problem] of PROBLEMS) {
  test(`the flag '${flag}' is a problem: ${problem}`, (t) => {
    t.deepEqual(readFlags([flag], '/'), { values: new Map(), problems: [problem] });
  });
}
