// Explains an identity on a channel: its validity, its faults, and its powers.

import { appendTo } from '../../core/common/group-by.js';
import { is, requireTypes } from '../../proto/arguments.js';
import { limitCalls } from '../../core/common/flow/limit-calls.js';
import { nearest } from '../../core/common/text/nearest.js';
import { attempt } from '../../proto/errors.js';
import { sameBytes } from '../../proto/bytes.js';
import { LongCall, type CallOptions, CALL } from '../long-call.js';
import { walk, type Channel, type ConfigFile, resultTypes } from '../channel/index.js';
import {
  summariseCertificate,
  problemWords,
  type ExplainedIdentity,
  type IdentityChange,
  type IdentityPolicy,
  type IdentityProblem,
  type IdentityReport,
  type NotAdmin,
  describeNeed,
  describePolicy,
} from '../documents/index.js';
import {
  nameText,
  certificateIn,
  dependsOnGo,
  type Certificate,
  verifyChain,
  type Identity,
  type IdentityFault,
  type JudgedIdentity,
  type Role,
  type Msp,
  type MspCache,
  releasesText,
  rulesOf,
  type Rules,
  checkSignature,
  verifiedAt,
  verifySignature,
  ANY_USAGE,
} from '../msp/index.js';
import {
  SignerList,
  Evaluation,
  type PolicyGroup,
  type PolicyNode,
  isSatisfiable,
  remainingNeed,
  resolvePolicy,
} from '../policy/index.js';
import { differingRules, signersByPolicy } from '../rules/index.js';
import { ChannelState } from '../state/index.js';
import { findSigningIdentity } from '../sign/index.js';
import type { FoundIdentity } from './read.js';
import { servicesOf, type Validity } from './services.js';

/** Options of an explanation. */
export interface ExplainOptions extends CallOptions {
  /** The time of the explanation. @default the current time */
  readonly now?: Date | undefined;
  /** The id of the MSP that the certificates are sent with, where the file does not have one. */
  readonly mspid?: string | undefined;
  /** The versions of the nodes, as in `ReviewOptions`. */
  readonly fabric?: readonly string[] | undefined;
  /** MSPs that other calls have set up. */
  readonly msps?: MspCache | undefined;
}

/** The usual shares of an explanation, in hundredths. */
const MSPS = 60;
const IDENTITIES = 40;

/** The number of MSPs that are asked in parallel. */
const AT_ONCE = 16;

const ROLES: readonly Role[] = ['admin', 'client', 'peer', 'orderer', 'member'];

const FOUND = is.named('a result of readIdentities', is.list(is.record({ place: is.text })));
const OPTIONS = is.only({
  now: is.optional(is.date),
  mspid: is.optional(is.text),
  // rulesOf checks the versions.
  fabric: is.any,
  msps: is.any,
  ...CALL,
});

/**
 * Explains the identities of a file on a channel.
 *
 * @throws the reason of `signal` if it aborts
 * @throws TranslateError BAD_BYTES if a value of the config does not parse, BAD_VERSION for an unknown version of Fabric
 */
export async function explainIdentities(
  found: readonly FoundIdentity[],
  block: ConfigFile,
  options: ExplainOptions = {},
): Promise<IdentityReport> {
  requireTypes({ found, block, options }, { found: FOUND, block: resultTypes.configFile, options: OPTIONS });
  const { config, channel, number } = block;
  const { now = new Date(), mspid, fabric = [], msps, signal, onProgress } = options;
  const [newest, ...older] = rulesOf(fabric);
  const call = new LongCall({ signal, onProgress });
  const after = new ChannelState(config, { program: newest, now, cache: msps, call });
  call.begin('msps', MSPS);
  await after.readAhead();
  await after.msps;
  const channels = new Map([[newest, after]]);
  const isSensitive =
    (await differingRules({ after }, [newest, ...older])).length > 0 ||
    found.some(({ certificate }) => dependsOnGo(certificate, newest.go));
  if (isSensitive)
    for (const rules of older)
      channels.set(rules, new ChannelState(config, { program: rules, now, cache: msps, call }));
  call.begin('identities', IDENTITIES);
  const decided = await decidedBy(after);
  const identities: ExplainedIdentity[] = [];
  for (const each of found) {
    await call.pause();
    identities.push(await call.wait(explain({ mspid, ...withoutEmpty(each) }, after, decided, channels)));
    call.advance(identities.length, found.length);
  }
  call.endRun();
  return { channel: channel ?? null, block: number === undefined ? null : String(number), identities };
}

const withoutEmpty = ({ mspid, ...found }: FoundIdentity): FoundIdentity =>
  mspid === undefined ? found : { ...found, mspid };

