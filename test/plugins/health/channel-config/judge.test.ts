// The failures for certificates of a channel that expire.

import test from 'ava';
import type { KnownConfig, KnownCertificate } from '../../../../plugins/health/channel-config/config.js';
import { failuresOf, type JudgedBy } from '../../../../plugins/health/channel-config/judge.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);
const ADDRESS = '127.0.0.1:7050';
const ROTATE = `configtxlator consenter rotate BLOCK ${ADDRESS} --tls-cert FILE`;

const certificate = (members: Partial<KnownCertificate> = {}): KnownCertificate => ({
  organisation: '',
  consenter: ADDRESS,
  use: 'consenter_server_tls',
  subject: 'CN=orderer3',
  serial: '1',
  notAfter: NOW + 5 * DAY,
  fingerprint: 'AA:01',
  key: 'k1',
  ...members,
});

const failures = (
  certificates: readonly KnownCertificate[],
  judgedBy: Partial<JudgedBy> = {},
  changed: Partial<KnownConfig> = {},
  about: { readonly isConsenter?: boolean; readonly isVerifiable?: boolean } = {},
) => {
  const config: KnownConfig = {
    certificates,
    invalid: [],
    isInMaintenance: false,
    tlsCas: undefined,
    leaderHeartbeatTimeout: undefined,
    type: 'etcdraft',
    consenters: [],
    organisations: [],
    capabilities: { channel: [], orderer: [], application: [] },
    findings: [],
    ...changed,
  };
  const given = {
    now: NOW,
    minimum: 21 * DAY,
    own: undefined,
    tlsCert: '',
    mspid: '',
    kind: 'orderer',
    holders: new Map(),
    allow: new Set<string>(),
    hasVerdict: false,
  };
  return failuresOf(
    'ch1',
    { config, block: 7n, isConsenter: undefined, isVerifiable: undefined, ...about },
    { ...given, ...judgedBy },
  );
};

const file = { key: 'k1', fingerprint: 'AA:01', notAfter: NOW + 5 * DAY };
const renewed = { ...file, fingerprint: 'BB:02', notAfter: Date.UTC(2036, 0, 1) };
const held = (by: typeof file): JudgedBy['holders'] => new Map([['k1', { ...by, name: 'orderer3' }]]);

for (const [what, judgedBy, holder, advice] of [
  ['of another host', {}, ADDRESS, `renew it with the same key, or replace it with ${ROTATE}`],
  [
    'of a monitored node',
    { holders: held(file) },
    `orderer3 (${ADDRESS})`,
    `renew it with the same key, or replace it with ${ROTATE}`,
  ],
  [
    'whose file has another certificate with the same end',
    { holders: held({ ...file, fingerprint: 'BB:02' }) },
    `orderer3 (${ADDRESS})`,
    `renew it with the same key, or replace it with ${ROTATE}`,
  ],
  [
    'whose file is renewed',
    { holders: held(renewed) },
    `orderer3 (${ADDRESS})`,
    `no action is needed: orderer3 already has a certificate with the same key, which expires on 2036-01-01T00:00:00Z; ${ROTATE} puts it into the channel and ends this warning`,
  ],
] as const)
  test(`a consenter certificate ${what} that expires is a cause with its holder and what to do`, (t) => {
    const state = 'expires on 2026-01-06T00:00:00Z, in 5 days';
    t.deepEqual(failures([certificate()], judgedBy), [
      {
        component: `ch1/${ADDRESS}/consenter_server_tls`,
        severity: 'warning',
        reason: `CN=orderer3 ${state}: ${advice}`,
        causes: [
          {
            id: 'certificate AA:01',
            reason: `CN=orderer3 of ${holder} ${state}: ${advice}`,
            place: 'ch1',
            use: 'consenter_server_tls',
            isMain: false,
          },
        ],
      },
    ]);
  });

for (const [left, count] of [
  [21 * DAY, 0],
  [21 * DAY - 1, 1],
] as const)
  test(`a certificate with ${left} ms left is ${count === 0 ? 'valid for long enough' : 'a warning'}`, (t) => {
    t.is(failures([certificate({ notAfter: NOW + left })]).length, count);
  });

for (const [left, state] of [
  [0, 'expires on 2026-01-01T00:00:00Z, in 0 seconds'],
  [-1, 'expired on 2025-12-31T23:59:59.999Z'],
] as const)
  test(`a certificate with ${left} ms left ${state}`, (t) => {
    const [part] = failures([certificate({ notAfter: NOW + left })]);
    t.true(part!.reason.startsWith(`CN=orderer3 ${state}: `), part!.reason);
  });

for (const [count, end] of [
  [5, 'CN=5'],
  [6, 'and 1 more'],
  [7, 'and 2 more'],
] as const)
  test(`of ${count} reasons of a part the last one is ${end}`, (t) => {
    const ca = { consenter: '', organisation: 'Org1MSP', use: 'ca' } as const;
    const certificates = Array.from({ length: count }, (_, index) =>
      certificate({ ...ca, subject: `CN=${index + 1}` }),
    );
    const reasons = failures(certificates)[0]!
      .reason.replaceAll(/; replace it.*?(?=;|$)/g, '')
      .split('; ');
    t.is(reasons.length, Math.min(count, 6));
    t.true(reasons.at(-1)!.startsWith(end), reasons.join('\n'));
  });

