// The verdict on a review or a check: a word, and a sentence.

import { is, requireTypes } from '../../proto/arguments.js';
import { groupBy } from '../../core/common/group-by.js';
import { lastName, parentPath } from '../channel/index.js';
import { PARTS } from '../control/index.js';
import { canBeAllowed, isTakeover, type Finding, type FindingId, type Severity } from '../rules/index.js';
import { appliedText } from './applied.js';
import { effectsIn, effectsText, shortEffectText } from './effects.js';
import type { ConfigCheck, ProposalsReview, Review } from './result.js';

/** The verdicts on an update or a config, the worst first. */
export const VERDICTS = ['refused', 'dangerous', 'unsigned', 'warning', 'harmless', 'applied'] as const;

/**
 * refused: orderers refuse it. dangerous: they accept it, although it is harmful. unsigned: signatures are missing. warning: it costs
 * something, or something about it is wrong. harmless: nothing is found; nobody loses anything that the sentence does not name. applied: the
 * channel has it already.
 */
export type Verdict = (typeof VERDICTS)[number];

/** The order of several proposals: those that must not be signed, then those that need something, then those that nobody can submit. */
export const PROPOSALS_ORDER: readonly Verdict[] = [
  'dangerous',
  'unsigned',
  'warning',
  'harmless',
  'applied',
  'refused',
];

const NO_IDS: ReadonlySet<string> = new Set();

/**
 * The findings that count: a finding that follows from another one counts only if that one is allowed.
 *
 * @param allowed ids of known dangers
 */
export const countingFindings = (
  { findings }: Pick<Review, 'findings'>,
  allowed: ReadonlySet<string> = NO_IDS,
): readonly Finding[] =>
  findings.filter(({ explainedBy }) => explainedBy === undefined || allowed.has(explainedBy));

const RESULT = is.named('a result of review or checkConfig', is.record({ findings: is.list(is.record({})) }));

/**
 * The verdict: the worst finding decides.
 *
 * @param allowed ids of known dangers, which do not count. A danger always counts if it is unknown whether orderers accept the update.
 */
export function verdictOf(
  result: Pick<Review, 'findings'> & Partial<Pick<Review, 'appliedIn'>>,
  allowed: ReadonlySet<string> = NO_IDS,
): Verdict {
  requireTypes({ result, allowed }, { result: RESULT, allowed: is.set });
  if (result.appliedIn !== undefined && result.appliedIn !== null) return 'applied';
  const findings = countingFindings(result, allowed);
  const has = (wanted: Severity): boolean => findings.some(({ severity }) => severity === wanted);
  if (has('refused')) return 'refused';
  if (findings.some((each) => isDangerous(each, allowed))) return 'dangerous';
  if (has('unsigned')) return 'unsigned';
  return has('warning') || has('danger') ? 'warning' : 'harmless';
}

const isDangerous = ({ severity, id }: Finding, allowed: ReadonlySet<string>): boolean =>
  severity === 'danger' && !(allowed.has(id) && canBeAllowed(id));

/** The words for a verdict on an update, for headings. */
export const VERDICT_TITLES: Readonly<Record<Verdict, string>> = {
  refused: 'refused: orderers would refuse it',
  dangerous: 'dangerous: orderers would accept it',
  unsigned: 'unsigned: signatures are missing',
  warning: 'warning: orderers would accept it',
  harmless: 'harmless: orderers would accept it',
  applied: 'applied: the channel has it already',
};

/**
 * The first word of a headline: the verdict; `takeover` for a danger that gives others a part of the channel. Missing signatures are no word:
 * the words tell what the update does once it has them.
 */
type HeadlineWord = Exclude<Verdict, 'unsigned'> | 'takeover';

/** The parts of a review or a check that its verdict is made of. */
type VerdictInput =
  | (Pick<Review, 'elements' | 'findings' | 'policies' | 'unknown' | 'acceptedIf'> &
      Partial<Pick<Review, 'appliedIn' | 'steps'>>)
  | (Pick<ConfigCheck, 'findings'> & {
      readonly elements?: never;
      readonly policies?: never;
      readonly unknown?: never;
      readonly acceptedIf?: never;
      readonly appliedIn?: never;
      readonly steps?: never;
    });

/** A review or a check in short: each part is without a period, and may be empty. */
export interface Headline {
  readonly verdict: Verdict;
  readonly word: HeadlineWord;
  /** What the update does: `adds organisation Org3`. Empty for one that orderers refuse. */
  readonly does: string;
  /** The same in at most 11 words: `adds organisation Org3 and 2 more changes`. */
  readonly shortly: string;
  /** The finding that matters most: `Org1 decides alone about the group Application`. */
  readonly matters: string;
  /** The other findings with their severities, whether orderers accept it or whose signatures are missing, and what is not checked. */
  readonly rest: readonly string[];
}

