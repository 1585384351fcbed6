// Reviews and checks for people: on a terminal, and on a page of a pull request.

import { onOneLine } from '../../core/common/text/one-line.js';
import { majorityLines } from './majorities.js';
import { PLAIN, type Format, type Style } from './text.js';
import { table } from '../../core/common/text/table.js';
import type { Finding, Severity } from './findings/index.js';
import type {
  ConfigCheck,
  Conflict,
  ProposalsReview,
  Review,
  ReviewedElement,
  ReviewedPolicy,
  ReviewedSignature,
} from './review.js';

/** How many lines of each kind are shown. */
const SHOWN = 100;
/** How many elements of one finding are named. */
const PATHS_SHOWN = 3;
/** How wide a column of the policies is at most. */
const MAX_WIDTH = 60;
const INDENT = '  ';

const FORMATS: Readonly<Record<Severity, Format>> = {
  refused: 'red',
  unsigned: 'yellow',
  danger: 'red',
  warning: 'yellow',
};

/** The text of a review, with a newline at its end. */
export function reviewText(review: Review, style: Style = PLAIN): string {
  const { elements, policies, signatures, majorities, findings, next, unknown } = review;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['changes', changeLines(elements, findings)],
    ['must sign', policies.length === 0 ? [] : limited(table(policies.map(policyRow), '', MAX_WIDTH))],
    ['majorities', limited(majorityLines(majorities))],
    ['signatures', [...limited(signatures.map(signatureLine)), submitterLine(review)]],
    ['findings', findings.length === 0 ? ['none'] : findingLines(findings, style)],
    ['cannot be known', unknown.map(onOneLine)],
    ['fingerprint', [review.fingerprint]],
    ['next', [next.join('; ')]],
  ];
  const lines = sections.flatMap(([title, all]) =>
    all.length === 0 ? [] : [style('bold', title), ...all.map((line) => INDENT + line)],
  );
  return `${[style('bold', headline(review)), ...lines].join('\n')}\n`;
}

/** The text of a check of one config, with a newline at its end. */
export function checkText({ channel, block, findings }: ConfigCheck, style: Style = PLAIN): string {
  const isRefused = findings.some(({ severity }) => severity === 'refused');
  const title = [
    ...(channel === null ? [] : [`channel ${onOneLine(channel)}`]),
    ...(block === null ? [] : [`block ${block}`]),
  ].join(', ');
  const known = isJudged(findings) ? 'orderers would load it' : 'whether orderers would load it is unknown';
  const verdict = isRefused ? 'orderers would refuse to load it' : known;
  const lines = findings.length === 0 ? ['none'] : findingLines(findings, style);
  return `${[
    style('bold', `${title === '' ? 'config' : title}; ${verdict}`),
    style('bold', 'findings'),
    ...lines.map((line) => INDENT + line),
  ].join('\n')}\n`;
}

/** Whether all MSPs of the config could be judged. */
const isJudged = (findings: readonly Finding[]): boolean =>
  !findings.some(({ id }) => id === 'msp-not-judged');

function headline({ channel, block, fits, accepted, findings }: Review): string {
  const place = block === null ? '' : `, block ${block}`;
  const fit = fits ? 'the update fits' : 'the update was not computed from';
  const refused = findings.some(({ severity }) => severity === 'refused');
  const open = isJudged(findings) ? 'signatures are missing' : 'whether orderers would accept it is unknown';
  const verdict = refused ? 'orderers would refuse it' : open;
  return `channel ${onOneLine(channel)}${place}; ${fit} this ${block === null ? 'config' : 'block'}; ${accepted ? 'orderers would accept it' : verdict}`;
}

/** What the dangers are about comes first, and is always shown. */
function changeLines(elements: readonly ReviewedElement[], findings: readonly Finding[]): string[] {
  const paths = new Set(findings.filter(isGrave).map(({ path }) => path));
  const [grave, others] = separate(elements, ({ element }) => paths.has(element));
  return [...grave.map(changeLine), ...limited(others.map(changeLine))];
}

function changeLine({ element, words }: ReviewedElement): string {
  return `${onOneLine(element.replace(/^\/Channel\//, ''))}${INDENT}${words.map(onOneLine).join('; ')}`;
}

function policyRow({ policy, text, satisfied, have, need }: ReviewedPolicy): string[] {
  const state = satisfied ? 'satisfied' : 'not satisfied';
  return [onOneLine(policy), onOneLine(text), have === null ? state : `${have} of ${need}`];
}