/** The identity in an MSP. */
interface JudgedInMsp extends JudgedIdentity {
  readonly msp: Msp;
}

const judgedIn = async (msp: Msp, certificate: Uint8Array): Promise<JudgedInMsp> => ({
  msp,
  ...(await msp.judge(certificate)),
});

async function explain(
  found: FoundIdentity,
  on: ChannelState,
  decided: Decided,
  channels: ReadonlyMap<Rules, ChannelState>,
): Promise<ExplainedIdentity> {
  const { channel, now, program } = on;
  const all = await judgedByAll(found, on);
  const valid = all.filter(({ fault }) => fault === undefined).map(({ msp }) => msp.name);
  const certificate = certificateIn(found.certificate, program.go);
  const own = chosen(found, certificate, all);
  // All MSPs refuse a certificate that none of them has issued for the same reason.
  const judged = own ?? (found.mspid === undefined ? all[0] : undefined);
  const mspid = found.mspid ?? own?.msp.name ?? null;
  const reason = judged === undefined ? `MSP ${mspid ?? ''} is not defined on channel` : judged.fault?.text;
  const problems = [
    ...(await problemsOf(found, certificate, judged, all, on)),
    ...(await versionProblems(found, mspid, reason, channels)),
    ...timeProblems(certificate, now),
    ...(await keyProblems(found)),
    ...(await signatureProblems(found, judged?.identity)),
  ];
  const isExpired = problems.some(({ kind }) => kind === 'expired');
  const identity = judged?.identity;
  const serial = certificate?.serial.toString(16);
  return {
    place: found.place,
    mspid,
    mspids: valid,
    organizations: mspid === null ? [] : organizationsOf(channel, mspid),
    certificate: {
      ...summariseCertificate(found.certificate),
      ...(serial !== undefined && { serial }),
    },
    chain: (identity?.chain ?? []).map(({ subject }) => nameText(subject)),
    valid: problems.every(({ kind }) => kind === 'depends-on-version'),
    reason: reason ?? null,
    roles: identity === undefined ? [] : rolesOf(identity),
    units: certificate?.subject.units ?? [],
    notAdmin: identity === undefined || judged === undefined ? null : notAdmin(identity, judged.msp),
    problems: problems.map((problem) => ({ ...problem, ...problemWords(problem) })),
    ...(await powersOf(identity, on, decided, { isExpired, reason })),
  };
}

/** Calls a function for each MSP, some at once because each waits for the verification of a signature. */
async function eachWithPauses<Result>(
  msps: readonly Msp[],
  ask: (msp: Msp) => Promise<Result>,
  call: LongCall,
): Promise<Result[]> {
  const limited = limitCalls(AT_ONCE);
  return Promise.all(
    msps.map((msp) =>
      limited(async () => {
        await call.pause();
        return ask(msp);
      }),
    ),
  );
}

/** The identity in its MSP if it is valid there, otherwise in all MSPs. */
async function judgedByAll(
  { mspid, certificate }: FoundIdentity,
  on: ChannelState,
): Promise<readonly JudgedInMsp[]> {
  const { msps } = (await on.msps).manager;
  const own = msps.get(mspid ?? '');
  const judged = own === undefined ? undefined : await judgedIn(own, certificate);
  if (judged !== undefined && judged.fault === undefined) return [judged];
  return eachWithPauses([...msps.values()], (msp) => judgedIn(msp, certificate), on.call);
}

/** The MSP that the identity names; without one, the MSP that it is valid in, or else the MSP with its CA or the name of its issuer. */
function chosen(
  { mspid }: FoundIdentity,
  certificate: Certificate | undefined,
  all: readonly JudgedInMsp[],
): JudgedInMsp | undefined {
  if (mspid !== undefined) return all.find(({ msp }) => msp.name === mspid);
  return (
    all.find(({ fault }) => fault === undefined) ??
    all.find(({ identity }) => identity?.chain !== undefined) ??
    all.find(({ msp }) => certificate !== undefined && namedIssuers(msp, certificate).length > 0)
  );
}

/** The CAs of an MSP with the name of the issuer of a certificate. */
const namedIssuers = ({ trust }: Msp, { issuer }: Certificate): readonly Certificate[] =>
  [...trust.roots, ...trust.intermediates].filter(({ subject }) => sameBytes(subject.raw, issuer.raw));

const rolesOf = (identity: Identity): readonly Role[] =>
  ROLES.filter((role) => identity.satisfies({ kind: 'role', mspid: identity.mspid, role }));

