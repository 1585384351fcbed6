// Consenters that change so that the others do not make a quorum, and those that cannot be reached.

import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { checkConfig } from '../../../translator/review/index.js';
import {
  harmOf,
  inConsenters,
  inMsp,
  inRaft,
  ordererOrg,
  reviewOf,
  type Group,
} from '../../helpers/changed-config.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { parse, serialize, type Tree } from '../../fuzz/review/messages.js';

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
    raftStop('all 3', `${host(1)}, ${host(2)}, ${host(3)}`, 2),
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

const isMoved = (name: string): string =>
  `warning consenter-moved: after the next restart the others reach ${name} only with the new address and certificates: without, all 3 other consenters must stay up`;
const isStale = (number: number): string =>
  `warning orderer-address-stale: no consenter has the address ${host(number, 7050)} any more, but peers still use it as an orderer address: peers that are connected there may get no block for some time`;

const BFT: readonly (readonly [what: string, change: Change, ...found: string[]])[] = [
  ['two exchange their ids', swap('id'), bftStop('2 of 4', `${consenter(2, 1)}, ${consenter(1, 2)}`)],
  [
    'one has another id',
    ([first]) => (first!.id = 9),
    `warning consenter-must-restart: until ${consenter(9, 1)} runs with the new certificates, all 3 other consenters must stay up`,
  ],
  [
    'all have other ids',
    (consenters) => consenters.forEach((each) => (each.id = Number(each.id) + 10)),
    bftStop('all 4', [1, 2, 3, 4].map((number) => consenter(number + 10, number)).join(', ')),
  ],
  ['one has another port', moved(1), isMoved(consenter(1, 1, 9)), isStale(1)],
  [
    'two have another port',
    moved(2),
    bftStop(
      '2 of 4',
      `${consenter(1, 1, 9)}, ${consenter(2, 2, 9)}`,
      'at the next restart, until the orderers run with the new ones',
    ),
    isStale(1),
  ],
  ['two exchange their TLS certificates', swap('client_tls_cert', 'server_tls_cert')],
];

for (const [what, change, ...found] of BFT)
  test(`BFT consenters: ${what}`, async (t) => {
    const harm = await harmOf('bft4', (channel) => inConsenters(channel, change));
    t.deepEqual(harm.toSorted(), found.toSorted());
  });

const names = [1, 2, 3, 4].map((number) => consenter(number, number)).join(', ');
const PEERS =
  'danger orderer-addresses-replaced: peers verify an orderer with the TLS CAs of the organisation that lists its address, and no address is kept with a current TLS CA: peers take no block any more';
const unreachable = (consenters: string): string =>
  `danger consenter-unreachable: after the next restart, the orderers cannot reach each other: the TLS certificates of the consenters ${consenters} do not chain to the TLS CAs of their organisation`;

