// Gains of control: a smaller or different set of users controls an element after the update, at once or in steps. Organisations that can
// refuse or make changes of a part of the channel alone, and could not before, or the other way round.

import { lastName, sameContent } from '../channel/index.js';
import {
  type ControlGain,
  type Gainers,
  type Gains,
  PARTS,
  countText,
  findGains,
  mspsChangeControl,
} from '../control/index.js';
import {
  type Decision,
  decisionText,
  decisionsOf,
  elementWords,
  gainersText,
  mspNames,
  gainerNamesText,
  shortPath,
  words,
  type OrganizationNames,
} from '../documents/index.js';
import { findPolicy, namedMsps } from '../policy/index.js';
import type { Facts } from './facts/gather.js';
import { actOf, decidingPolicies, isControlPolicy } from './policies.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The weaker policy: the element itself, or the policy that decides about it. */
const WEAKENED = { element: 'this policy', 'mod-policy': 'its new mod_policy' } as const;

/** A gain of control: the signers, the elements, and the updates. */
export interface WeakenedData {
  readonly of: 'element' | 'mod-policy' | 'control';
  /** In words: `Org1MSP.admin or Org2MSP.admin`. */
  readonly signers: string;
  /** In the words of users, with the names of organisations: `Org1 or Org2`. */
  readonly gainers: string;
  /** The MSP ids of the signers. */
  readonly mspids: readonly string[];
  /** The elements that they can change now: paths, the first of them. */
  readonly elements: readonly string[];
  /** The number of all elements. */
  readonly count: number;
  /** The updates that lead to control, and the policy that each of them needs: paths. */
  readonly steps: readonly { readonly element: string; readonly policy: string }[];
}

const ELEMENTS_SHOWN = 3;
const STEPS_SHOWN = 5;

