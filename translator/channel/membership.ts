// Changes of the consenters of a Raft channel (Fabric's orderer/consensus/etcdraft/membership.go).

import { sameBytes } from './bytes.js';
import type { RaftConsenter } from './values.js';

/** What changes between two sets of consenters. A consenter is known by its client TLS certificate. */
export interface MembershipChange {
  readonly kind: 'none' | 'added' | 'removed' | 'rotated' | 'unsupported';
  readonly added: readonly RaftConsenter[];
  readonly removed: readonly RaftConsenter[];
  /** The number of consenters before and after. */
  readonly before: number;
  readonly after: number;
}

/** Compares consenters. Order, hosts, ports and server certificates do not count. */
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

/** The number of consenters that have to be alive. */
export const raftQuorum = (consenters: number): number => Math.floor(consenters / 2) + 1;

/**
 * Whether Fabric refuses a change because too few consenters are alive.
 *
 * @param active the number of consenters that are alive
 * @param isRemovedActive whether the removed or rotated consenter is one of those; undefined if unknown
 * @returns `if-alive`: only if that consenter is alive
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