test('the TLS CA of BFT orderers is replaced: danger with each consenter, and for peers', async (t) => {
  const found = await harmOf('bft4', (channel) =>
    inMsp(
      ordererOrg(channel),
      (msp) => (msp.tls_root_certs = [makeCertificate({ commonName: 'tlsca.new' }).pem]),
    ),
  );
  t.deepEqual(found, [PEERS, unreachable(names)]);
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

const { now, configs } = readReviewCases();

/** The findings of a check of a config about consenters. */
async function checkOf(
  name: string,
  id: string,
  change: (channel: Group) => void,
  time = new Date(now),
): Promise<string[]> {
  const tree = parse('common.Config', bytesIn(configs[name]!));
  change(tree.channel_group as Group);
  const file = readConfigFile(serialize('common.Config', tree));
  const { findings } = await checkConfig(file, { now: time, fabric: ['3.1.5'] });
  return findings.filter((each) => each.id === id).map(({ text, todo }) => `${text}; ${todo}`);
}

for (const [config, count, text] of [
  ['raft5', 1, undefined],
  [
    'raft5',
    2,
    'with 2 consenters, 2 must be up: the channel stops when one fails; have 3 consenters or more',
  ],
  ['raft5', 3, undefined],
  ['bft4', 1, undefined],
  ['bft4', 2, 'with 2 consenters, 2 must be up: the channel stops when one fails; have 4 consenters or more'],
  ['bft4', 3, undefined],
  ['bft4', 4, undefined],
] as const)
  test(`a check of ${count} consenters of ${config}: ${text ?? 'nothing about their number'}`, async (t) => {
    const cut: Change = (consenters) => void consenters.splice(count);
    const found = await checkOf(config, 'consenters-no-fault-tolerance', (channel) =>
      config === 'bft4' ? inConsenters(channel, cut) : inConsenterList(channel, cut),
    );
    t.deepEqual(found, text === undefined ? [] : [text]);
  });

test('of six consenters that change, five are named', async (t) => {
  const pems = Array.from({ length: 6 }, (_, index) => makeCertificate({ commonName: `h${index}` }).pem);
  const six =
    (port: number): Change =>
    (consenters) => {
      const made = Array.from({ length: 6 }, (_, index) => ({ ...consenters[0]!, host: `h${index}`, port }));
      consenters.splice(
        0,
        consenters.length,
        ...made.map((each, index) => ({
          ...each,
          client_tls_cert: pems[index],
          server_tls_cert: pems[index],
        })),
      );
    };
  const found = (
    await harmOf(
      'raft5',
      (channel) => inConsenterList(channel, (consenters) => consenters.forEach((each) => (each.port = 9))),
      (channel) => inConsenterList(channel, six(7)),
    )
  ).find((text) => text.includes('consenters-changed'));
  t.true(
    found?.startsWith(
      'danger consenters-changed: all 6 consenters change their address or certificates (h0:9, h1:9, h2:9, h3:9, h4:9 and 1 more), and 4 must be up: ',
    ),
    found,
  );
});

for (const [usage, missing] of [
  ['clientAuth', 'server'],
  ['serverAuth', 'client'],
] as const)
  test(`a TLS certificate of a consenter with the usage ${usage} only is not for TLS ${missing}s`, async (t) => {
    const { pem } = makeCertificate({ commonName: 'o1', usage });
    const change: Change = ([first]) => Object.assign(first!, { client_tls_cert: pem, server_tls_cert: pem });
    t.deepEqual(await checkOf('app3', 'consenter-key-usage', (channel) => inConsenterList(channel, change)), [
      `the ${missing} certificate CN=o1 of the consenter o1.ord.example.com:7050 is not for TLS ${missing}s: the other consenters do not connect to it; use a certificate with the extended key usages of a TLS client and server`,
    ]);
  });

for (const [time, words] of [
  ['2027-01-31T00:00:00.000Z', undefined],
  ['2027-01-31T00:00:00.001Z', 'expires on 2027-03-02'],
  ['2027-03-02T00:00:00.000Z', 'expires on 2027-03-02'],
  ['2027-03-02T00:00:00.001Z', 'expired on 2027-03-02'],
] as const)
  test(`a check at ${time} of a consenter certificate until 2027-03-02: ${words ?? 'nothing'}`, async (t) => {
    const { pem } = makeCertificate({
      commonName: 'o1',
      validity: ['20260101000000Z', '20270302000000Z'],
    });
    const change: Change = ([first]) => Object.assign(first!, { client_tls_cert: pem });
    t.deepEqual(
      await checkOf(
        'app3',
        'consenter-expired',
        (channel) => inConsenterList(channel, change),
        new Date(time),
      ),
      words === undefined
        ? []
        : [
            `the client certificate CN=o1 of the consenter o1.ord.example.com:7050 ${words}; renew it; a new certificate with the same key needs no config update`,
          ],
    );
  });

test('the TLS certificates of all consenters are not of a TLS CA of the orderers: one refusal with their names', async (t) => {
  const { pem } = makeCertificate({ commonName: 'tlsca', isCa: true });
  const withoutTlsCa = (channel: Group): void =>
    inMsp(ordererOrg(channel), (msp) => (msp.tls_root_certs = [Buffer.from(pem)]));
  const { findings } = await reviewOf('raft5', withoutTlsCa);
  const all = [1, 2, 3, 4, 5].map((number) => host(number, 7050)).join(', ');
  t.deepEqual(
    findings.flatMap(({ severity, short }) => (severity === 'refused' ? [short] : [])),
    [
      `TLS certificates of the consenters ${all} are not valid: not issued by a TLS CA of an orderer organisation`,
    ],
  );
});

for (const [fault, id, made, found] of [
  [
    'have expired',
    'consenter-expired',
    { validity: ['20200101000000Z', '20250302000000Z'] },
    'the TLS certificates of the consenters o1.ord.example.com:7050, o2.ord.example.com:7050, o3.ord.example.com:7050 expired on 2025-03-02; renew it; a new certificate with the same key needs no config update',
  ],
  [
    'are for clients only',
    'consenter-key-usage',
    { usage: 'clientAuth' },
    'the TLS certificates of the consenters o1.ord.example.com:7050, o2.ord.example.com:7050, o3.ord.example.com:7050 are not for TLS servers: the other consenters do not connect to them; use a certificate with the extended key usages of a TLS client and server',
  ],
] as const)
  test(`the TLS certificates of all consenters ${fault}: one finding with their names`, async (t) => {
    const change: Change = (consenters) =>
      consenters.forEach((each, index) => {
        const { pem } = makeCertificate({ commonName: `o${index}`, ...made });
        Object.assign(each, { client_tls_cert: pem, server_tls_cert: pem });
      });
    t.deepEqual(await checkOf('app3', id, (channel) => inConsenterList(channel, change)), [found]);
  });

for (const [name, port, isReachable] of [
  ['o', 1, true],
  ['o', 0, false],
  ['', 7050, false],
  ['http://o', 7050, false],
  ['::1', 7050, false],
  ['[::1]', 7050, true],
] as const)
  test(`a consenter with the host "${name}" and the port ${port} ${isReachable ? 'can' : 'cannot'} be reached`, async (t) => {
    const change: Change = ([first]) => Object.assign(first!, { host: name, port });
    t.deepEqual(
      await checkOf('app3', 'consenter-address', (channel) => inConsenterList(channel, change)),
      isReachable
        ? []
        : [
            `the address of the consenter "${name}:${port}" is not host:port: the others cannot reach it; set its host, without a scheme and with an IPv6 address in brackets, and its port`,
          ],
    );
  });
