// The command review, and merge with --block, in the test process.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Review } from '../../../translator/review/index.js';
import { bytesIn, readReviewCases, readVerdicts } from '../../helpers/review-cases.js';
import { IDENTITIES } from '../../helpers/channel-vectors.js';
import { BLOCK } from '../../helpers/edits.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';

const { now, configs, cases } = readReviewCases();
const { blobs, submitters, verdicts } = readVerdicts();

/** Reviews a recorded case. */
function reviewOf(t: ExecutionContext, note: string, ...flags: readonly string[]): Promise<CommandOutcome> {
  const { config, envelope } = cases.find((each) => each.note === note)!;
  return reviewFiles(t, configs[config]!, envelope, '--now', now, ...flags);
}

function reviewFiles(
  t: ExecutionContext,
  block: string,
  envelope: string,
  ...flags: readonly string[]
): Promise<CommandOutcome> {
  const directory = temporaryFolder(t);
  const [blockFile, envelopeFile] = [join(directory, 'block.pb'), join(directory, 'update.pb')];
  writeFileSync(blockFile, bytesIn(block));
  writeFileSync(envelopeFile, bytesIn(envelope));
  return runCommand(t, ['review', envelopeFile, '--block', blockFile, ...flags]);
}

const STATUSES: readonly (readonly [note: string, status: number])[] = [
  ['just the right versions', 0],
  ['BatchSize 0/5000000/5', 2],
  ['the outer signature does not count for the mod_policy', 3],
  ['application capability V9_9: no orderer minds', 4],
];

for (const [note, status] of STATUSES)
  test(`review of "${note}" ends with the status ${status}`, async (t) => {
    t.is((await reviewOf(t, note)).status, status);
  });

test('review shows changes, policies, signatures, findings and what to do next', async (t) => {
  const { stdout, stderr } = await reviewOf(t, 'the outer signature does not count for the mod_policy');
  t.is(stderr, '');
  t.is(
    stdout,
    `channel testchannel; the update fits this config; warning: removes anchor peer peer0.org1.example.com:7051 of Org1; Org1 has no anchor peer any more: private data and discovery do not work with others after a restart; signatures missing: Org1MSP.admin; not checked: whether this config is the newest of the channel
changes
  /Channel/Application/Org1/AnchorPeers  peer0.org1.example.com:7051 removed
must sign
  /Channel/Application/Org1/Admins  OR('Org1MSP.admin')  not satisfied
signatures
  submitter  Org1MSP CN=Admin@org1.example.com; may submit (/Channel/Writers)
findings
  unsigned  1 more signature needed for /Channel/Application/Org1/Admins: Org1MSP.admin (/Channel/Application/Org1/AnchorPeers)
            orderer: error applying config update to existing channel 'testchannel': error authorizing update: error validating DeltaSet: policy for [Value]  /Channel/Application/Org1/AnchorPeers not satisfied: signature set did not satisfy policy
            to do: sign with the MSP directory of such an identity: configtxlator sign FILE --msp DIRECTORY
  warning   Org1 has no anchor peer any more: after a restart its peers and the peers of other organisations do not know each other, so private data and discovery do not work between them (/Channel/Application/Org1/AnchorPeers)
            to do: keep an anchor peer
cannot be known
  whether this config is the newest of the channel
fingerprint
  2f948b50746e917cd5f6008fb29815dbaddb4394e98c9a2a3f09f2e8d869c18f
next
  collect the signatures of Org1MSP.admin with configtxlator sign; submit the update with configtxlator submit, which waits for its block
`,
  );
});

test('review of a new consenter names it with its certificate and the organisation that issued it', async (t) => {
  const each = verdicts.find(({ name }) => name === 'mychannel/17-consenter-add-3')!;
  const { stdout } = await reviewFiles(
    t,
    blobs[each.block]!,
    blobs[each.envelope]!,
    '--now',
    String(each.time),
  );
  t.regex(
    stdout,
    /^ {2}\/Channel\/Orderer\/ConsensusType {2}consenter 127\.0\.0\.1:\d+ added \(TLS certificate CN=\S+ \(SHA-256 [0-9a-f]{16}…\) until 20\d\d-\d\d-\d\d, OrdererMSP\)$/m,
  );
  t.regex(stdout, /^ {2}\/Channel\/Orderer\/Admins {2}MAJORITY Admins \(1 of OrdererOrg\) {2}0 of 1$/m);
  t.regex(
    stdout,
    /warning +until the new consenter 127\.0\.0\.1:22250 joins the channel, both other consenters must stay up/,
  );
});

