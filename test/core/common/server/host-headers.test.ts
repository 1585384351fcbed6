// The names that clients may use for a service.

import test from 'ava';
import { HostNames, isHost, shownHeader, targetUrl } from '../../../../core/common/server/host-headers.js';

/** The names of a service that listens on a host and an address. */
function listening(host: string, address: string, names: readonly string[] = [], isPlain = true): HostNames {
  const found = new HostNames(names, 'the setting hosts', isPlain);
  found.listening(host, address);
  return found;
}

const LOCAL = listening('127.0.0.1', '127.0.0.1');
const LISTED = listening('', '::', ['Agent.example.com', 'fe80::1', '10.0.0.1'], false);

const CASES: readonly (readonly [
  what: string,
  names: HostNames,
  host: string | undefined,
  isAllowed: boolean,
  localAddress?: string,
])[] = [
  ['a loopback listener', LOCAL, undefined, true],
  ['a loopback listener', LOCAL, 'localhost', true],
  ['a loopback listener', LOCAL, 'LOCALHOST:9443', true],
  ['a loopback listener', LOCAL, 'localhost.', true],
  ['a loopback listener', LOCAL, '127.0.0.1:9443', true],
  ['a loopback listener', LOCAL, '127.8.9.10', true],
  ['a loopback listener', LOCAL, '[::1]:9443', true],
  ['a loopback listener', LOCAL, 'evil.example', false],
  ['a loopback listener', LOCAL, 'evil.example', false, '127.0.0.1'],
  ['a loopback listener', LOCAL, '128.0.0.1', false],
  ['a loopback listener', LOCAL, '[::2]', false],
  ['a loopback listener', LOCAL, '', false],
  ['a loopback listener', LOCAL, 'localhost/x', false],
  ['a loopback listener', LOCAL, '10.0.0.7', true, '10.0.0.7'],
  ['a loopback listener', LOCAL, '10.0.0.7', true, '::ffff:10.0.0.7'],
  ['a loopback listener', LOCAL, '10.0.0.8', false, '10.0.0.7'],
  ['a loopback listener with TLS', listening('::1', '::1', [], false), 'evil.example', true],
  ['a listener of all addresses', listening('', '::'), 'evil.example', true],
  ['a listener before it listens', new HostNames([], 'the setting hosts', true), 'evil.example', true],
  ['a listener on a name', listening('agent.local', '127.0.0.1'), 'agent.local:1', true],
  ['a listener with names', LISTED, 'agent.EXAMPLE.com', true],
  ['a listener with names', LISTED, '[fe80::1]:9443', true],
  ['a listener with names', LISTED, '10.0.0.1', true],
  ['a listener with names', LISTED, 'evil.example', false],
  ['a loopback listener with *', listening('127.0.0.1', '127.0.0.1', ['*']), 'evil.example', true],
  ['a loopback listener with *', listening('127.0.0.1', '127.0.0.1', ['*']), 'a b', true],
  ['a listener with names and *', listening('', '::', ['a', '*']), 'evil.example', true],
  ['a listener with TLS and *', listening('::1', '::1', ['*'], false), 'evil.example', true],
  [
    'a listener with * before it listens',
    new HostNames(['*'], 'the setting hosts', true),
    'evil.example',
    true,
  ],
  ['a listener with names before it listens', new HostNames(['a'], 'the setting hosts', false), 'b', false],
];
for (const [what, names, host, isAllowed, localAddress] of CASES)
  test(`${what} ${isAllowed ? 'allows' : 'refuses'} the Host ${host ?? 'of no header'}${localAddress === undefined ? '' : ` at ${localAddress}`}`, (t) => {
    const problem = names.problemOf(host, localAddress);
    t.is(problem === undefined, isAllowed, problem);
    // Also when it is known.
    t.is(names.problemOf(host, localAddress), problem);
  });

test('a refusal names what is allowed', (t) => {
  t.is(
    LOCAL.problemOf('evil.example', undefined),
    "the Host 'evil.example' is not a name of this service; allowed are localhost, loopback addresses, the address of the listener, and the names in the setting hosts (which is empty)",
  );
  t.true(
    LISTED.problemOf('x', undefined)!.endsWith('in the setting hosts (Agent.example.com, fe80::1, 10.0.0.1)'),
  );
});

test('more than a hundred forms of an allowed Host are allowed', (t) => {
  for (let port = 1; port <= 150; port += 1) t.is(LOCAL.problemOf(`localhost:${port}`, undefined), undefined);
});

for (const [length, shown] of [
  [100, 'x'.repeat(100)],
  [101, `${'x'.repeat(100)}…`],
] as const)
  test(`a header of ${length} characters is shown with ${shown.length}`, (t) => {
    t.is(shownHeader('x'.repeat(length)), shown);
  });

for (const [text, isOne] of [
  ['a', true],
  ['a:', true],
  ['[::1]:80', true],
  ['a b', false],
  ['a@b', false],
  ['a?b', false],
  ['', false],
] as const)
  test(`'${text}' is ${isOne ? 'a' : 'no'} Host header`, (t) => {
    t.is(isHost(text), isOne);
  });

test('a target is a URL only if it has a scheme and a host', (t) => {
  t.is(targetUrl('HTTP://h/a')?.pathname, '/a');
  t.is(targetUrl('https://h/')?.hostname, 'h');
  for (const target of ['/a', 'h:80', 'http://', '*']) t.is(targetUrl(target), undefined);
});
