// The signatures on a config update and on its envelope: their signers, their validity, the policies that they count for, and signers that
// do not count any more after the update.

import { limitCalls } from '../../../core/common/flow/limit-calls.js';
import { attempt } from '../../../proto/errors.js';
import { LongCall } from '../../long-call.js';
import { creatorOf, type Channel, type Submission, type UpdateSignature } from '../../channel/index.js';
import { concatBytes } from '../../../proto/bytes.js';
import {
  nameText,
  readSerializedIdentity,
  type Identity,
  type MspManager,
  certificateIn,
  verifySignature,
} from '../../msp/index.js';
import type { SignerList, PolicyNode, Signer } from '../../policy/index.js';
import { ordererServices, type ChannelState } from '../../state/index.js';

/** The path of the policy that the submitter has to satisfy. */
export const submitterPolicy = (channel: Channel): string => ordererServices(channel).broadcast.policy;

/** A signature and the known facts about its signer. */
export interface CheckedSignature {
  /** The serialized identity; empty if the header does not parse. */
  readonly creator: Uint8Array;
  /** Empty if the identity does not parse. */
  readonly mspid: string;
  /** For example `CN=Admin@org1.example.com`. */
  readonly subject: string;
  /** The end of the validity of the certificate; undefined if it does not parse. */
  readonly notAfter: Date | undefined;
  /** The identity, if its MSP is on the channel and its signature is valid. It counts where it satisfies a principal. */
  readonly identity: Identity | undefined;
  /** The reason that the signature is ignored, in plain words with Fabric's reason; undefined if it is not. */
  readonly problem: string | undefined;
  /** Whether the signature header parses. If one does not, Fabric refuses the whole update. */
  readonly isReadable: boolean;
  /** Whether the signature is still to be made. */
  readonly isAssumed?: boolean;
}

/** The number of signatures to verify in parallel: each has a copy of the update meanwhile. */
const AT_ONCE = 4;

/** Checks the signatures on a config update, in their order. */
export async function checkSignatures(
  update: Uint8Array,
  signatures: readonly UpdateSignature[],
  manager: MspManager,
  call = new LongCall(),
): Promise<CheckedSignature[]> {
  const limited = limitCalls(AT_ONCE);
  const checked = signatures.map(({ header, signature }) =>
    limited(async () => {
      await call.pause();
      return check(header, concatBytes(header, update), signature, manager);
    }),
  );
  return Promise.all(checked);
}

/** Checks the signature of the submitter; undefined if nobody signed the envelope. */
export async function checkSubmitter(
  submission: Submission | undefined,
  manager: MspManager,
): Promise<CheckedSignature | undefined> {
  if (submission === undefined) return undefined;
  const { header, payload, signature } = submission;
  if (header.length === 0 && signature.length === 0) return undefined;
  return check(header, payload, signature, manager);
}

/** A signature that is still to be made: valid, if the MSP of the identity is on the channel. */
export async function assumeSignature(creator: Uint8Array, manager: MspManager): Promise<CheckedSignature> {
  const checked = await checkIdentity(creator, manager, () => Promise.resolve(undefined));
  return { ...checked, isAssumed: true };
}

async function check(
  header: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  manager: MspManager,
): Promise<CheckedSignature> {
  const creator = attempt(
    () => creatorOf(header),
    () => undefined,
  );
  if (creator === undefined) return { ...UNKNOWN, problem: 'the signature header does not parse' };
  return checkIdentity(creator, manager, (identity) => verifySignature(identity, message, signature));
}

async function checkIdentity(
  creator: Uint8Array,
  manager: MspManager,
  verify: (identity: Identity) => Promise<string | undefined>,
): Promise<CheckedSignature> {
  const person = { ...UNKNOWN, creator, ...describe(creator), isReadable: true };
  return attempt(
    async () => {
      const identity = await manager.identity(creator);
      const reason = await verify(identity);
      if (reason === undefined) return { ...person, identity };
      return { ...person, problem: `the signature is not valid: ${reason}` };
    },
    ({ message }) => ({ ...person, problem: `the signer is unknown: ${message}` }),
  );
}

