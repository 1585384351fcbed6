// Verdicts that depend on the version of Fabric.

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import { checkConfig, review, type Review } from '../../../translator/review/index.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { parse, serialize, type Tree } from '../../fuzz/review/messages.js';
import {
  inMsp,
  org1,
  reviewOf as changedReviewOf,
  setCapabilities,
  type Group,
} from '../../helpers/changed-config.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const { now, configs } = readReviewCases();
const CONFIG = bytesIn(configs.app2!);

/** The certificates of `cases.json.br` by id. */
const ROOTS = new Map(
  (
    JSON.parse(
      brotliDecompressSync(readFileSync('test/vectors/certificates/cases.json.br')).toString(),
    ) as readonly { readonly id: string; readonly roots: readonly string[] }[]
  ).map(({ id, roots }) => [id, roots[0]!]),
);

/** The config with a further root CA of Org1. */
function withRoot(id: string): Uint8Array {
  const tree = parse('common.Config', CONFIG) as Tree & {
    channel_group: { groups: Record<string, { groups: Record<string, { values: Record<string, Tree> }> }> };
  };
  const value = tree.channel_group.groups.Application!.groups.Org1!.values.MSP!;
  const message = parse('msp.MSPConfig', value.value as Uint8Array);
  const msp = parse('msp.FabricMSPConfig', message.config as Uint8Array);
  (msp.root_certs as Uint8Array[]).push(Buffer.from(ROOTS.get(id)!));
  message.config = serialize('msp.FabricMSPConfig', msp);
  value.value = serialize('msp.MSPConfig', message);
  return serialize('common.Config', tree);
}

const reviewOf = (id: string, fabric?: readonly string[]): Promise<Review> =>
  review(readUpdateFile(computeUpdate(CONFIG, withRoot(id), 'testchannel')), readConfigFile(CONFIG), {
    now: new Date(now),
    fabric,
  });

const CONSTRAINTS = 'own critical policyConstraints in root';
const NEGATIVE = 'own negative serial root';
const ROLES = 'certificates of the CA CN=pcroot have no role: each OU of NodeOUs names another CA';
const MSP = 'the MSP of /Channel/Application/Org1 cannot be set up';

/** Findings about the versions and the MSP: severity, id and text. */
const found = ({ findings }: Pick<Review, 'findings'>): string[] =>
  findings
    .filter(({ id }) => ['msp-invalid', 'depends-on-version', 'versions-disagree'].includes(id))
    .map(({ severity, id, text }) => `${severity} ${id}: ${text}`);

const CASES: readonly (readonly [ca: string, fabric: readonly string[], findings: readonly string[]])[] = [
  [
    CONSTRAINTS,
    [],
    [
      `warning depends-on-version: what nodes do depends on their version of Fabric: 2.5.13 to 2.5.16, 3.1: ${ROLES}; 2.5.0 to 2.5.12, 3.0: ${MSP}`,
    ],
  ],
  [
    NEGATIVE,
    [],
    [
      `refused msp-invalid: ${MSP}`,
      `warning depends-on-version: what nodes do depends on their version of Fabric: 2.5.10 to 2.5.16, 3.0, 3.1: ${MSP}; 2.5.0 to 2.5.9: no such finding`,
    ],
  ],
  [CONSTRAINTS, ['3.1'], []],
  [CONSTRAINTS, ['3.1.5'], []],
  [CONSTRAINTS, ['3.0'], [`refused msp-invalid: ${MSP}`]],
  [CONSTRAINTS, ['2.5.12'], [`refused msp-invalid: ${MSP}`]],
  [
    CONSTRAINTS,
    ['2.5'],
    [
      `warning depends-on-version: what nodes do depends on their version of Fabric: 2.5.13 to 2.5.16: ${ROLES}; 2.5.0 to 2.5.12: ${MSP}`,
    ],
  ],
  [
    CONSTRAINTS,
    ['2.5.12', '3.1.5'],
    [
      `danger versions-disagree: the versions of the nodes give different verdicts: 3.1.5: ${ROLES}; 2.5.12: ${MSP}`,
    ],
  ],
  [
    CONSTRAINTS,
    ['2.5', '3.1.5'],
    [
      `warning depends-on-version: what nodes do depends on their version of Fabric: 2.5.13 to 2.5.16, 3.1.5: ${ROLES}; 2.5.0 to 2.5.12: ${MSP}`,
    ],
  ],
  [CONSTRAINTS, ['2.5.16', '3.1.5'], []],
];

for (const [ca, fabric, findings] of CASES)
  test(`a root CA with ${ca} and nodes of ${fabric.length === 0 ? 'unknown versions' : fabric.join(' and ')}`, async (t) => {
    t.deepEqual(found(await reviewOf(ca, fabric)), findings);
  });

test('a check of a config judges by all versions, too', async (t) => {
  const block = readConfigFile(withRoot(CONSTRAINTS));
  const check = async (fabric: readonly string[]): Promise<string[]> =>
    found(await checkConfig(block, { now: new Date(now), fabric }));
  t.deepEqual(
    (await check([])).map((text) => text.slice(0, 27)),
    ['warning depends-on-version:'],
  );
  t.deepEqual(await check(['3.0.0']), [`refused msp-invalid: ${MSP}`]);
});

test('a channel with certificates that all versions judge alike has no finding about versions', async (t) => {
  const { findings } = await checkConfig(readConfigFile(CONFIG), { now: new Date(now) });
  t.false(findings.some(({ id }) => id === 'depends-on-version'));
});

test('an unknown version is an error', async (t) => {
  await t.throwsAsync(reviewOf(CONSTRAINTS, ['3.2']), {
    code: 'BAD_VERSION',
    message:
      'the version of Fabric must be 2.5, 3.0, 3.1, or one of the releases 2.5.0 to 2.5.16, 3.0.0, 3.1.0 to 3.1.5; found "3.2"',
  });
});

const capabilities = (channel: Group): void => setCapabilities(channel, 'V1_4_3');
const certificates = (channel: Group): void =>
  inMsp(org1(channel), (msp) => (msp.tls_root_certs = [makeCertificate({ commonName: 'tlsca' }).pem]));

for (const [what, change, fabric, line] of [
  ['capabilities', capabilities, undefined, 'whether the orderers run Fabric 3.0'],
  ['capabilities', capabilities, ['2.5', '3.1.5'], undefined],
  ['TLS CAs', certificates, undefined, undefined],
] as const)
  test(`a review of other ${what} for the versions ${fabric?.join() ?? '(none)'} says: ${line ?? 'nothing about versions'}`, async (t) => {
    const { unknown } = await changedReviewOf('app3', change, undefined, { ...(fabric && { fabric }) });
    t.is(
      unknown.find((each) => each.includes('run Fabric')),
      line,
    );
  });