function signatureLine({ mspid, subject, notAfter, problem, countsFor }: ReviewedSignature): string {
  const until = notAfter === null ? '' : `, valid until ${notAfter.slice(0, 10)}`;
  const counts =
    problem ?? (countsFor.length === 0 ? 'does not count here' : `counts for ${limitedList(countsFor)}`);
  return onOneLine(`${mspid === '' ? 'unknown' : mspid}${INDENT}${subject}${until}; ${counts}`);
}

function submitterLine({ submitter: { policy, signature, satisfied } }: Review): string {
  const who = signature === null ? 'none yet' : `${signature.mspid} ${signature.subject}`.trim();
  const may = satisfied ? `may submit (${policy})` : 'may not submit: see findings';
  return onOneLine(`submitter${INDENT}${who}; ${signature === null ? `must satisfy ${policy}` : may}`);
}

function limitedList(items: readonly string[]): string {
  const rest = items.length - PATHS_SHOWN;
  return rest <= 0 ? items.join(', ') : `${items.slice(0, PATHS_SHOWN).join(', ')} and ${rest} more`;
}

/** Equal findings about several elements together, in the order of the first of each. No group is empty. */
export function groupFindings(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.id} ${finding.text}`;
    const same = groups.get(key);
    if (same === undefined) groups.set(key, [finding]);
    else same.push(finding);
  }
  return [...groups.values()];
}

/** One line for each group of equal findings, with the orderer's text of the first. */
function findingLines(findings: readonly Finding[], style: Style): string[] {
  const [grave, others] = separate(groupFindings(findings), ([finding]) => isGrave(finding!));
  const texts = (list: readonly (readonly Finding[])[]): string[] =>
    list.map((same) => findingText(same, style));
  return [...texts(grave), ...limited(texts(others))];
}

const isGrave = ({ severity }: Finding): boolean => severity === 'refused' || severity === 'danger';

function separate<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function findingText(same: readonly Finding[], style: Style): string {
  const [{ severity, text, todo, orderer }] = same as readonly [Finding];
  const paths = [...new Set(same.map(({ path }) => path).filter((path) => path !== ''))];
  const place = paths.length === 0 ? '' : ` (${onOneLine(limitedList(paths))})`;
  const label = style(FORMATS[severity], severity.padEnd(9));
  const more = [
    ...(orderer === undefined ? [] : [`orderer: ${shortened(orderer)}`]),
    `to do: ${onOneLine(todo)}`,
  ];
  const indent = `\n${INDENT}${' '.repeat(10)}`;
  return `${label} ${onOneLine(text)}${place}${more.map((line) => indent + style('dim', line)).join('')}`;
}

const MAX_ORDERER_TEXT = 400;
const shortened = (text: string): string =>
  onOneLine(text.length > MAX_ORDERER_TEXT ? `${text.slice(0, MAX_ORDERER_TEXT)}…` : text);

function limited(lines: readonly string[]): string[] {
  const rest = lines.length - SHOWN;
  return rest <= 0 ? [...lines] : [...lines.slice(0, SHOWN), `and ${rest} more: --json has all`];
}

/** How many conflicts are shown, and how many elements of each. */
const CONFLICTS_SHOWN = 20;

/** The text of several reviews, with a newline at its end. */
export function proposalsText({ proposals, conflicts }: ProposalsReview, style: Style = PLAIN): string {
  const parts = proposals.map(
    ({ files, review }) => `${style('bold', files.map(onOneLine).join(', '))}\n${reviewText(review, style)}`,
  );
  if (conflicts.length > 0) {
    const more = conflicts.length - CONFLICTS_SHOWN;
    const lines = [
      ...conflicts.slice(0, CONFLICTS_SHOWN).map(conflictLine),
      ...(more > 0 ? [`and ${more} more`] : []),
    ];
    parts.push(`${[style('bold', 'conflicts'), ...lines.map((line) => INDENT + line)].join('\n')}\n`);
  }
  return parts.join('\n');
}

function conflictLine({ files: [one, other], elements }: Conflict): string {
  const more = elements.length - CONFLICTS_SHOWN;
  const names = [...elements.slice(0, CONFLICTS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  return onOneLine(
    `${one} and ${other} both change ${names}: once one is accepted, make the other again with configtxlator rebase`,
  );
}

/** A text in Markdown, as it is: nothing in it is markup. */
export function asMarkdown(title: string, text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `### ${title}\n\n${fence}text\n${text}${fence}\n`;
}
