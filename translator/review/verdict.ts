// The verdict on a review or a check: a word, and a sentence.

import type { Finding, Severity } from '../rules/index.js';
import type { ConfigCheck, ProposalsReview, Review } from './result.js';

/** The verdicts on an update or a config, the worst first. */
export const VERDICTS = ['refused', 'dangerous', 'unsigned', 'harmless'] as const;

/** refused: orderers refuse it. dangerous: they accept it, although it is harmful. unsigned: signatures are missing. harmless: none of these. */
export type Verdict = (typeof VERDICTS)[number];

const NO_IDS: ReadonlySet<string> = new Set();

/**
 * The verdict: the worst finding decides.
 *
 * @param allowed ids of known dangers, which do not count
 */
export function verdictOf(
  { findings }: Pick<Review, 'findings'>,
  allowed: ReadonlySet<string> = NO_IDS,
): Verdict {
  const has = (wanted: Severity): boolean => findings.some(({ severity }) => severity === wanted);
  if (has('refused')) return 'refused';
  if (findings.some(({ severity, id }) => severity === 'danger' && !allowed.has(id))) return 'dangerous';
  return has('unsigned') ? 'unsigned' : 'harmless';
}

/** The words for a verdict on an update, for headings. */
export const VERDICT_TITLES: Readonly<Record<Verdict, string>> = {
  refused: 'orderers would refuse it',
  dangerous: 'dangerous',
  unsigned: 'signatures are missing',
  harmless: 'harmless: orderers would accept it',
};

/** The parts of a review or a check that its summary is made of. */
export type Summarised =
  | Pick<Review, 'findings' | 'policies' | 'unknown'>
  | (Pick<ConfigCheck, 'findings'> & { readonly policies?: never; readonly unknown?: never });

/**
 * A review or a check in one sentence without a period. It has the word `harmless` if the verdict is not `refused` or `dangerous`, unless it is
 * unknown whether orderers would accept the update.
 *
 * @param allowed as of `verdictOf`
 */
export function summaryOf(result: Summarised, allowed: ReadonlySet<string> = NO_IDS): string {
  const { findings, unknown = [] } = result;
  const dangers = findings.filter(({ severity }) => severity === 'danger');
  const verdict = verdictOf(result, allowed);
  if (verdict === 'refused')
    return `${acceptText(result, 'refuse')}: ${firstText(findings.filter(({ severity }) => severity === 'refused'))}`;
  if (verdict === 'dangerous')
    return `${VERDICT_TITLES.dangerous}: ${firstText(dangers.filter(({ id }) => !allowed.has(id)))}`;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  return [
    openText(result, verdict),
    ...countOf(dangers.length, 'allowed danger', ''),
    ...countOf(warnings, 'warning', ''),
    ...countOf(unknown.length, 'thing', ' cannot be known'),
  ].join('; ');
}

const acceptText = ({ policies }: Summarised, verb: 'accept' | 'refuse'): string => {
  const load = verb === 'accept' ? 'load' : 'refuse to load';
  return `orderers would ${policies === undefined ? load : verb} it`;
};

/** Of an update or a config that is neither refused nor dangerous. */
function openText(result: Summarised, verdict: Verdict): string {
  const { findings, policies = [] } = result;
  if (findings.some(({ id }) => id === 'msp-not-judged'))
    return `it is unknown whether ${acceptText(result, 'accept')}`;
  if (verdict === 'harmless') return `harmless: ${acceptText(result, 'accept')}`;
  return policies.every(({ satisfied }) => satisfied)
    ? 'harmless: it has all signatures, submit it'
    : `harmless, but ${VERDICT_TITLES.unsigned}`;
}

/** The first finding, and the number of the others. */
const firstText = ([first, ...others]: readonly Finding[]): string =>
  [first!.text, ...countOf(others.length, 'more finding', '')].join('; ');

const countOf = (count: number, noun: string, end: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}${end}`];

/** Adds the verdict and the summary, for JSON. @param allowed as of `verdictOf` */
export function withVerdict(result: Summarised | ProposalsReview, allowed?: ReadonlySet<string>): object {
  if (!('proposals' in result))
    return { verdict: verdictOf(result, allowed), summary: summaryOf(result, allowed), ...result };
  const proposals = result.proposals.map(({ files, review }) => ({
    files,
    review: withVerdict(review, allowed),
  }));
  return { ...result, proposals };
}