/** Returns the reason that a valid identity is not an admin. */
function notAdmin(identity: Identity, { rules }: Msp): NotAdmin | null {
  const { mspid, validationError, units } = identity;
  if (validationError !== undefined || identity.satisfies({ kind: 'role', mspid, role: 'admin' }))
    return null;
  const unit = rules.hasNodeOus ? rules.nodeOus.get('admin')?.unit : undefined;
  return unit === undefined || units.some((each) => each.unit === unit)
    ? { kind: 'not-listed' }
    : { kind: 'unit', unit };
}

/** The groups of the organisations with an MSP id. */
const organizationsOf = ({ organizations }: Channel, mspid: string): readonly string[] =>
  organizations.flatMap(({ path, mspId }) => (mspId === mspid ? [path] : []));

/** Returns the reasons that an identity is not valid in its MSP. */
async function problemsOf(
  { mspid }: FoundIdentity,
  certificate: Certificate | undefined,
  judged: JudgedInMsp | undefined,
  all: readonly JudgedInMsp[],
  { channel, msps, call }: ChannelState,
): Promise<readonly IdentityProblem[]> {
  const ids = all.map(({ msp }) => msp.name);
  const issuers = all.filter(({ identity }) => identity?.chain !== undefined).map(({ msp }) => msp.name);
  if (judged === undefined) {
    const paths = organizationsOf(channel, mspid ?? '');
    const fault = (await msps).faults.find(({ path }) => paths.includes(path));
    if (fault !== undefined) return [{ kind: 'msp-invalid', mspid: mspid ?? '', reason: fault.message }];
    const near = nearest(mspid ?? '', ids);
    return [{ kind: 'msp-unknown', mspid: mspid ?? '', msps: ids, issuers, near }];
  }
  const { fault, msp } = judged;
  if (fault === undefined) return [];
  if (fault.kind === 'chain') return [await chainProblem(certificate!, judged, issuers, all, call)];
  return [problemIn(msp.name, fault)];
}

/** A fault of an identity that other MSPs do not explain. */
function problemIn(mspid: string, fault: Exclude<IdentityFault, { kind: 'chain' }>): IdentityProblem {
  const { kind } = fault;
  switch (kind) {
    case 'unreadable':
      return { kind: 'certificate-unreadable' };
    case 'is-ca':
      return { kind };
    case 'key-type':
      return { kind, type: fault.type, isAllowedWithV3: fault.type === 'Ed25519' };
    case 'revoked':
      return { kind, mspid, serial: fault.serial.toString(16) };
    case 'revocation-unclear':
      return { kind, mspid };
    case 'unit-missing':
      return { kind, mspid, units: fault.units, wanted: fault.wanted };
    case 'units-several':
      return { kind, units: fault.units };
    case 'unit-of-other-ca':
      break;
  }
  return { kind, mspid, units: fault.units };
}

/** Returns the reason that there is no chain to the CAs of an MSP. */
async function chainProblem(
  certificate: Certificate,
  { msp }: JudgedInMsp,
  issuers: readonly string[],
  all: readonly JudgedInMsp[],
  call: LongCall,
): Promise<IdentityProblem> {
  if (issuers.length > 0) return { kind: 'issued-by-other', mspid: msp.name, issuers };
  const msps = all.map((each) => each.msp);
  const isTls = await eachWithPauses(msps, ({ tls }) => hasChain(certificate, tls), call);
  const ofTls = msps.filter((_, index) => isTls[index]).map(({ name }) => name);
  if (ofTls.length > 0) return { kind: 'tls-certificate', issuers: ofTls };
  const issuer = nameText(certificate.issuer);
  const named = msps.filter((each) => namedIssuers(each, certificate).length > 0);
  if (named.length === 0) return { kind: 'issuer-unknown', issuer, msps: msps.map(({ name }) => name) };
  const cas = named.flatMap((each) => namedIssuers(each, certificate));
  for (const ca of cas)
    if ((await checkSignature(certificate, ca.publicKey, certificate.go)) === undefined)
      return { kind: 'chain-invalid', mspid: msp.name };
  return { kind: 'ca-replaced', issuer, msps: named.map(({ name }) => name) };
}

async function hasChain(certificate: Certificate, { roots, intermediates }: Msp['tls']): Promise<boolean> {
  const now = verifiedAt(certificate);
  const usages = [...certificate.extensions.extendedKeyUsage, ANY_USAGE];
  return !('reason' in (await verifyChain(certificate, { roots, intermediates, now, keyUsages: usages })));
}

