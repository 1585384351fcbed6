// The verdict on a review or a check: a word, and a sentence.

import { elementWords, lostVetoText } from '../documents/index.js';
import { PARTS } from '../state/index.js';
import { canBeAllowed, weakenedReason, type Finding, type Severity } from '../rules/index.js';
import { effectsText } from './effects.js';
import type { ConfigCheck, ProposalsReview, Review } from './result.js';

/** The verdicts on an update or a config, the worst first. */
export const VERDICTS = ['refused', 'dangerous', 'unsigned', 'harmless'] as const;

/** refused: orderers refuse it. dangerous: they accept it, although it is harmful. unsigned: signatures are missing. harmless: none of these. */
export type Verdict = (typeof VERDICTS)[number];

const NO_IDS: ReadonlySet<string> = new Set();

/**
 * The verdict: the worst finding decides.
 *
 * @param allowed ids of known dangers, which do not count. A danger always counts if it is unknown whether orderers accept the update.
 */
export function verdictOf(
  { findings }: Pick<Review, 'findings'>,
  allowed: ReadonlySet<string> = NO_IDS,
): Verdict {
  const has = (wanted: Severity): boolean => findings.some(({ severity }) => severity === wanted);
  if (has('refused')) return 'refused';
  if (findings.some((each) => isDangerous(each, allowed))) return 'dangerous';
  return has('unsigned') ? 'unsigned' : 'harmless';
}

const isDangerous = ({ severity, id }: Finding, allowed: ReadonlySet<string>): boolean =>
  severity === 'danger' && !(allowed.has(id) && canBeAllowed(id));

/** The words for a verdict on an update, for headings. */
export const VERDICT_TITLES: Readonly<Record<Verdict, string>> = {
  refused: 'orderers would refuse it',
  dangerous: 'dangerous',
  unsigned: 'signatures are missing',
  harmless: 'harmless: orderers would accept it',
};

/** The parts of a review or a check that its verdict is made of. */
export type Judged =
  | Pick<Review, 'elements' | 'findings' | 'lostVetoes' | 'policies' | 'unknown'>
  | (Pick<ConfigCheck, 'findings'> & {
      readonly elements?: never;
      readonly lostVetoes?: never;
      readonly policies?: never;
      readonly unknown?: never;
    });

/**
 * A review or a check in one sentence without a period. It has the changes if the verdict is not `refused` or `dangerous`, and then the word
 * `harmless`, unless organisations lose a veto.
 *
 * @param allowed as of `verdictOf`
 */
export function summaryOf(result: Judged, allowed: ReadonlySet<string> = NO_IDS): string {
  const { findings, unknown = [] } = result;
  const verdict = verdictOf(result, allowed);
  const [stated, ...others] = deciding(result, allowed);
  if (stated !== undefined) {
    const sentence =
      takeoverText(stated) ??
      `${verdict === 'refused' ? acceptText(result, 'refuse') : VERDICT_TITLES.dangerous}: ${stated.text}`;
    return [sentence, ...countOf(others.length, 'more finding', '')].join('; ');
  }
  const dangers = findings.filter(({ severity }) => severity === 'danger');
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  return [
    openText(result, verdict),
    ...countOf(dangers.length, 'allowed danger', ''),
    ...countOf(warnings, 'warning', ''),
    ...countOf(unknown.length, 'thing', ' cannot be known'),
  ].join('; ');
}

/** The findings that decide about the verdict `refused` or `dangerous`; empty for the others. */
function deciding({ findings }: Pick<Judged, 'findings'>, allowed: ReadonlySet<string>): readonly Finding[] {
  const refusals = findings.filter(({ severity }) => severity === 'refused');
  return refusals.length > 0 ? refusals : findings.filter((each) => isDangerous(each, allowed));
}

/** The finding that `summaryOf` states; undefined for an update or a config that is neither refused nor dangerous. */
export const statedFinding = (
  result: Pick<Judged, 'findings'>,
  allowed: ReadonlySet<string> = NO_IDS,
): Finding | undefined => deciding(result, allowed)[0];

/** The rest of a finding that `summaryOf` states: the reason of a takeover, otherwise empty. */
export const unstatedText = (stated: Finding): string =>
  stated.id === 'policy-weakened' && takeoverText(stated) !== undefined ? weakenedReason(stated.data) : '';

/**
 * A gain of control over a part of the channel: `takeover: Org1 or Org2 alone could change the application and its organisations`; undefined
 * for another finding.
 */
function takeoverText(finding: Finding): string | undefined {
  if (finding.id !== 'policy-weakened') return undefined;
  const { people, elements } = finding.data;
  const path = PARTS.find((part) => elements.includes(part));
  if (path === undefined) return undefined;
  const members = path === '/Channel' ? '' : ' and its organisations';
  return `takeover: ${people} alone could change ${elementWords({ kind: 'group', path })}${members}`;
}

const acceptText = ({ policies }: Judged, verb: 'accept' | 'refuse'): string => {
  const load = verb === 'accept' ? 'load' : 'refuse to load';
  return `orderers would ${policies === undefined ? load : verb} it`;
};

/** Of an update or a config that is neither refused nor dangerous. */
function openText(result: Judged, verdict: Verdict): string {
  const { policies = [], elements = [], lostVetoes = [] } = result;
  const effects = effectsText(elements);
  const words = effects === '' ? [] : [effects];
  const begin = lostVetoText(lostVetoes) ?? 'harmless';
  const isComplete = policies.every(({ satisfied }) => satisfied);
  if (verdict === 'harmless') return `${begin}: ${[...words, acceptText(result, 'accept')].join('; ')}`;
  if (isComplete) return `${begin}: ${[...words, 'it has all signatures, submit it'].join('; ')}`;
  return effects === ''
    ? `${begin}, but ${VERDICT_TITLES.unsigned}`
    : `${begin}: ${effects}; ${VERDICT_TITLES.unsigned}`;
}

const countOf = (count: number, noun: string, end: string): readonly string[] =>
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
