// The verdict on a review or a check: a word, and a sentence.

import { lastName, parentPath } from '../channel/index.js';
import { PARTS } from '../control/index.js';
import { canBeAllowed, type Finding, type FindingId, type Severity } from '../rules/index.js';
import { appliedText } from './applied.js';
import { effectsText } from './effects.js';
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

/**
 * The verdict: the worst finding decides.
 *
 * @param allowed ids of known dangers, which do not count. A danger always counts if it is unknown whether orderers accept the update.
 */
export function verdictOf(
  result: Pick<Review, 'findings'> & Partial<Pick<Review, 'appliedIn'>>,
  allowed: ReadonlySet<string> = NO_IDS,
): Verdict {
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
  refused: 'orderers would refuse it',
  dangerous: 'dangerous',
  unsigned: 'signatures are missing',
  warning: 'orderers would accept it, with warnings',
  harmless: 'harmless: orderers would accept it',
  applied: 'the channel has it already',
};

/** The parts of a review or a check that its verdict is made of. */
export type Judged =
  | (Pick<Review, 'elements' | 'findings' | 'policies' | 'unknown' | 'acceptedIf'> &
      Partial<Pick<Review, 'appliedIn'>>)
  | (Pick<ConfigCheck, 'findings'> & {
      readonly elements?: never;
      readonly policies?: never;
      readonly unknown?: never;
      readonly acceptedIf?: never;
      readonly appliedIn?: never;
    });

/** A review or a check in short: each part is without a period, and may be empty. */
export interface Headline {
  readonly verdict: Verdict;
  /** What the update does: `adds organisation Org3`. */
  readonly does: string;
  /** The finding that matters most: `Org1 decides alone about the application`. */
  readonly matters: string;
  /** The other findings, whether orderers accept it, and what cannot be known. */
  readonly rest: readonly string[];
}

/** @param allowed as of `verdictOf` */
export function headlineOf(result: Judged, allowed: ReadonlySet<string> = NO_IDS): Headline {
  const { elements = [], unknown = [], appliedIn } = result;
  const verdict = verdictOf(result, allowed);
  if (appliedIn !== undefined && appliedIn !== null)
    return { verdict, does: '', matters: appliedText(appliedIn), rest: [] };
  const findings = countingFindings(result, allowed);
  const deciding = decidingFindings(findings, allowed);
  const [stated] = deciding;
  const isGrave = verdict === 'refused' || verdict === 'dangerous';
  const allowedDangers = isGrave ? [] : findings.filter(({ severity }) => severity === 'danger');
  return {
    verdict,
    does: verdict === 'refused' ? '' : effectsText(elements),
    matters: stated === undefined ? '' : (stated.short ?? stated.text),
    rest: [
      ...(stated === undefined
        ? []
        : countOf(deciding.length - 1, isGrave ? 'more finding' : 'more warning')),
      ...(isGrave ? [] : [stateText(result, verdict)]),
      ...countOf(allowedDangers.length, 'allowed danger'),
      ...(isGrave ? [] : countOf(unknown.length, 'thing', ' cannot be known')),
    ],
  };
}

/**
 * A review or a check in one sentence without a period: what the update does, then what matters most. It has the word `harmless` only if
 * nothing is found.
 *
 * @param allowed as of `verdictOf`
 */
export function summaryOf(result: Judged, allowed: ReadonlySet<string> = NO_IDS): string {
  const { verdict, does, matters, rest } = headlineOf(result, allowed);
  if (verdict === 'harmless' || (verdict === 'unsigned' && matters === ''))
    return `harmless: ${joined([does, ...rest])}`;
  if (verdict !== 'refused' && verdict !== 'dangerous') return joined([does, matters, ...rest]);
  const word =
    verdict === 'dangerous' ? VERDICT_TITLES.dangerous : `orderers would ${verbOf(result, 'refuse')} it`;
  // A takeover is what the update does.
  return matters.startsWith('takeover: ')
    ? joined([matters, ...rest])
    : joined([does, `${word}: ${matters}`, ...rest]);
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('; ');

/** What matters most in people's eyes: who decides, then who loses or gains something, then which consenters may fail. */
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
  result: Pick<Judged, 'findings'>,
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

/** `accept` an update, `load` a config; `refuse` an update, `refuse to load` a config. */
const verbOf = ({ policies }: Judged, verb: 'accept' | 'refuse'): string =>
  policies !== undefined ? verb : verb === 'accept' ? 'load' : 'refuse to load';

/** Whether orderers accept it, or what is missing. */
function stateText(result: Judged, verdict: Verdict): string {
  const { policies = [], acceptedIf } = result;
  if (verdict === 'unsigned')
    return policies.every(({ satisfied }) => satisfied)
      ? 'it has all signatures, submit it'
      : VERDICT_TITLES.unsigned;
  const accepted = `orderers would ${verbOf(result, 'accept')} it`;
  if (acceptedIf === undefined || acceptedIf === null) return accepted;
  const { alive, of } = acceptedIf;
  return `${accepted} if ${alive === of ? `all ${of}` : `at least ${alive} of ${of}`} consenters are alive`;
}

const countOf = (count: number, noun: string, end = ''): readonly string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}${end}`];

/** Adds the verdict, as a word and as a sentence, for JSON. @param allowed as of `verdictOf` */
export function withVerdict(result: Judged | ProposalsReview, allowed?: ReadonlySet<string>): object {
  if (!('proposals' in result))
    return { verdict: verdictOf(result, allowed), summary: summaryOf(result, allowed), ...result };
  const proposals = result.proposals.map(({ files, review }) => ({
    files,
    review: withVerdict(review, allowed),
  }));
  return { ...result, proposals };
}
