// Consenters that change so that the others do not make a quorum, and those that cannot be reached.

import test from 'ava';
import { harmOf, inConsenters, inMsp, inRaft, ordererOrg, type Group } from '../../helpers/changed-config.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import type { Tree } from '../../fuzz/review/messages.js';

type Change = (consenters: Tree[]) => void;

const inConsenterList = (channel: Group, change: Change): void =>
  inRaft(channel, (metadata) => change(metadata.consenters as Tree[]));

const swap =
  (...keys: readonly string[]): Change =>
  ([first, second]) => {
    for (const key of keys) [first![key], second![key]] = [second![key], first![key]];
  };

const moved =
  (count: number): Change =>
  (consenters) =>
    consenters.slice(0, count).forEach((each) => (each.port = 9));

const raftStop = (count: string, names: string, quorum: number): string =>
  `danger consenters-changed: ${count} consenters change their address or certificates (${names}), and ${quorum} must be up: the channel stops at the next restart, until the orderers run with the new ones`;
const host = (number: number, port = 9): string => `o${number}.ord.example.com:${port}`;

const RAFT: readonly (readonly [what: string, config: string, change: Change, ...found: string[]])[] = [
  [
    'all of three have another port',
    'app3',
    moved(3),
    raftStop('all of 3', `${host(1)}, ${host(2)}, ${host(3)}`, 2),
  ],
  ['two of three have another port', 'app3', moved(2), raftStop('2 of 3', `${host(1)}, ${host(2)}`, 2)],
  ['one of three has another port', 'app3', moved(1)],
  ['two of five have another port', 'raft5', moved(2)],
  [
    'three of five have another port',
    'raft5',
    moved(3),
    raftStop('3 of 5', `${host(1)}, ${host(2)}, ${host(3)}`, 3),
  ],
  ['the only one has another port', 'raft1', moved(1)],
  [
    'two of three exchange their addresses',
    'app3',
    swap('host'),
    raftStop('2 of 3', `${host(2, 7050)}, ${host(1, 7050)}`, 2),
  ],
  [
    'two of three exchange their certificates',
    'app3',
    swap('client_tls_cert', 'server_tls_cert'),
    raftStop('2 of 3', `${host(1, 7050)}, ${host(2, 7050)}`, 2),
  ],
  ['their order changes', 'app3', (consenters) => void consenters.push(consenters.shift()!)],
  // The orderers refuse it.
  [
    'two of three are replaced',
    'app3',
    (consenters) => {
      for (const each of consenters.slice(0, 2))
        each.client_tls_cert = makeCertificate({ commonName: 'o' }).pem;
    },
  ],
  ['one of five is removed', 'raft5', (consenters) => void consenters.pop()],
];

for (const [what, config, change, ...found] of RAFT)
  test(`Raft consenters of ${config}: ${what}`, async (t) => {
    const harm = await harmOf(config, (channel) => inConsenterList(channel, change));
    t.deepEqual(
      harm.filter((each) => each.startsWith('danger')),
      found,
    );
  });

const bftStop = (count: string, names: string, when = 'at once'): string =>
  `danger consenters-changed: ${count} consenters change their id, identity or address (${names}), and 3 must be up: the channel stops ${when}`;
const consenter = (id: number, number: number, port = 7050): string => `${id} (${host(number, port)})`;

const BFT: readonly (readonly [what: string, change: Change, ...found: string[]])[] = [
  ['two exchange their ids', swap('id'), bftStop('2 of 4', `${consenter(2, 1)}, ${consenter(1, 2)}`)],
  ['one has another id', ([first]) => (first!.id = 9)],
  [
    'all have other ids',
    (consenters) => consenters.forEach((each) => (each.id = Number(each.id) + 10)),
    bftStop('all of 4', [1, 2, 3, 4].map((number) => consenter(number + 10, number)).join(', ')),
  ],
  ['one has another port', moved(1)],
  [
    'two have another port',
    moved(2),
    bftStop(
      '2 of 4',
      `${consenter(1, 1, 9)}, ${consenter(2, 2, 9)}`,
      'at the next restart, until the orderers run with the new ones',
    ),
  ],
  ['two exchange their TLS certificates', swap('client_tls_cert', 'server_tls_cert')],
];

for (const [what, change, ...found] of BFT)
  test(`BFT consenters: ${what}`, async (t) => {
    t.deepEqual(await harmOf('bft4', (channel) => inConsenters(channel, change)), found);
  });

const names = [1, 2, 3, 4].map((number) => consenter(number, number)).join(', ');
const unreachable = (consenters: string): string =>
  `danger consenter-unreachable: after the next restart, the orderers cannot reach each other: the TLS certificates of the consenters ${consenters} do not chain to the TLS CAs of their organisation`;

test('the TLS CA of BFT orderers is replaced: danger with each consenter, and no second finding', async (t) => {
  const found = await harmOf('bft4', (channel) =>
    inMsp(
      ordererOrg(channel),
      (msp) => (msp.tls_root_certs = [makeCertificate({ commonName: 'tlsca.new' }).pem]),
    ),
  );
  t.deepEqual(found, [unreachable(names)]);
});

test('the TLS CA of BFT orderers gets another one beside it: nothing', async (t) => {
  const found = await harmOf('bft4', (channel) =>
    inMsp(ordererOrg(channel), (msp) => {
      msp.tls_root_certs = [
        ...(msp.tls_root_certs as Uint8Array[]),
        makeCertificate({ commonName: 'tlsca.new' }).pem,
      ];
    }),
  );
  t.deepEqual(found, []);
});

test('one of four BFT consenters has a TLS certificate of another CA: warning with its name', async (t) => {
  const issuer = makeCertificate({ commonName: 'tlsca.other' });
  const certificate = makeCertificate({ commonName: 'o2', issuer }).pem;
  const found = await harmOf('bft4', (channel) =>
    inConsenters(channel, ([, second]) => (second!.server_tls_cert = certificate)),
  );
  t.deepEqual(found, [
    `warning consenter-unreachable: after the next restart, the orderers cannot reach some of them: the TLS certificates of the consenters ${consenter(2, 2)} do not chain to the TLS CAs of their organisation; none of the others may fail then`,
  ]);
});