test('each certificate of one part is a cause', (t) => {
  const ca = { consenter: '', organisation: 'Org1MSP', use: 'ca' } as const;
  const [part] = failures([certificate(ca), certificate({ ...ca, fingerprint: 'CC:03' })]);
  t.is(part!.component, 'ch1/Org1MSP/ca');
  t.deepEqual(
    part!.causes!.map(({ id, isMain, reason }) => [id, isMain, reason]),
    ['AA:01', 'CC:03'].map((fingerprint) => [
      `certificate ${fingerprint}`,
      true,
      'CN=orderer3 of Org1MSP expires on 2026-01-06T00:00:00Z, in 5 days: replace it in the MSP with configtxlator org set-msp',
    ]),
  );
});

for (const [what, own, severity] of [
  ['in the file of the orderer', { ...file, notAfter: NOW - DAY }, 'critical'],
  ['which the orderer has renewed', renewed, 'warning'],
] as const)
  test(`an expired certificate ${what} is of severity ${severity}`, (t) => {
    const [part] = failures([certificate({ notAfter: NOW - DAY })], { own, holders: held(own) });
    t.is(part!.severity, severity);
    t.true(part!.causes![0]!.isMain);
  });

const finding = (members: Partial<KnownConfig['findings'][number]>): KnownConfig['findings'][number] => ({
  id: 'no-admins',
  severity: 'danger',
  path: '',
  text: 'nobody can change the channel',
  todo: '',
  ...members,
});
const OTHER_PARTS: readonly (readonly [
  what: string,
  config: Partial<KnownConfig>,
  about: { readonly isConsenter?: boolean; readonly isVerifiable?: boolean },
  failed: readonly string[],
  judgedBy?: Partial<JudgedBy>,
])[] = [
  ['without problems', {}, { isConsenter: true, isVerifiable: true }, []],
  [
    'with certificates that cannot be read',
    { invalid: ['Org1MSP (ca)', 'o1:7050 (consenter_client_tls)'] },
    {},
    [
      'ch1/certificates warning: the config has certificates that cannot be read: Org1MSP (ca), o1:7050 (consenter_client_tls)',
    ],
  ],
  [
    'in maintenance',
    { isInMaintenance: true },
    {},
    ['ch1/maintenance warning: the channel is in maintenance mode: transactions of applications are refused'],
  ],
  ['in maintenance, which the verdict names', { isInMaintenance: true }, {}, [], { hasVerdict: true }],
  [
    'without this orderer among the consenters',
    {},
    { isConsenter: false },
    [
      'ch1/consenter warning: the TLS certificate of this orderer belongs to no consenter: it receives blocks but does not order',
    ],
  ],
  [
    'of BFT without this orderer among the consenters',
    { type: 'BFT' },
    { isConsenter: false },
    [
      'ch1/consenter warning: the signing certificate of this orderer belongs to no consenter: it receives blocks but does not order',
    ],
  ],
  [
    'without the TLS CA of the node',
    {},
    { isVerifiable: false },
    [
      'ch1/tls-ca warning: /tls/server.crt: no TLS CA of Org1MSP in channel ch1 has issued it: other organisations cannot verify this orderer; add its CA to the MSP with configtxlator org set-msp, or use a certificate of a CA in that MSP',
    ],
  ],
  [
    'with findings',
    {
      findings: [
        finding({}),
        finding({ id: 'weak', severity: 'warning' }),
        finding({ id: 'accepted' }),
        finding({ id: 'x', path: '/Channel/Orderer', todo: 'add an admin' }),
      ],
    },
    {},
    [
      'ch1/no-admins warning: nobody can change the channel',
      'ch1/x warning: /Channel/Orderer: nobody can change the channel; add an admin',
    ],
  ],
];
for (const [what, config, about, failed, more = {}] of OTHER_PARTS)
  test(`the parts that fail of a channel ${what} are ${failed.map((each) => each.split(' ')[0]).join(', ') || 'none'}`, (t) => {
    const judgedBy = { tlsCert: '/tls/server.crt', mspid: 'Org1MSP', allow: new Set(['accepted']), ...more };
    t.deepEqual(
      failures([], judgedBy, config, about).map(
        ({ component, severity, reason }) => `${component} ${severity}: ${reason}`,
      ),
      failed,
    );
  });

const SIGNER =
  'from then on orderers refuse all updates that keep it in the MSP, and cannot start; replace the MSP with configtxlator org set-msp';
for (const [left, state, severity] of [
  [5 * DAY, 'expires on 2026-01-06T00:00:00Z, in 5 days', 'warning'],
  [-DAY, 'expired on 2025-12-31T00:00:00Z', 'critical'],
] as const)
  test(`the signing identity in an MSP that ${state} is ${severity}, and the advice says that it stops the channel`, (t) => {
    const signer = certificate({
      organisation: 'Org1MSP',
      consenter: '',
      use: 'signing_identity',
      subject: 'CN=peer0',
      notAfter: NOW + left,
    });
    const [part] = failures([signer]);
    t.like(part, {
      component: 'ch1/Org1MSP/signing_identity',
      reason: `CN=peer0 ${state}: ${SIGNER}`,
    });
    t.is(part!.severity, severity);
  });
