// Dangers: fewer or other people than before control something after the update, at once or in steps.

import { sameContent, lastName } from '../../channel/index.js';
import { gainersText, type Finding } from '../../documents/index.js';
import { findPolicy } from '../../policy/index.js';
import {
  countText,
  findGains,
  mspsChangeControl,
  type ControlGain,
  type Gains,
} from '../../control/index.js';
import type { Facts } from '../facts/gather.js';
import { finding } from '../finding.js';
import { decidingPolicies } from './policies.js';

/** Policies that decide about the channel, besides those that a mod_policy names. */
const CONTROL = new Set(['Admins', 'BlockValidation', 'LifecycleEndorsement', 'Writers']);
const BLOCK_VALIDATION = '/Channel/Orderer/BlockValidation';
/** How many elements the data of a finding names. */
const ELEMENTS = 20;

export function controlFindings(facts: Facts): Finding[] {
  const gains = gainsOf(facts);
  if (gains === undefined) return [];
  const { before, after } = facts;
  const deciding = [decidingPolicies(before), decidingPolicies(after)];
  const isControl = (path: string): boolean =>
    CONTROL.has(lastName(path)) ||
    [before, after].some(({ policies }, at) => deciding[at]!.has(findPolicy(policies.root, path)!));
  return [
    ...gains.gains.flatMap((gain) => gainFindings(gain, isControl)),
    ...gains.notCompared.map(({ of, path }) =>
      finding(of === 'mod-policy' || isControl(path) ? 'danger' : 'warning', 'policy-not-compared', path, {
        of,
      }),
    ),
    ...(gains.unsearched === 0
      ? []
      : [finding('warning', 'control-not-compared', '', { sets: countText(gains.unsearched) })]),
  ];
}

/** One finding, or one for each policy that changed. */
function gainFindings(gain: ControlGain, isControl: (path: string) => boolean): Finding[] {
  const { by, about, elements, policies, steps } = gain;
  const data = {
    of: about.of,
    signers: gainersText(by),
    elements: elements.slice(0, ELEMENTS),
    count: elements.length,
    steps,
  };
  if (about.of !== 'element') return [finding('danger', 'policy-weakened', about.path, data)];
  const main = policies.find(isControl) ?? policies[0]!;
  return policies.map((path) => {
    const severity = isControl(path) || (path === main && elements.length > 0) ? 'danger' : 'warning';
    return finding(
      severity,
      'policy-weakened',
      path,
      path === main ? data : { ...data, elements: [], count: 0 },
    );
  });
}

/** Compared only if the update changes a policy, a mod_policy, the members of a group, or who makes identities of an MSP. */
function gainsOf({ before, after, proposal: { applied } }: Facts): Gains | undefined {
  const { changes, removed } = applied;
  const isRelevant =
    removed.length > 0 ||
    changes.some(
      ({ kind, before: old, element }) =>
        old === undefined ||
        old.modPolicy !== element.modPolicy ||
        (kind === 'policy' && !sameContent(kind, old, element)),
    ) ||
    (changes.some(({ kind, names }) => kind === 'value' && names.at(-1) === 'MSP') &&
      mspsChangeControl(before.channel.organizations, after.channel.organizations));
  if (!isRelevant) return undefined;
  // What BlockValidation of a BFT channel must be follows from its consenters; a stage checks it.
  return findGains(before, after, new Set(after.channel.orderer.isBft ? [BLOCK_VALIDATION] : []));
}
