// Who decides about the parts of the channel: organisations that could refuse changes alone, or make them alone, before and after an update.

import {
  namedMsps,
  needOf,
  resolvePolicy,
  type PolicyNode,
  type Principal,
  type Rule,
} from '../policy/index.js';
import { keyOf } from '../channel/index.js';
import type { ChannelState } from './channel-state.js';
import { organizationNames } from './organizations.js';

/** The parts of a channel, the greatest first. */
export const PARTS: readonly string[] = ['/Channel', '/Channel/Application', '/Channel/Orderer'];

/**
 * A change of who decides. `veto-lost`: without the organisation nobody could change the part, and now others can. `alone-lost`: it could
 * change the part alone, and now cannot. `alone-gained`: the other way round.
 */
export interface DecisionChange {
  readonly kind: 'veto-lost' | 'alone-lost' | 'alone-gained';
  /** The part of the channel: `/Channel/Application`. */
  readonly path: string;
  /** The names of organisations of the channel after the update. */
  readonly organizations: readonly string[];
}

/**
 * Compares who decides about the parts of a channel: who satisfies the policy that the mod_policy of the part names. An organisation that
 * the update removes is not listed.
 */
export async function decisionChanges(before: ChannelState, after: ChannelState): Promise<DecisionChange[]> {
  const names = organizationNames([before.channel, after.channel]);
  const stay = new Map<string, string>();
  for (const { mspId = '', path } of after.channel.organizations)
    if (mspId !== '' && !stay.has(mspId)) stay.set(mspId, names.get(path)!);
  const changes: DecisionChange[] = [];
  for (const path of PARTS) {
    const [was, is] = [await decidersOf(path, before), await decidersOf(path, after)];
    if (was === undefined || is === undefined) continue;
    const add = (kind: DecisionChange['kind'], from: ReadonlySet<string>, to: ReadonlySet<string>): void => {
      const organizations = [...stay].flatMap(([mspid, name]) =>
        from.has(mspid) && !to.has(mspid) ? [name] : [],
      );
      if (organizations.length > 0) changes.push({ kind, path, organizations });
    };
    add('veto-lost', was.needed, is.needed);
    add('alone-lost', was.alone, is.alone);
    add('alone-gained', is.alone, was.alone);
  }
  return changes;
}

/** The MSP ids of organisations that can refuse changes of a part alone, or make them alone. */
interface Deciders {
  readonly needed: ReadonlySet<string>;
  readonly alone: ReadonlySet<string>;
}

/** Undefined if there is no such part, or nobody can change it. */
async function decidersOf(path: string, state: ChannelState): Promise<Deciders | undefined> {
  const { channelGroup } = state.config;
  const names = path.split('/').slice(2);
  const group = names.length === 0 ? channelGroup : channelGroup.groups.get(names[0]!);
  if (group === undefined) return undefined;
  const place = { kind: 'group' as const, key: keyOf('group', path), path, names, before: group };
  const resolution = resolvePolicy(state.policies, place);
  const policy = resolution.kind === 'found' ? resolution.policy : undefined;
  const known = mspidsOf(state);
  const needed = policy && neededFor(policy, known);
  if (policy === undefined || needed === undefined) return undefined;
  const alone = new Set<string>();
  for (const mspid of needed.size === 0 ? known : needed.size === 1 ? needed : []) {
    await state.call.pause();
    if (needOf(policy, isOf(mspid)).kind !== 'impossible') alone.add(mspid);
  }
  return { needed, alone };
}

/** Whether an organisation has the identities that satisfy a principal. */
const isOf =
  (mspid: string) =>
  (principal: Principal): boolean =>
    namedMsps(principal).every((each) => each === mspid);

const mspidsOf = ({ channel }: ChannelState): ReadonlySet<string> =>
  new Set(channel.organizations.flatMap(({ mspId }) => mspId ?? []));

/** The MSPs without which a policy cannot be satisfied; undefined if it never can be. @param known the MSPs of the channel */
function neededFor(policy: PolicyNode, known: ReadonlySet<string>): ReadonlySet<string> | undefined {
  if (policy.kind === 'implicitMeta')
    // A rule without a threshold is unknown: further signatures do not satisfy it.
    return policy.threshold === 0
      ? undefined
      : neededForSome(
          policy.threshold,
          policy.groups.map(({ policy: nested }) => nested && neededFor(nested, known)),
        );
  const { rule, identities } = policy.policy;
  const ofRule = (each: Rule): ReadonlySet<string> | undefined => {
    if (each.kind === 'outOf') return neededForSome(each.n, each.rules.map(ofRule));
    const principal = each.kind === 'signedBy' ? identities[each.index]?.principal : undefined;
    const mspids = principal && namedMsps(principal);
    return mspids?.every((mspid) => known.has(mspid)) === true ? new Set(mspids) : undefined;
  };
  return rule && ofRule(rule);
}

/** The MSPs without which a number of parts cannot be satisfied. @param parts the MSPs that each needs; undefined if it cannot be satisfied */
function neededForSome(
  number: number,
  parts: readonly (ReadonlySet<string> | undefined)[],
): ReadonlySet<string> | undefined {
  const possible = parts.filter((each) => each !== undefined);
  if (possible.length < number) return undefined;
  const uses = new Map<string, number>();
  for (const mspid of possible.flatMap((each) => [...each])) uses.set(mspid, (uses.get(mspid) ?? 0) + 1);
  return new Set([...uses].flatMap(([mspid, count]) => (possible.length - count < number ? [mspid] : [])));
}
