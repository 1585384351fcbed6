// How much of a long channel, update or identity a document shows.

import test from 'ava';
import {
  channelDocument,
  identityDocument,
  summariseChannel,
  updateDocument,
  type ChannelSummary,
  type Document,
  type ExplainedIdentity,
  type UpdateSummary,
} from '../../../translator/documents/index.js';
import { documentText } from '../../../translator/documents/text.js';
import { readConfigFile } from '../../../translator/channel/index.js';
import { networkBlock } from '../../helpers/network-block.js';

const NOW = new Date('2026-11-26T00:00:00Z');
const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));
const linesOf = (document: Document): string[] => documentText(document).split('\n');

let summary: Promise<ChannelSummary> | undefined;
const channel = (): Promise<ChannelSummary> => (summary ??= summariseChannel(readConfigFile(networkBlock())));

test('a channel shows 24 organisations, 24 groups with permissions, and 48 policies and ACLs', async (t) => {
  const base = await channel();
  const ending = (parts: Partial<ChannelSummary>): string[] =>
    linesOf(channelDocument({ ...base, ...parts }, NOW)).filter((line) => line.startsWith('  and '));
  const organizations = (count: number) =>
    many(count, (index) => ({ ...base.organizations[0]!, section: 'Application', name: `O${index}` }));
  t.deepEqual(ending({ organizations: organizations(24) }), []);
  t.deepEqual(ending({ organizations: organizations(25) }), ['  and 1 more organisations; --json lists all']);
  const policies = (count: number) =>
    many(count, (index) => ({ path: `/Channel/P${index}`, text: 'ANY A', valid: true }));
  t.deepEqual(ending({ policies: policies(48) }), []);
  t.deepEqual(ending({ policies: policies(49) }), ['  and 1 more lines; --json lists all']);
  const acls = (count: number) => many(count, (index) => ({ resource: `r${index}`, policy: 'A' }));
  t.deepEqual(ending({ acls: acls(48) }), []);
  t.deepEqual(ending({ acls: acls(49) }), ['  and 1 more lines; --json lists all']);
  const permissions = (count: number) =>
    many(count, (index) => ({ ...base.permissions[0]!, path: `/Channel/G${index}` }));
  t.deepEqual(ending({ permissions: permissions(24) }), []);
  t.deepEqual(ending({ permissions: permissions(25) }), ['  and 1 more groups; --json lists all']);
});

test('refused policies, brokers, restrictions and several values of a channel have their rows', async (t) => {
  const base = await channel();
  const lines = linesOf(
    channelDocument(
      {
        ...base,
        hashingAlgorithm: '',
        ordererAddresses: ['a:1', 'b:1'],
        consortium: 'C',
        orderer: {
          ...base.orderer!,
          maintenance: true,
          kafkaBrokers: ['k:1'],
          maxChannels: '5',
          batch: { ...base.orderer!.batch, timeout: '' },
        },
        policies: [{ path: '/Channel/P', text: 'no rule', valid: false }],
        organizations: [],
        permissions: [],
      },
      NOW,
    ),
  );
  t.deepEqual(
    lines
      .filter((line) => !/consenter|TLS/.test(line))
      .map((line) => line.replace(/capabilities.*/, 'capabilities')),
    [
      'channel mychannel, block 0, sequence 0',
      '  capabilities',
      '  orderers      a:1, b:1',
      '  consortium    C',
      ...lines.filter((line) => line.includes('  batch ')),
      '  channels  at most 5',
      '  brokers   k:1',
      'policies',
      '  /Channel/P  refused: no rule',
      '',
    ],
  );
  t.true(
    lines.some((line) =>
      /^orderer etcdraft, in maintenance, 1 consenter, quorum 1: none may fail$/.test(line),
    ),
  );
  t.regex(
    lines.find((line) => line.includes('  batch '))!,
    /^ {2}batch {5}.*, after no time$/,
  );
});