const UNKNOWN: CheckedSignature = {
  creator: new Uint8Array(),
  mspid: '',
  subject: '',
  notAfter: undefined,
  identity: undefined,
  problem: undefined,
  isReadable: false,
};

/** The unverified data of an identity. */
function describe(creator: Uint8Array): Partial<CheckedSignature> {
  return attempt(
    () => {
      const { mspid, certificate } = readSerializedIdentity(creator);
      const read = certificateIn(certificate);
      if (read === undefined) return { mspid };
      return { mspid, subject: nameText(read.subject), notAfter: read.notAfter };
    },
    () => ({}),
  );
}

/** A signer for messages: `Org1MSP CN=Admin@org1.example.com`. */
export function nameOf({ mspid, subject }: CheckedSignature, index: number): string {
  const name = `${mspid} ${subject}`.trim();
  return name === '' ? `signer ${index + 1}` : name;
}

/** The signers that count for each of some policies, and for each policy that these count. */
export async function signersByPolicy(
  policies: Iterable<PolicyNode>,
  list: SignerList,
  call: LongCall,
): Promise<Map<PolicyNode, ReadonlySet<Signer>>> {
  const found = new Map<PolicyNode, ReadonlySet<Signer>>();
  for (const policy of policies) {
    await call.pause();
    signersOf(policy, list, found);
  }
  return found;
}

function signersOf(
  node: PolicyNode,
  list: SignerList,
  found: Map<PolicyNode, ReadonlySet<Signer>>,
): ReadonlySet<Signer> {
  const known = found.get(node);
  if (known !== undefined) return known;
  const signers = new Set<Signer>();
  if (node.kind === 'signature')
    for (const identity of node.policy.identities)
      for (const at of list.satisfying(identity)) signers.add(list.signers[at]!);
  else
    for (const { policy } of node.groups)
      for (const signer of policy === undefined ? [] : signersOf(policy, list, found)) signers.add(signer);
  found.set(node, signers);
  return signers;
}

/** The paths of the policies that each signature counts for. */
export function countsFor(
  signatures: readonly CheckedSignature[],
  byPolicy: ReadonlyMap<PolicyNode, ReadonlySet<Signer>>,
): string[][] {
  return signatures.map(({ identity }) =>
    identity === undefined
      ? []
      : [...byPolicy].filter(([, signers]) => signers.has(identity)).map(([{ path }]) => path),
  );
}

/** A signer who is not valid, or no admin, any more after the update. */
interface CutOff {
  /** `Org1MSP CN=Admin@org1.example.com` */
  readonly who: string;
  /** The MSP that changes. */
  readonly path: string;
  readonly reason: string;
}

/** Judges the signers by the MSPs of the resulting config. An organisation that leaves is no fault. */
export async function findCutOff(
  signatures: readonly (CheckedSignature | undefined)[],
  { channel, msps }: ChannelState,
): Promise<CutOff[]> {
  const found = new Map<string, CutOff>();
  const { manager } = await msps;
  for (const [index, signature] of signatures.entries()) {
    const identity = signature?.identity;
    if (signature === undefined || identity === undefined || identity.validationError !== undefined) continue;
    const organization = channel.organizations.find(({ mspId }) => mspId === identity.mspid);
    const msp = manager.msps.get(identity.mspid);
    if (organization === undefined || msp === undefined) continue;
    const reason = lossOf(identity, await identityIn(msp, signature.creator));
    const who = nameOf(signature, index);
    if (reason !== undefined) found.set(who, { who, path: `${organization.path}/MSP`, reason });
  }
  return [...found.values()];
}

async function identityIn(
  msp: { identity: (serialized: Uint8Array) => Promise<Identity> },
  creator: Uint8Array,
): Promise<Identity | string> {
  return attempt(
    async () => msp.identity(creator),
    ({ message }) => message,
  );
}

function lossOf(before: Identity, after: Identity | string): string | undefined {
  if (typeof after === 'string') return after;
  if (after.validationError !== undefined) return after.validationError;
  const isAdmin = (identity: Identity): boolean =>
    identity.satisfies({ kind: 'role', mspid: identity.mspid, role: 'admin' });
  return isAdmin(before) && !isAdmin(after) ? 'it is no admin any more' : undefined;
}