test('review --submitter counts the signature that peer channel update adds', async (t) => {
  const each = verdicts.find(({ name }) => name === 'mychannel/17-consenter-add-3')!;
  const pem = /-----BEGIN[^]*END CERTIFICATE-----\n/.exec(submitters[each.submitter!]!)![0];
  const file = join(temporaryFolder(t), 'cert.pem');
  writeFileSync(file, pem);
  const flags = ['--now', String(each.time), '--json', '--submitter', file];
  const { stdout, status } = await reviewFiles(t, blobs[each.block]!, blobs[each.envelope]!, ...flags);
  t.is(status, 0);
  t.true((JSON.parse(stdout) as Review).accepted);
});

test('review --allow accepts a known danger and no other id', async (t) => {
  const note = STATUSES.find(([, status]) => status === 4)![0];
  const { findings } = JSON.parse((await reviewOf(t, note, '--json')).stdout) as Review;
  const dangers = findings.filter(({ severity }) => severity === 'danger').map(({ id }) => id);
  const allow = dangers.flatMap((id) => ['--allow', id]);
  t.is((await reviewOf(t, note, ...allow)).status, 0);
  const wrong = await reviewOf(t, note, '--allow', 'batch-size');
  t.is(wrong.status, 1);
  t.is(
    wrong.stderr,
    `configtxlator: error: flag 'allow' must be the id of a danger that can be allowed, as review --json shows it, found "batch-size", try --help\n`,
  );
});

test('review --json has the documented keys', async (t) => {
  const { stdout } = await reviewOf(t, 'BatchSize 0/5000000/5', '--json');
  const result = JSON.parse(stdout) as Review;
  t.deepEqual(Object.keys(result), [
    'verdict',
    'summary',
    'channel',
    'fingerprint',
    'block',
    'fits',
    'accepted',
    'acceptedIf',
    'appliedIn',
    'elements',
    'policies',
    'signatures',
    'submitter',
    'majorities',
    'findings',
    'next',
    'steps',
    'unknown',
  ]);
  t.deepEqual(result.elements, [
    {
      element: '/Channel/Orderer/BatchSize',
      kind: 'value',
      change: 'modified',
      policy: '/Channel/Orderer/Admins',
      satisfied: true,
      signers: ['OrdererMSP CN=Admin@ord.example.com', 'OrdererBMSP CN=Admin@ordb.example.com'],
      words: [
        'maxMessageCount 500 → 0',
        'absoluteMaxBytes 10485760 → 5000000',
        'preferredMaxBytes 2097152 → 5',
      ],
      data: [
        { change: 'changed', label: 'maxMessageCount', before: '500', after: '0' },
        { change: 'changed', label: 'absoluteMaxBytes', before: '10485760', after: '5000000' },
        { change: 'changed', label: 'preferredMaxBytes', before: '2097152', after: '5' },
      ],
    },
  ]);
  t.deepEqual(result.findings[0], {
    id: 'batch-size',
    severity: 'refused',
    text: 'max_message_count of the batch size is 0',
    orderer:
      "error applying config update to existing channel 'testchannel': initializing channelconfig failed: could not create channel Orderer sub-group config: Attempted to set the batch size max message count to an invalid value: 0",
    path: '/Channel/Orderer/BatchSize',
    todo: 'set it to 1 or more',
    data: { field: 'max_message_count', value: 0 },
  });
});

test('review names the kind of a wrong file', async (t) => {
  const config = Object.values(configs)[0]!;
  const swapped = await reviewFiles(t, cases[0]!.envelope, config);
  t.is(swapped.status, 1);
  t.regex(
    swapped.stderr,
    /^configtxlator: error: \S+update\.pb: this is a config; a config update is needed\n$/,
  );
  const twice = await reviewFiles(t, cases[0]!.envelope, cases[0]!.envelope);
  t.is(twice.status, 1);
  t.regex(
    twice.stderr,
    /^configtxlator: error: \S+block\.pb: this is a config update; a config block is needed\n$/,
  );
});

const NOT_CERTIFICATES: readonly (readonly [what: string, text: string, found: string])[] = [
  ['a private key', IDENTITIES['Org1/admin']!.key, 'a PEM file (PRIVATE KEY)'],
  ['text', 'hello', 'not PEM'],
];

for (const [what, text, found] of NOT_CERTIFICATES)
  test(`review --submitter with ${what} is an error`, async (t) => {
    const file = join(temporaryFolder(t, { submitter: text }), 'submitter');
    const { config, envelope } = cases[0]!;
    const { status, stderr } = await reviewFiles(t, configs[config]!, envelope, '--submitter', file);
    t.is(status, 1);
    t.is(stderr, `configtxlator: error: ${file} is ${found}, a certificate is needed\n`);
  });

