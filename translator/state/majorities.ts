// Shares that must agree: the implicit meta policies of a channel and the quorum of its consenters, before and after an update.

import { bftQuorum, raftQuorum, consentersOf } from '../channel/index.js';
import { META_RULES, printImplicitMeta, findPolicy, type MetaNode, policiesBelow } from '../policy/index.js';
import type { ChannelState } from './channel-state.js';

/** The number of groups or consenters that must agree, and of all of them. */
export interface Share {
  readonly need: number;
  readonly of: number;
}

/** A majority or quorum that an update changes. */
export interface MajorityChange {
  /** The policy, or the value with the consenters: `/Channel/Application/Admins`. */
  readonly path: string;
  /** `MAJORITY Admins`, or `quorum` of the consenters. */
  readonly rule: string;
  readonly before: Share;
  readonly after: Share;
  /** Whether each single one can refuse afterwards, and could not before or was not there. */
  readonly newVeto: boolean;
}

/** The policies `MAJORITY` and `ALL`, and the quorum, that need another number, or count another number, after an update. */
export function majorityChanges(before: ChannelState, after: ChannelState): MajorityChange[] {
  const policies = [...policiesBelow(after.policies.root)].flatMap((now) => {
    if (now.kind !== 'implicitMeta') return [];
    const was = findPolicy(before.policies.root, now.path);
    if (was?.kind !== 'implicitMeta' || META_RULES[now.rule] === 'ANY') return [];
    return changeOf(now.path, printImplicitMeta(now), shareOf(was), shareOf(now));
  });
  const [was, now] = [quorumOf(before), quorumOf(after)];
  return [...policies, ...changeOf(after.channel.orderer.consentersPath, 'quorum', was, now)];
}

const shareOf = ({ threshold, groups }: MetaNode): Share => ({ need: threshold, of: groups.length });

function quorumOf({ channel }: ChannelState): Share {
  const { length } = consentersOf(channel);
  return { need: channel.orderer.isBft ? bftQuorum(length).quorum : raftQuorum(length), of: length };
}

function changeOf(path: string, rule: string, before: Share, after: Share): MajorityChange[] {
  if (before.need === after.need && before.of === after.of) return [];
  const isVeto = ({ need, of }: Share): boolean => need === of && of > 1;
  const newVeto = isVeto(after) && (!isVeto(before) || after.of > before.of);
  return [{ path, rule, before, after, newVeto }];
}
