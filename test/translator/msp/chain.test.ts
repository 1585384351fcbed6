// Chains of certificates as Go's crypto/x509 builds and refuses them, with its texts.

import test from 'ava';
import {
  ANY_USAGE,
  CLIENT_AUTH,
  readPemCertificate,
  SERVER_AUTH,
  verifyChain,
  type Certificate,
  type GoVersion,
} from '../../../translator/msp/index.js';
import { makeCertificate, type Made } from '../../helpers/made-certificates.js';

const NOW = new Date('2027-01-01T00:00:00Z');
const read = ({ pem }: Made, go?: GoVersion): Certificate => readPemCertificate(pem, go)!;

interface Given {
  readonly roots?: readonly Made[];
  readonly intermediates?: readonly Made[];
  readonly now?: Date;
  readonly keyUsages?: readonly string[];
  readonly go?: GoVersion;
}

/** The names in the chains, or the reason why there is none. */
async function verified(
  leaf: Made,
  { roots = [], intermediates = [], now = NOW, keyUsages, go }: Given,
): Promise<unknown> {
  const result = await verifyChain(read(leaf, go), {
    roots: roots.map((each) => read(each, go)),
    intermediates: intermediates.map((each) => read(each, go)),
    now,
    ...(keyUsages !== undefined && { keyUsages }),
  });
  return 'reason' in result
    ? [result.reason, result.isExpired]
    : result.chains.map((chain) => chain.map(({ subject }) => subject.commonName).join(' '));
}

const ROOT = makeCertificate({ commonName: 'root' });
const INTERMEDIATE = makeCertificate({ commonName: 'ca', issuer: ROOT, isCa: true });
const LEAF = makeCertificate({ commonName: 'leaf', issuer: INTERMEDIATE, isCa: false });
const UNKNOWN = 'x509: certificate signed by unknown authority';
const EXPIRED = 'x509: certificate has expired or is not yet valid: current time';

test('a chain leads from a certificate to a root', async (t) => {
  const cas = { roots: [ROOT], intermediates: [INTERMEDIATE] };
  t.deepEqual(await verified(LEAF, cas), ['leaf ca root']);
  t.deepEqual(await verified(ROOT, cas), ['root']);
  t.deepEqual(await verified(LEAF, { roots: [ROOT] }), [UNKNOWN, false]);
  t.deepEqual(await verified(LEAF, { roots: [INTERMEDIATE], intermediates: [INTERMEDIATE] }), ['leaf ca']);
  t.deepEqual(await verified(LEAF, { ...cas, roots: [INTERMEDIATE, ROOT] }), ['leaf ca', 'leaf ca root']);
});

for (const [now, reason] of [
  ['2025-12-31T23:59:59.999Z', `${EXPIRED} 2025-12-31T23:59:59Z is before 2026-01-01T00:00:00Z`],
  ['2026-01-01T00:00:00.000Z', undefined],
  ['2036-01-01T00:00:00.000Z', undefined],
  ['2036-01-01T00:00:00.001Z', `${EXPIRED} 2036-01-01T00:00:00Z is after 2036-01-01T00:00:00Z`],
] as const)
  test(`a certificate of the years 2026 to 2035 at ${now}: ${reason ?? 'valid'}`, async (t) => {
    const found = await verified(ROOT, { roots: [ROOT], now: new Date(now) });
    t.deepEqual(found, reason === undefined ? ['root'] : [reason, true]);
  });

test('an expired CA is the reason, even if another candidate has not signed the certificate', async (t) => {
  const old = makeCertificate({ commonName: 'ca', validity: ['20250101000000Z', '20260601000000Z'] });
  const leaf = makeCertificate({ commonName: 'leaf', issuer: old, isCa: false });
  for (const roots of [
    [old],
    [makeCertificate({ commonName: 'ca' }), old],
    [old, makeCertificate({ commonName: 'ca' })],
  ])
    t.deepEqual(await verified(leaf, { roots }), [
      `${EXPIRED} 2027-01-01T00:00:00Z is after 2026-06-01T00:00:00Z`,
      true,
    ]);
});

for (const [what, wanted, name] of [
  ['its common name', { commonName: 'ca', organization: 'Org1' }, /^"ca"$/],
  ['its organisation, if it has no common name', { commonName: '', organization: 'Org1' }, /^"Org1"$/],
  ['its serial number, if it has neither', { commonName: '' }, /^"serial:\d+"$/],
] as const)
  test(`the first CA that could have signed a certificate is named by ${what}`, async (t) => {
    const leaf = makeCertificate({ commonName: 'leaf', issuer: makeCertificate(wanted), isCa: false });
    const roots = [makeCertificate(wanted), makeCertificate(wanted)];
    const [reason, isExpired] = (await verified(leaf, { roots })) as [string, boolean];
    const hint = `${UNKNOWN} (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate `;
    t.is(reason.slice(0, hint.length), hint);
    t.regex(reason.slice(hint.length, -1), name);
    if (wanted.commonName === '' && !('organization' in wanted))
      t.is(reason.slice(hint.length, -1), `"serial:${read(roots[0]!).serial}"`);
    t.false(isExpired);
  });