test('review recognises a truncated block', async (t) => {
  const directory = temporaryFolder(t);
  const [block, update] = [join(directory, 'block.pb'), join(directory, 'update.pb')];
  writeFileSync(block, BLOCK.subarray(0, 3000));
  writeFileSync(update, bytesIn(cases[0]!.envelope));
  const { status, stderr } = await runCommand(t, ['review', update, '--block', block]);
  t.is(status, 1);
  t.regex(
    stderr,
    /block\.pb: this is a message that ends in the middle, after 3000 bytes; a config block is needed\n$/,
  );
});

test('review takes --fabric 3.1, and addresses of the active consenters', async (t) => {
  const { config, envelope } = cases.find(({ note }) => note === 'just the right versions')!;
  const flags = [
    '--fabric',
    '3.1',
    '--active',
    'o1.ord.example.com:7050,o3.ord.example.com:7050',
    '--now',
    now,
  ];
  t.is((await reviewFiles(t, configs[config]!, envelope, ...flags)).status, 0);
});

test('review takes the versions of the nodes from --fabric or from the profile', async (t) => {
  const { config, envelope } = cases.find(({ note }) => note === 'just the right versions')!;
  const folder = temporaryFolder(t);
  for (const [text, status] of [
    ['fabric: 3.0', 0],
    ['fabric: [2.5.12, 3.1]', 0],
    ['fabric: 3', 0],
    ['fabric: 2.4.9', 1],
    ['fabric: {}', 1],
  ] as const) {
    const profile = join(folder, 'profile.yaml');
    writeFileSync(profile, text);
    const outcome = await reviewFiles(t, configs[config]!, envelope, '--now', now, '--profile', profile);
    t.is(outcome.status, status, text);
  }
  const flags = ['--fabric', '2.5.12, 3.1.5', '--now', now];
  t.is((await reviewFiles(t, configs[config]!, envelope, ...flags)).status, 0);
});

const BAD_FLAGS: readonly (readonly [flag: string, value: string, message: string])[] = [
  [
    '--fabric',
    '2.4',
    `flag 'fabric' must be 2.5, 3.0, 3.1, or one of the releases 2.5.0 to 2.5.16, 3.0.0, 3.1.0 to 3.1.5, found "2.4"`,
  ],
  [
    '--active',
    '9',
    "flag 'active' is 9, but the channel has 3 consenters (o1.ord.example.com:7050, o2.ord.example.com:7050, o3.ord.example.com:7050)",
  ],
  [
    '--active',
    'two',
    `flag 'active' must be a number of consenters or their addresses, found "two"; the channel has 3 consenters (o1.ord.example.com:7050, o2.ord.example.com:7050, o3.ord.example.com:7050)`,
  ],
  [
    '--now',
    'tomorrow',
    `flag 'now' must be a time that exists, with its zone, such as 2026-11-22T12:00:00Z, or seconds since 1970, found "tomorrow"`,
  ],
];

for (const [flag, value, message] of BAD_FLAGS)
  test(`review ${flag} ${value} is an error`, async (t) => {
    const { config, envelope } = cases[0]!;
    const { status, stderr } = await reviewFiles(t, configs[config]!, envelope, flag, value);
    t.is(status, 1);
    t.is(stderr, `configtxlator: error: ${message}, try --help\n`);
  });

test('merge --block puts signatures into an order that satisfies the policies', async (t) => {
  const each = cases.find(
    ({ errors, note }) => note.startsWith("AND('Org1MSP.member', 'Org1MSP.admin')") && errors.length > 0,
  )!;
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('block.pb'), bytesIn(configs[each.config]!));
  writeFileSync(at('update.pb'), bytesIn(each.envelope));
  const merged = [
    'merge',
    at('update.pb'),
    at('update.pb'),
    '--block',
    at('block.pb'),
    '-o',
    at('merged.pb'),
  ];
  t.is((await runCommand(t, merged)).status, 0);
  const flags = ['--block', at('block.pb'), '--now', now, '--json'];
  const before = JSON.parse((await runCommand(t, ['review', at('update.pb'), ...flags])).stdout) as Review;
  t.deepEqual(before.findings.map(({ id }) => id).slice(0, 1), ['signatures-order']);
  const after = JSON.parse((await runCommand(t, ['review', at('merged.pb'), ...flags])).stdout) as Review;
  t.deepEqual(
    after.findings.filter(({ severity }) => severity !== 'warning').map(({ id }) => id),
    ['submitter-missing'],
  );
});