/** Whether releases judge the identity differently. */
async function versionProblems(
  { certificate }: FoundIdentity,
  mspid: string | null,
  reason: string | undefined,
  channels: ReadonlyMap<Rules, ChannelState>,
): Promise<readonly IdentityProblem[]> {
  const verdicts: { readonly rules: Rules; readonly reason: string | undefined }[] = [];
  for (const [rules, { msps }] of channels) {
    const msp = (await msps).manager.msps.get(mspid ?? '');
    const found =
      msp === undefined
        ? `MSP ${mspid ?? ''} is not defined on channel`
        : (await msp.judge(certificate)).fault?.text;
    verdicts.push({ rules, reason: found });
  }
  const valid = verdicts.filter((verdict) => verdict.reason === undefined);
  const invalid = verdicts.filter((verdict) => verdict.reason !== undefined);
  if (valid.length === 0 || invalid.length === 0) return [];
  const texts = [
    { releases: valid, reason: null },
    { releases: invalid, reason: reason ?? invalid[0]!.reason ?? null },
  ];
  return [
    {
      kind: 'depends-on-version',
      verdicts: texts.map(({ releases, reason: text }) => ({
        releases: releasesText(releases.flatMap(({ rules }) => rules.releases)),
        reason: text,
      })),
    },
  ];
}

function timeProblems(certificate: Certificate | undefined, now: Date): readonly IdentityProblem[] {
  if (certificate === undefined) return [];
  const { notBefore, notAfter } = certificate;
  if (now > notAfter) return [{ kind: 'expired', notAfter: notAfter.toISOString() }];
  return now < notBefore ? [{ kind: 'not-yet-valid', notBefore: notBefore.toISOString() }] : [];
}

async function keyProblems({ certificate, keys }: FoundIdentity): Promise<readonly IdentityProblem[]> {
  if (keys === undefined || certificateIn(certificate) === undefined) return [];
  return attempt(
    async () => {
      await findSigningIdentity({ mspid: '', certificate, keys });
      return [];
    },
    ({ message }): readonly IdentityProblem[] => [{ kind: 'key-mismatch', reason: message }],
  );
}

async function signatureProblems(
  { signed }: FoundIdentity,
  identity: Identity | undefined,
): Promise<readonly IdentityProblem[]> {
  if (signed === undefined || identity === undefined) return [];
  const reason = await verifySignature(identity, signed.message, signed.signature);
  return reason === undefined ? [] : [{ kind: 'signature-invalid', reason }];
}

/** The paths of the elements that each policy decides about. */
type Decided = ReadonlyMap<PolicyNode, readonly string[]>;

async function decidedBy({ config, policies, call }: ChannelState): Promise<Decided> {
  const decided = new Map<PolicyNode, string[]>();
  for (const { kind, path, names, key, element } of walk(config.channelGroup)) {
    await call.pause();
    const resolution = resolvePolicy(policies, { kind, path, names, key, before: element });
    if (resolution.kind === 'found') appendTo(decided, resolution.policy, path);
  }
  return decided;
}

/** The powers of the identity: alone, and with others. */
async function powersOf(
  identity: Identity | undefined,
  on: ChannelState,
  decided: Decided,
  validity: Validity,
): Promise<Pick<ExplainedIdentity, 'services' | 'policies' | 'changes'>> {
  const { policies, call } = on;
  const { msps } = (await on.msps).manager;
  const evaluation = new Evaluation(new SignerList(identity === undefined ? [] : [identity]));
  const hasMsp = (mspid: string): boolean => msps.has(mspid);
  const listed = judgedPolicies(policies.root);
  const counting = await signersByPolicy([...decided.keys(), ...listed], evaluation.list, call);
  const describe = (policy: PolicyNode): IdentityPolicy => {
    const satisfied = evaluation.satisfied(policy);
    const need = satisfied
      ? undefined
      : remainingNeed(policy, evaluation, (principal) => isSatisfiable(principal, hasMsp));
    return {
      path: policy.path,
      text: describePolicy(policy),
      satisfied,
      counts: (counting.get(policy)?.size ?? 0) > 0,
      missing: need === undefined ? null : describeNeed(need),
    };
  };
  const described: IdentityPolicy[] = [];
  for (const policy of listed) {
    await call.pause();
    described.push(describe(policy));
  }
  const changes: IdentityChange[] = [];
  if (identity !== undefined)
    for (const [policy, elements] of decided) {
      await call.pause();
      if ((counting.get(policy)?.size ?? 0) > 0 || evaluation.satisfied(policy))
        changes.push({ ...describe(policy), elements });
    }
  return { services: servicesOf(on, evaluation, validity), policies: described, changes };
}

/** The policies of the channel, and of the groups of applications and orderers. */
function judgedPolicies(root: PolicyGroup): readonly PolicyNode[] {
  const groups = [root, root.groups.get('Application'), root.groups.get('Orderer')];
  return groups.flatMap((group) => (group === undefined ? [] : [...group.policies.values()]));
}
