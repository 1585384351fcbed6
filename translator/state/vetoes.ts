// The organisations that could refuse changes of a part of the channel alone, and can no longer do so after an update.

import { findPolicy, namedMsps, type PolicyNode, type Rule } from '../policy/index.js';
import type { ChannelState } from './channel-state.js';
import { organizationNames } from './organizations.js';

/** The parts of a channel, the greatest first. */
export const PARTS: readonly string[] = ['/Channel', '/Channel/Application', '/Channel/Orderer'];

/** A veto that organisations lose by an update. */
export interface LostVeto {
  /** The part of the channel: `/Channel/Application`. */
  readonly path: string;
  /** The names of the organisations. */
  readonly organizations: readonly string[];
}

/**
 * The vetoes that organisations lose: before an update, the policy `Admins` of a part cannot be satisfied without signatures of the
 * organisation, and after it can. An organisation that the update removes is not listed.
 */
export function lostVetoes(before: ChannelState, after: ChannelState): LostVeto[] {
  const names = organizationNames([before.channel, after.channel]);
  const left = mspidsOf(after);
  const stay = new Map<string, string>();
  for (const { mspId = '', path } of before.channel.organizations)
    if (left.has(mspId) && !stay.has(mspId)) stay.set(mspId, names.get(path)!);
  return PARTS.flatMap((path): LostVeto[] => {
    const [was, is] = [before, after].map((state) => vetoesOver(path, state));
    if (was === undefined || is === undefined) return [];
    const organizations = [...stay].flatMap(([mspid, name]) =>
      was.has(mspid) && !is.has(mspid) ? [name] : [],
    );
    return organizations.length === 0 ? [] : [{ path, organizations }];
  });
}

const mspidsOf = ({ channel }: ChannelState): ReadonlySet<string> =>
  new Set(channel.organizations.flatMap(({ mspId }) => mspId ?? []));

/** The MSP ids of the organisations that can refuse changes of a part alone; undefined if nobody can change it. */
function vetoesOver(path: string, state: ChannelState): ReadonlySet<string> | undefined {
  const policy = findPolicy(state.policies.root, `${path}/Admins`);
  return policy && neededFor(policy, mspidsOf(state));
}

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
