// Who can do and change what, as a document.

import test from 'ava';
import {
  controlDiff,
  elementWords,
  powersDifferenceDocument,
  powersDocument,
} from '../../../translator/documents/powers-document.js';
import { documentText } from '../../../translator/documents/text.js';
import type { ChannelPowers, ControlRow, ServiceRow } from '../../../translator/powers/index.js';

const service = (
  name: ServiceRow['service'],
  organizations: readonly string[],
  ...resources: readonly string[]
): ServiceRow => ({
  service: name,
  resources,
  who: organizations.length === 0 ? [] : [{ role: 'peer', organizations }],
});
const row = (msps: readonly string[], ...paths: readonly string[]): ControlRow => ({
  sets: msps.map((mspid) => [{ count: 1, of: [mspid] }]),
  elements: paths.map((path) => ({ kind: 'group', path })),
});

const BEFORE = {
  organizations: [],
  services: [service('gossip', ['Org1']), service('propose', ['Org1', 'Org2'])],
  control: [row(['A'], '/Channel', '/Channel/Orderer'), row([], '/Channel/Application')],
  unknown: ['x'],
};
const POWERS: ChannelPowers = { channel: 'c', block: '5', ...BEFORE, after: null };

test('powers without an update', (t) => {
  t.is(
    documentText(powersDocument(POWERS)),
    `channel c, block 5
who can do what
    exchange data with other peers (gossip)  peers of Org1
    propose transactions                     peers of Org1 and Org2
who can change what, at once or in steps
    A       /Channel
    nobody  /Channel/Application
cannot be known
  x
`,
  );
});

test('an update shows what changes before and after, and each unknown fact once', (t) => {
  const after = {
    ...BEFORE,
    services: [service('propose', ['Org1']), service('endorse', [])],
    control: [row(['B'], '/Channel', '/Channel/Orderer'), row([], '/Channel/Application')],
    unknown: ['x', 'y'],
  };
  t.is(
    documentText(powersDocument({ ...POWERS, channel: null, block: null, after })),
    [
      'a channel',
      'who can do what',
      '  -  exchange data with other peers (gossip)  peers of Org1',
      '  -  propose transactions                     peers of Org1 and Org2',
      '  +  propose transactions                     peers of Org1',
      '  +  endorse by the default policy            nobody',
      'who can change what, at once or in steps',
      '  -  A       /Channel',
      '  +  B       /Channel',
      '     nobody  /Channel/Application',
      'cannot be known',
      '  x',
      '  y',
      '',
    ].join('\n'),
  );
});

test('the rows of one service name their resources', (t) => {
  const services = [
    service('read-events', ['Org1'], 'event/Block'),
    service('read-events', ['Org2'], 'event/FilteredBlock'),
    service('query-ledger', ['Org1'], 'qscc/GetBlockByNumber'),
  ];
  const lines = documentText(powersDocument({ ...POWERS, services })).split('\n');
  t.deepEqual(
    lines.slice(2, 5).map((line) => line.trim().split(/ {2,}/)),
    [
      ['receive events (event/Block)', 'peers of Org1'],
      ['receive events (event/FilteredBlock)', 'peers of Org2'],
      ['query blocks and transactions', 'peers of Org1'],
    ],
  );
});

test('a difference of services has only the rows that differ', (t) => {
  t.is(
    documentText(powersDifferenceDocument(BEFORE.services, [BEFORE.services[0]!])),
    '-  propose transactions  peers of Org1 and Org2\n',
  );
  t.is(
    documentText(powersDifferenceDocument(BEFORE.services, BEFORE.services)),
    'the same actors can do the same\n',
  );
});

test('elements with another set in control are together, without the members of a group that is one of them', (t) => {
  t.deepEqual(
    controlDiff(
      [row(['A'], '/Channel', '/Channel/Orderer', '/Channel/Application/Org1')],
      [row(['B'], '/Channel', '/Channel/Orderer'), row(['A'], '/Channel/Application/Org2')],
    ),
    [
      { what: 'the channel', elements: ['/Channel'], before: 'A', after: 'B' },
      {
        what: 'Org1',
        elements: ['/Channel/Application/Org1'],
        before: 'A',
        after: 'nobody',
      },
      {
        what: 'Org2',
        elements: ['/Channel/Application/Org2'],
        before: 'nobody',
        after: 'A',
      },
    ],
  );
});

for (const [kind, path, text] of [
  ['group', '/Channel', 'the channel'],
  ['group', '/Channel/Orderer', 'the group Orderer'],
  ['group', '/Channel/Application', 'the group Application'],
  ['group', '/Channel/Application/Org1', 'Org1'],
  ['group', '/Channel/Application/Org1/x', 'Application/Org1/x'],
  ['group', '/Channel/Consortiums', 'Consortiums'],
  ['group', '/Channel/Consortiums/C', 'Consortiums/C'],
  ['value', '/Channel/Application/Org1', 'Application/Org1'],
] as const)
  test(`the ${kind} ${path} in words: ${text}`, (t) => {
    t.is(elementWords({ kind, path }), text);
  });