/** @param allowed as of `verdictOf` */
export function headlineOf(result: VerdictInput, allowed: ReadonlySet<string> = NO_IDS): Headline {
  requireTypes({ result, allowed }, { result: RESULT, allowed: is.set });
  const { elements = [], appliedIn } = result;
  const verdict = verdictOf(result, allowed);
  if (appliedIn !== undefined && appliedIn !== null)
    return { verdict, word: 'applied', does: '', shortly: '', matters: appliedText(appliedIn), rest: [] };
  const findings = countingFindings(result, allowed);
  const [stated] = decidingFindings(findings, allowed);
  const word = wordOf(verdict, stated);
  const isGrave = verdict === 'refused' || verdict === 'dangerous';
  const [allowedDangers, others] = separate(
    groupFindings(findings.filter((each) => each !== stated)),
    ([first]) => first.severity === 'danger' && !isDangerous(first, allowed),
  );
  const more = moreText(others.filter((same) => stated === undefined || !same.includes(stated)));
  const dangers = countOf(allowedDangers.length, 'allowed danger');
  const effects =
    word === 'refused'
      ? []
      : effectsIn(elements, frozenBy(result.findings), pathsOf(result.findings, stated));
  const told = {
    verdict,
    word,
    does: effectsText(effects),
    shortly: shortEffectText(effects),
    matters: stated === undefined ? '' : (stated.short ?? stated.text),
    rest: [...more, ...dangers],
  };
  if (isGrave) return told;
  const leftBeside = (rest: readonly string[]): number =>
    LONGEST_HEADLINE - sentence({ ...told, rest }).length - '; '.length;
  const [shortest = ''] = notChecked(unknownIn(result), 0);
  const state = stateText(result, verdict, leftBeside([...told.rest, shortest]));
  const rest = [...more, state, ...dangers];
  return { ...told, rest: [...rest, ...notChecked(unknownIn(result), leftBeside(rest))] };
}

/** The paths of elements that nobody can change any more, because of their mod_policy. */
const frozenBy = (findings: readonly Finding[]): ReadonlySet<string> =>
  new Set(
    findings.flatMap(({ id, path }) =>
      id === 'mod-policy-frozen' || id === 'mod-policy-missing' ? [path] : [],
    ),
  );

/** The path of a finding, then those of the findings that follow from it. */
const pathsOf = (findings: readonly Finding[], stated: Finding | undefined): readonly string[] =>
  stated === undefined
    ? []
    : [stated, ...findings.filter(({ explainedBy }) => explainedBy === stated.id)].map(({ path }) => path);

const wordOf = (verdict: Verdict, stated: Finding | undefined): HeadlineWord => {
  if (stated?.id === 'policy-weakened' && isTakeover(stated.data)) return 'takeover';
  if (verdict !== 'unsigned') return verdict;
  return stated === undefined ? 'harmless' : 'warning';
};

/** The maximum length of a headline without long names, in characters. */
const LONGEST_HEADLINE = 300;

/**
 * A review or a check in one sentence without a period: the verdict in a word, what the update does, then what matters most. It has the word
 * `harmless` only if nothing is found.
 *
 * @param allowed as of `verdictOf`
 */
export const summaryOf = (result: VerdictInput, allowed: ReadonlySet<string> = NO_IDS): string =>
  sentence(headlineOf(result, allowed));

const sentence = ({ word, does, matters, rest }: Headline): string =>
  `${word}: ${[does, matters, ...rest].filter((part) => part !== '').join('; ')}`;

/** Groups of equal findings about several elements, in the order of their first findings. No group is empty. */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  return [...groupBy(findings, ({ severity, id, text }) => `${severity} ${id} ${text}`).values()];
}

/** Equal findings about several elements. */
export type FindingGroup = readonly [Finding, ...Finding[]];

/** The items for which something is true, and the others. */
export function separate<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** `3 more findings (1 refused, 1 dangerous)`; `2 more warnings` if all are warnings. Missing signatures are told otherwise. */
function moreText(groups: readonly FindingGroup[]): readonly string[] {
  const count = (severity: Severity): number =>
    groups.filter(([first]) => first.severity === severity).length;
  const [refused, dangerous, warnings] = [count('refused'), count('danger'), count('warning')];
  if (refused + dangerous === 0) return countOf(warnings, 'more warning');
  const grave = [
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(dangerous === 0 ? [] : [`${dangerous} dangerous`]),
  ];
  return countOf(refused + dangerous + warnings, 'more finding', ` (${grave.join(', ')})`);
}

/** The facts that cannot be known, without the consenters that must be alive: the state has them. */
const unknownIn = ({ unknown = [], acceptedIf }: VerdictInput): readonly string[] =>
  acceptedIf === undefined || acceptedIf === null
    ? unknown
    : unknown.filter((each) => !each.startsWith(`whether all ${acceptedIf.of} consenters are alive`));