test('a certificate that is not a CA cannot sign another one', async (t) => {
  const leaf = makeCertificate({ commonName: 'x', issuer: LEAF, isCa: false });
  const cannot = 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  for (const given of [{ roots: [LEAF] }, { roots: [ROOT], intermediates: [INTERMEDIATE, LEAF] }])
    t.deepEqual(await verified(leaf, given), [
      `${UNKNOWN} (possibly because of "${cannot}" while trying to verify candidate authority certificate "leaf")`,
      false,
    ]);
});

const INCOMPATIBLE = 'x509: certificate specifies an incompatible key usage';
const withUsage = (usage: 'clientAuth' | 'serverAuth' | undefined, issuer?: Made, commonName = 'x'): Made =>
  makeCertificate({
    commonName,
    usage,
    isCa: issuer === undefined || commonName === 'ca',
    ...(issuer && { issuer }),
  });

for (const [what, ca, leaf, keyUsages, isValid] of [
  ['no usage is compatible with serverAuth, the default', undefined, undefined, undefined, true],
  ['serverAuth is the default', undefined, 'serverAuth', undefined, true],
  ['clientAuth is not the default', undefined, 'clientAuth', undefined, false],
  ['one of two usages is enough', undefined, 'clientAuth', [SERVER_AUTH, CLIENT_AUTH], true],
  [
    'a CA limits the usages of its certificates',
    'serverAuth',
    'clientAuth',
    [SERVER_AUTH, CLIENT_AUTH],
    false,
  ],
  [
    'a CA and its certificate have the same usage',
    'clientAuth',
    'clientAuth',
    [SERVER_AUTH, CLIENT_AUTH],
    true,
  ],
  [
    'any usage is one of the allowed ones only if a certificate has it',
    undefined,
    'clientAuth',
    [ANY_USAGE],
    false,
  ],
] as const)
  test(`key usages: ${what}`, async (t) => {
    const root = withUsage(ca, undefined, 'root');
    const found = await verified(withUsage(leaf, root), { roots: [root], ...(keyUsages && { keyUsages }) });
    t.deepEqual(found, isValid ? ['x root'] : [INCOMPATIBLE, false]);
  });

test('a certificate for any usage is compatible with each usage', async (t) => {
  const leaf = makeCertificate({
    commonName: 'x',
    issuer: ROOT,
    isCa: false,
    extensions: [['551d25', '30060604551d2500']],
  });
  t.deepEqual(await verified(leaf, { roots: [ROOT] }), ['x root']);
});

/** A CA whose certificates need a policy, and a root with the same name and key. */
const NEEDS_POLICY = makeCertificate({
  commonName: 'X',
  issuer: ROOT,
  isCa: true,
  extensions: [['551d24', '3003800100']],
});
const SAME = makeCertificate({ commonName: 'X', key: NEEDS_POLICY.key });
const NO_CHAINS = 'x509: no valid chains built';

for (const [go, roots, usage, expected] of [
  ['1.23', [ROOT], undefined, ['x X root']],
  ['1.24', [ROOT], undefined, [`${NO_CHAINS}: all candidate chains have invalid policies`, false]],
  ['1.26', [ROOT], undefined, [`${NO_CHAINS}: 1 candidate chains with invalid policies`, false]],
  ['1.24', [SAME, ROOT], undefined, ['x X']],
  ['1.23', [SAME, ROOT], undefined, ['x X', 'x X root']],
  [
    '1.25',
    [SAME, ROOT],
    'clientAuth',
    [`${NO_CHAINS}: 1 chains with incompatible key usage, 1 chains with invalid policies`, false],
  ],
  [
    '1.26',
    [SAME, ROOT],
    'clientAuth',
    [
      `${NO_CHAINS}: 1 candidate chains with incompatible key usage, 1 candidate chains with invalid policies`,
      false,
    ],
  ],
  ['1.26', [SAME], 'clientAuth', [INCOMPATIBLE, false]],
] as const)
  test(`Go ${go} and a certificate with ${usage ?? 'no usage'} of a CA whose certificates need a policy, with ${roots.length} roots: ${expected[0]}`, async (t) => {
    const leaf = makeCertificate({ commonName: 'x', issuer: NEEDS_POLICY, isCa: false, usage });
    t.deepEqual(await verified(leaf, { roots, intermediates: [NEEDS_POLICY], go }), expected);
  });