const UPDATE: UpdateSummary = { kind: 'update', form: 'envelope', channel: 'c', changes: [], signatures: [] };
const CERTIFICATE = {
  subject: 'CN=x',
  issuer: 'CN=ca',
  notBefore: '2026-01-01T00:00:00.000Z',
  notAfter: '2036-01-01T00:00:00.000Z',
};

test('an update without content has no rows', (t) => {
  t.is(
    documentText(updateDocument({ ...UPDATE, channel: '', form: 'config update' }, NOW)),
    'config update of no channel\nchanges\n  none: the update has no effect\nsignatures\n  none\n',
  );
});

test('an update shows 60 changes and 60 signatures', (t) => {
  const endings = (changes: number, signatures: number): string[] =>
    linesOf(
      updateDocument(
        {
          ...UPDATE,
          changes: many(changes, (index) => ({
            path: `/Channel/V${index}`,
            kind: 'value',
            change: 'added',
            text: '',
          })),
          signatures: many(signatures, () => ({ certificate: CERTIFICATE })),
        },
        NOW,
      ),
    ).filter((line) => line.startsWith('  and '));
  t.deepEqual(endings(60, 60), []);
  t.deepEqual(endings(61, 62), ['  and 1 more; --json lists all', '  and 2 more; --json lists all']);
});

test('an update with a header for another channel, a time and a transaction', (t) => {
  t.is(
    documentText(
      updateDocument(
        {
          ...UPDATE,
          header: { channel: 'd', time: '2026-01-01T00:00:00.000Z', txId: 'ab' },
          changes: [
            { path: '/Channel/G', kind: 'group', change: 'removed', text: '' },
            { path: '/Channel/P', kind: 'policy', change: 'changed', version: '7', text: 'ANY A' },
            { path: '/Channel/V', kind: 'value', change: 'added', version: '0', text: 'x' },
          ],
          submitter: { mspid: 'A', certificate: CERTIFICATE },
        },
        NOW,
      ),
    ),
    `config update of channel c
  channel      the header names "d": the orderer refuses this
  time         2026-01-01T00:00:00.000Z
  transaction  ab
changes
  - /Channel/G (group)  removed
  ~ /Channel/P (policy)  changed, version 7: ANY A
  + /Channel/V  added: x
signatures
  none
submitter
  A  CN=x until 2036-01-01
`,
  );
});

const IDENTITY: ExplainedIdentity = {
  place: 'wallet',
  mspid: 'A',
  mspids: ['A'],
  organizations: ['/Channel/Application/A'],
  certificate: CERTIFICATE,
  chain: ['CN=x', 'CN=ca'],
  valid: true,
  reason: null,
  roles: ['member'],
  units: [],
  notAdmin: null,
  problems: [],
  services: [],
  policies: [],
  changes: [],
};
const identityLines = (fields: Partial<ExplainedIdentity>): string[] =>
  linesOf(identityDocument({ channel: null, block: null, identities: [{ ...IDENTITY, ...fields }] }));

test('an identity with few facts', (t) => {
  t.deepEqual(identityLines({ mspid: null, certificate: { error: 'no PEM' }, chain: [], roles: [] }), [
    'wallet: an unreadable certificate: valid',
    '  identity',
    '    organisation  /Channel/Application/A',
    '    certificate   no PEM',
    '    chain         none',
    '    OUs           none',
    '    roles         none',
    '  may',
    '    nothing',
    '',
  ]);
});

for (const [notAdmin, text] of [
  [{ kind: 'unit', unit: 'admin' }, 'the OU admin is not in the certificate'],
  [{ kind: 'not-listed' }, 'it is not in the list of admins of the MSP'],
] as const)
  test(`an identity that is valid in two MSPs and no admin: ${text}`, (t) => {
    const lines = identityLines({ mspids: ['A', 'B'], notAdmin, reason: 'because' });
    t.deepEqual(lines.slice(3, 5), [
      '    valid in         A, B; choose one with --as',
      '    issuer           CN=ca',
    ]);
    t.true(lines.includes(`    not an admin     ${text}`));
    t.true(lines.includes("    Fabric's reason  because"));
  });