/** The number of facts that are named. */
const FACTS_NAMED = 2;

/** `not checked: whether all 3 consenters are alive, whether block 7 is the newest of the channel`. @param left the length that is left */
function notChecked(unknown: readonly string[], left: number): readonly string[] {
  if (unknown.length === 0) return [];
  const names = unknown.map((each) => each.replace(/: .*/s, ''));
  const named = [FACTS_NAMED, 1].map((count) =>
    ['not checked: ' + names.slice(0, count).join(', '), ...countOf(names.length - count, 'other fact')].join(
      ', and ',
    ),
  );
  const text = named.find(({ length }) => length <= left);
  return text === undefined ? countOf(unknown.length, 'fact', ' not checked') : [text];
}

/** What matters most to users: who decides, then who loses or gains something, then which consenters may fail. */
const FIRST: readonly FindingId[] = [
  'mod-policy-open',
  'policy-weakened',
  'mod-policy-frozen',
  'mod-policy-missing',
  'policy-unsatisfiable',
  'policy-always-satisfied',
  'acl-policy-open',
  'sole-control-gained',
  'veto-lost',
  'sole-control-lost',
  'consenters-changed',
  'orderer-addresses-none',
  'orderer-addresses-replaced',
  'block-signers-added',
  'service-lost',
  'consenter-must-restart',
  'consenter-must-join',
  'consenter-moved',
  'consenter-removed',
];

/**
 * A policy Admins decides about elements: who satisfies it matters as much as who satisfies their mod_policy. A policy of an organisation
 * that nobody satisfies matters only to it.
 */
function rankOf({ id, path }: Finding): number {
  const isOfAdmins = lastName(path) === 'Admins';
  if (id === 'policy-always-satisfied' && isOfAdmins) return FIRST.indexOf('mod-policy-open');
  if (id === 'policy-unsatisfiable' && !PARTS.includes(parentPath(path))) return FIRST.length;
  if (id === 'policy-unsatisfiable' && isOfAdmins) return FIRST.indexOf('mod-policy-frozen');
  const at = FIRST.indexOf(id);
  return at === -1 ? FIRST.length : at;
}

/** The finding that a headline states: the most important one of those that decide about the verdict; undefined if there is none. */
export const statedFinding = (
  result: Pick<VerdictInput, 'findings'>,
  allowed: ReadonlySet<string> = NO_IDS,
): Finding | undefined => decidingFindings(countingFindings(result, allowed), allowed)[0];

/** The refusals; else the dangers that are not allowed, else the warnings, the most important one first. */
function decidingFindings(findings: readonly Finding[], allowed: ReadonlySet<string>): readonly Finding[] {
  const refusals = findings.filter(({ severity }) => severity === 'refused');
  if (refusals.length > 0) return refusals;
  const dangers = findings.filter((each) => isDangerous(each, allowed));
  const told = dangers.length > 0 ? dangers : findings.filter(({ severity }) => severity === 'warning');
  return told.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The maximum length of the signers in a headline, in characters. */
const LONGEST_SIGNERS = 100;

/** Whose signatures are missing, or else for how many policies. @param left the length that is left */
function missingText({ policies = [], steps = [] }: VerdictInput, left: number): string {
  const open = policies.filter(({ satisfied }) => !satisfied).length;
  if (open === 0) return 'it has all signatures, submit it';
  const who = steps.find((each) => each.do === 'sign')?.who;
  const named = `signatures missing: ${who}`;
  return who === undefined || who.length > LONGEST_SIGNERS || named.length > left
    ? `signatures are missing${open === 1 ? '' : ` for ${open} policies`}`
    : named;
}

/** Whether orderers accept it, or what is missing. @param left the length that is left */
function stateText(result: VerdictInput, verdict: Verdict, left: number): string {
  const { acceptedIf } = result;
  if (verdict === 'unsigned') return missingText(result, left);
  const accepted = `orderers would ${result.policies === undefined ? 'load' : 'accept'} it`;
  if (acceptedIf === undefined || acceptedIf === null) return accepted;
  const { alive, of } = acceptedIf;
  return `${accepted} if ${alive === of ? `all ${of}` : `at least ${alive} of ${of}`} consenters are alive`;
}

const countOf = (count: number, noun: string, end = ''): readonly string[] =>
  count <= 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}${end}`];

/** Adds the verdict, as a word and as a sentence, for JSON. @param allowed as of `verdictOf` */
export function withVerdict(result: VerdictInput | ProposalsReview, allowed?: ReadonlySet<string>): object {
  if (!('proposals' in result))
    return { verdict: verdictOf(result, allowed), summary: summaryOf(result, allowed), ...result };
  const proposals = result.proposals.map(({ files, review }) => ({
    files,
    review: withVerdict(review, allowed),
  }));
  return { ...result, proposals };
}
