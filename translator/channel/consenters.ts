// The consenters of a channel: one type for Raft and BFT, quorums, allowed changes, and the policy BlockValidation that must match the
// consenters.

import {
  CommonOrderers,
  CommonSignaturePolicyEnvelope,
  EtcdraftConfigMetadata,
  MspSerializedIdentity,
} from '../../proto/messages.js';
import { bftQuorum, raftQuorum } from '../../core/common/quorum.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import type { Address } from './address.js';
import { sameBytes } from '../../proto/bytes.js';
import type { Policy } from './element.js';
import type { BftConsenter, RaftConsenter } from './values.js';

/** The common fields of Raft and BFT consenters. */
interface AnyConsenter extends Address {
  /** Certificates in PEM. */
  readonly clientTlsCert: Uint8Array;
  readonly serverTlsCert: Uint8Array;
  /** The serialized `etcdraft.Consenter` or `common.Consenter`. */
  readonly bytes: Uint8Array;
}

/** A consenter of a Raft channel. */
interface RaftEntry extends AnyConsenter {
  readonly id?: undefined;
  readonly mspId?: undefined;
  readonly identity?: undefined;
}

/** A consenter of a BFT channel. */
export interface BftEntry extends AnyConsenter {
  readonly id: number;
  /** The MSP id of its organisation. */
  readonly mspId: string;
  /** The certificate with which it signs blocks, in PEM. */
  readonly identity: Uint8Array;
}

/** A consenter of a channel. */
export type Consenter = RaftEntry | BftEntry;

/** The consenters in the metadata of the consensus type `etcdraft`. @throws TranslateError BAD_BYTES */
export function readRaftConsenters(metadata: Uint8Array): RaftEntry[] {
  const { consenters } = readMessage(EtcdraftConfigMetadata, metadata);
  const { consenters: raw } = readMessage(EtcdraftConfigMetadata, metadata, ['consenters']);
  return raw.map((bytes, index) => ({ ...consenters[index]!, bytes }));
}

/** The consenters in the value `Orderers` of a BFT channel. @throws TranslateError BAD_BYTES */
export function readBftConsenters(value: Uint8Array): BftEntry[] {
  const { consenterMapping } = readMessage(CommonOrderers, value);
  const { consenterMapping: raw } = readMessage(CommonOrderers, value, ['consenterMapping']);
  return raw.map((bytes, index) => ({ ...consenterMapping[index]!, bytes }));
}

/** The difference between two sets of Raft consenters. A consenter is identified by its client TLS certificate. */
export interface MembershipChange {
  readonly kind: 'none' | 'added' | 'removed' | 'rotated' | 'unsupported';
  readonly added: readonly RaftConsenter[];
  readonly removed: readonly RaftConsenter[];
  /** The number of consenters before and after. */
  readonly before: number;
  readonly after: number;
}

/**
 * Compares Raft consenters (Fabric's orderer/consensus/etcdraft/membership.go). Order, hosts, ports and server certificates are ignored.
 */
export function membershipChange(
  before: readonly RaftConsenter[],
  after: readonly RaftConsenter[],
): MembershipChange {
  const added = missingIn(before, after);
  const removed = missingIn(after, before);
  const kind =
    added.length > 1 || removed.length > 1
      ? 'unsupported'
      : added.length === 1
        ? removed.length === 1
          ? 'rotated'
          : 'added'
        : removed.length === 1
          ? 'removed'
          : 'none';
  return { kind, added, removed, before: before.length, after: after.length };
}

/** The consenters of a set that the other one lacks. */
function missingIn(other: readonly RaftConsenter[], set: readonly RaftConsenter[]): RaftConsenter[] {
  return set.filter(({ clientTlsCert }) =>
    other.every((each) => !sameBytes(each.clientTlsCert, clientTlsCert)),
  );
}

/**
 * Whether Fabric refuses a change of Raft consenters because too few of them are active.
 *
 * @param active the number of active consenters
 * @param isRemovedActive whether the removed or rotated consenter is active; undefined if unknown
 * @returns `if-alive`: only if that consenter is active
 */
export function quorumLoss(
  change: MembershipChange,
  active: number,
  isRemovedActive: boolean | undefined,
): 'no' | 'yes' | 'if-alive' {
  const { kind, before, after } = change;
  const quorum = raftQuorum(after);
  const isAvoidable = after > 2;
  if (kind === 'none' || kind === 'unsupported') return 'no';
  if (kind === 'added') return isAvoidable && active < quorum ? 'yes' : 'no';
  if (kind === 'rotated' && !isAvoidable) return 'no';
  if (active < quorum) return 'yes';
  if (active - 1 >= quorum) return 'no';
  if (isRemovedActive === undefined) return active === before ? 'yes' : 'if-alive';
  return isRemovedActive ? 'yes' : 'no';
}

/** `common.Policy.SIGNATURE`. */
const SIGNATURE = 1;
/** `MSPPrincipal.IDENTITY`. */
const IDENTITY = 2;

/**
 * The policy BlockValidation for a list of BFT consenters. Fabric requires exactly these bytes
 * (orderer/consensus/smartbft/configverifier.go, checkConsentersMatchPolicy).
 */
export function blockValidationPolicy(
  consenters: readonly Pick<BftConsenter, 'mspId' | 'identity'>[],
): Policy {
  const { quorum } = bftQuorum(consenters.length);
  const value = writeMessage(CommonSignaturePolicyEnvelope, {
    rule: { nOutOf: { n: quorum, rules: consenters.map((_, index) => ({ signedBy: index })) } },
    identities: consenters.map(({ mspId, identity }) => ({
      principalClassification: IDENTITY,
      principal: writeMessage(MspSerializedIdentity, { mspid: mspId, idBytes: identity }),
    })),
  });
  return { type: SIGNATURE, value };
}