function weakenedText(data: WeakenedData): string {
  const { of, signers, elements, count } = data;
  const shown = elements.slice(0, ELEMENTS_SHOWN);
  const more = count - shown.length;
  const what = `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
  if (of === 'control')
    return `${signers} alone can change what needed others before: ${what}${stepsText(data)}`;
  const consequence = of === 'element' && count > 0 ? `, and with it change ${what}` : '';
  return `${weakerText(of)}: ${signers} alone${consequence}${stepsText(data)}`;
}

const weakerText = (of: keyof typeof WEAKENED): string =>
  `${WEAKENED[of]} needs fewer or different signatures than before`;

/** The updates that lead to control; empty if it needs only one, of the weaker policy itself. */
function stepsText({ of, steps: all }: WeakenedData): string {
  const steps = all.length < 2 && of !== 'control' ? [] : all;
  if (steps.length === 0) return '';
  const shown = steps.slice(0, STEPS_SHOWN).map(({ element, policy }) => `${element} (${policy})`);
  const more = steps.length - shown.length;
  return `; the updates, and the policy that each needs: ${shown.join(', then ')}${more === 0 ? '' : `, then ${more} more`}`;
}

/** The part of the channel over which signers gain control; undefined: only elements below the parts. */
const partOf = ({ elements }: Pick<WeakenedData, 'elements'>): string | undefined =>
  PARTS.find((part) => elements.includes(part));

/** Whether a finding of `policy-weakened` is about the control of a whole part of the channel. */
export const isTakeover = (data: Pick<WeakenedData, 'elements'>): boolean => partOf(data) !== undefined;

/** `Org1 or Org2 could change the group Application and its organisations without the others` */
function takeoverText(data: WeakenedData): string | undefined {
  const path = partOf(data);
  if (path === undefined) return undefined;
  const members = path === '/Channel' ? '' : ' and its organisations';
  return `${data.gainers} could change ${elementWords({ kind: 'group', path })}${members} without the others`;
}

function shortText({ of, gainers, elements, count }: WeakenedData, path: string): string {
  if (of === 'element') return `${gainers} alone can ${actOf(path)}`;
  const [first = path] = elements;
  const more = count < 2 ? '' : ` and ${count - 1} more element${count === 2 ? '' : 's'}`;
  return `${gainers} can change ${shortPath(of === 'control' ? first : path)}${more} without the others`;
}

const CHECK_PEOPLE =
  'do not sign unless these users alone may decide: ask the author to keep the policy as it was';

const policyWeakened = defineRule({
  id: 'policy-weakened',
  severity: ['danger', 'warning'],
  tellsGains: true,
  meaning: 'a policy needs fewer or different signatures than before',
  words: (data: WeakenedData, path) =>
    words(weakenedText(data), CHECK_PEOPLE, takeoverText(data) ?? shortText(data, path)),
});

const policyNotCompared = defineRule({
  id: 'policy-not-compared',
  severity: ['danger', 'warning'],
  meaning: 'a policy has too many combinations of signatures to compare it',
  words: ({ of }: { of: 'element' | 'mod-policy' }) =>
    words(
      `${WEAKENED[of]} has too many combinations of signatures to compare it with the previous one`,
      CHECK_PEOPLE,
    ),
});

const controlNotCompared = defineRule({
  id: 'control-not-compared',
  severity: 'warning',
  meaning: 'some sets of organisations were not compared with those before',
  words: ({ sets }: { sets: string }) =>
    words(
      `${sets} sets of organisations were not compared: one of them may control more than before`,
      CHECK_PEOPLE,
    ),
  unknown: ({ sets }) =>
    `whether one of ${sets} sets of organisations that were not compared controls more than before`,
});

const AGREE = 'check that these organisations know it and agree';

const vetoLost = defineRule({
  id: 'veto-lost',
  severity: 'warning',
  meaning: 'an organisation cannot refuse changes of a part of the channel alone any more',
  words: (data: Decision) => words(decisionText(data), AGREE),
});

const soleControlLost = defineRule({
  id: 'sole-control-lost',
  severity: 'warning',
  meaning: 'an organisation cannot change a part of the channel alone any more',
  words: (data: Decision) => words(decisionText(data), AGREE),
});

const soleControlGained = defineRule({
  id: 'sole-control-gained',
  severity: 'warning',
  meaning: 'an organisation can change a part of the channel alone',
  words: (data: Decision) => words(decisionText(data), AGREE),
});

const RULE_OF = {
  'veto-lost': vetoLost,
  'alone-lost': soleControlLost,
  'alone-gained': soleControlGained,
} as const;

const BLOCK_VALIDATION = '/Channel/Orderer/BlockValidation';
/** The maximum number of elements in the data of a finding. */
const ELEMENTS = 20;

export const control = defineCheck({
  needs: 'update',
  rules: [
    policyWeakened,
    policyNotCompared,
    controlNotCompared,
    vetoLost,
    soleControlLost,
    soleControlGained,
  ],
  async find(facts) {
    const gains = await gainsOf(facts);
    if (gains === undefined) return [];
    const { before, after } = facts;
    const names = mspNames(after.channel.organizations);
    const deciding = [decidingPolicies(before), decidingPolicies(after)];
    const isControl = (path: string): boolean =>
      isControlPolicy(lastName(path)) ||
      [before, after].some(({ policies }, at) => deciding[at]!.has(findPolicy(policies.root, path)!));
    return [
      ...gains.gains.flatMap((gain) => gainFindings(gain, isControl, names)),
      ...gains.notCompared.map(({ of, path }) =>
        policyNotCompared.at(
          path,
          {
            of,
          },
          of === 'mod-policy' || isControl(path) ? 'danger' : 'warning',
        ),
      ),
      ...decisionsOf(gains.decisions).map((each) => RULE_OF[each.kind].at(each.parts[0]!, each)),
      ...(gains.unsearched === 0 ? [] : [controlNotCompared.at('', { sets: countText(gains.unsearched) })]),
    ];
  },
});

/** One finding, or one for each policy that changed. */
function gainFindings(
  gain: ControlGain,
  isControl: (path: string) => boolean,
  names: OrganizationNames,
): RawFinding[] {
  const { by, about, elements, policies, steps } = gain;
  const data = {
    of: about.of,
    signers: gainersText(by),
    gainers: gainerNamesText(by, names),
    mspids: [...new Set(by.flatMap(mspidsOf))],
    elements: elements.slice(0, ELEMENTS),
    count: elements.length,
    steps,
  };
  if (about.of !== 'element') return [policyWeakened.at(about.path, data, 'danger')];
  const main = policies.find(isControl) ?? policies[0]!;
  return policies.map((path) => {
    const severity = isControl(path) || (path === main && elements.length > 0) ? 'danger' : 'warning';
    return policyWeakened.at(path, path === main ? data : { ...data, elements: [], count: 0 }, severity);
  });
}

/** The MSP ids of users that gain control. */
const mspidsOf = (each: Gainers): readonly string[] =>
  each.kind === 'organizations'
    ? each.set.flatMap(({ of }) => of)
    : each.set.flatMap(({ principal }) => namedMsps(principal));

/** Compares only if the update changes a policy, a mod_policy, the members of a group, or the issuers of identities of an MSP. */
async function gainsOf({ before, after, applied }: Facts): Promise<Gains | undefined> {
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
      (await mspsChangeControl(before, after)));
  if (!isRelevant) return undefined;
  // BlockValidation of a BFT channel follows from its consenters; a stage checks it.
  return findGains(before, after, new Set(after.channel.orderer.isBft ? [BLOCK_VALIDATION] : []));
}