const policyOf = (index: number, fields: object = {}) => ({
  path: `/Channel/P${index}`,
  text: '',
  satisfied: true,
  counts: true,
  missing: null,
  ...fields,
});

test('the services of an identity are grouped by policy, and five of a group are named', (t) => {
  const service = (name: string, policy: string, allowed = true) => ({
    service: name,
    policy,
    allowed,
    reason: null,
  });
  const lines = identityLines({
    services: [
      ...many(7, (index) => service(`s${index}`, 'A')),
      service('x', 'A', false),
      ...many(6, (index) => service(`t${index}`, 'B')),
    ],
  });
  t.deepEqual(lines.slice(lines.indexOf('  may') + 1, -1), [
    '    yes  A  s1, s2, s3, s4, s5 and 2 more',
    '    no   A  x',
    '    yes  B  t1, t2, t3, t4, t5, t6',
  ]);
});

test('the policies of an identity are those that its signature counts for or that are satisfied', (t) => {
  const lines = identityLines({
    policies: [
      policyOf(1),
      policyOf(2, { satisfied: false, missing: 'B.admin' }),
      policyOf(3, { counts: false }),
      policyOf(4, { satisfied: false, counts: false, missing: 'B.admin' }),
    ],
  });
  t.deepEqual(lines.slice(lines.indexOf('  satisfies') + 1, -1), [
    '    /Channel/P1  alone',
    '    /Channel/P2  together with B.admin',
    '    /Channel/P3  alone',
  ]);
});

test('an identity shows 30 rows of a section, and four elements of a row', (t) => {
  const rest = (fields: Partial<ExplainedIdentity>): string[] =>
    identityLines(fields).filter((line) => line.startsWith('    and '));
  t.deepEqual(rest({ policies: many(30, policyOf) }), []);
  t.deepEqual(rest({ policies: many(31, policyOf) }), ['    and 1 more']);
  const change = (count: number) => ({
    ...policyOf(1),
    elements: many(count, (index) => `/Channel/Orderer/V${index}`),
  });
  const lines = identityLines({ changes: [change(5), change(6)] });
  t.deepEqual(
    lines.slice(lines.indexOf('  signs changes of') + 1, -1).map((line) => line.trim().split(/ {2,}/)),
    [
      ['Orderer/V1, Orderer/V2, Orderer/V3, Orderer/V4, Orderer/V5', 'alone (/Channel/P1)'],
      ['Orderer/V1, Orderer/V2, Orderer/V3, Orderer/V4 and 2 more', 'alone (/Channel/P1)'],
    ],
  );
});

test('an organisation has rows for what it has only', async (t) => {
  const base = await channel();
  const rowsOf = (fields: Partial<ChannelSummary['organizations'][number]>): string[] => {
    const organization = { ...base.organizations[0]!, section: 'Application', name: 'X', ...fields };
    const lines = linesOf(
      channelDocument({ ...base, organizations: [organization], policies: [], permissions: [] }, NOW),
    );
    const from = lines.indexOf('organisations') + 1;
    return lines.slice(from, -1).map((line) => line.replace(/CN=.*/, '…'));
  };
  const none = {
    type: 'none',
    nodeOus: false,
    admins: [],
    rootCas: [],
    intermediateCas: [],
    tlsCas: [],
    revocationLists: 0,
  } as const;
  t.deepEqual(rowsOf({ mspid: undefined, msp: none, anchorPeers: [], endpoints: [] } as never), [
    '  Application/X  no MSP id',
    '    MSP  no MSP',
  ]);
  t.deepEqual(
    rowsOf({
      msp: { ...none, type: 'fabric', nodeOus: true, revocationLists: 1 },
      mspid: 'XMSP',
      anchorPeers: ['a:1'],
      endpoints: ['b:1'],
    }),
    [
      '  Application/X  MSP XMSP, NodeOUs',
      '    CA            none',
      '    admins        nobody',
      '    revocation    1 lists',
      '    anchor peers  a:1',
      '    endpoints     b:1',
    ],
  );
});
