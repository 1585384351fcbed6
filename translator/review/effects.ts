// What an update changes, in few words, for its verdict in a sentence.

import {
  changeText,
  durationText,
  elementWords,
  onOneLine,
  shortPath,
  sizeText,
  type ValueChange,
} from '../documents/index.js';
import type { ReviewedElement } from './result.js';

/** The number of effects that are named. */
const NAMED = 2;

/** For example `10 → 50 messages a block, 500 ms → 1 s`; empty if nothing changes. */
export function effectsText(elements: readonly ReviewedElement[]): string {
  const effects = elements.filter(isOwn(elements)).flatMap(effectsOf);
  const rest = effects.length - NAMED;
  const named = effects.slice(0, NAMED).join(', ');
  return rest <= 0 ? named : `${named} and ${rest} more change${rest === 1 ? '' : 's'}`;
}

/** Whether an element is not a part of another new or removed element, and has effects besides its members. */
function isOwn(elements: readonly ReviewedElement[]): (element: ReviewedElement) => boolean {
  const whole = new Set(
    elements.flatMap(({ element, kind, change }) =>
      kind === 'group' && change !== 'modified' ? [element] : [],
    ),
  );
  const parents = new Set(elements.map(({ element }) => parentOf(element)));
  return ({ element, kind, change }) =>
    !whole.has(parentOf(element)) && !(kind === 'group' && change === 'modified' && parents.has(element));
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const DONE: Readonly<Record<ReviewedElement['change'], string>> = {
  new: 'added',
  modified: 'changed',
  removed: 'removed',
};

function effectsOf(reviewed: ReviewedElement): readonly string[] {
  const { element, kind, change, data } = reviewed;
  const done = DONE[change];
  if (kind === 'group')
    return [onOneLine(`${withoutArticle(elementWords({ kind, path: element }))} ${done}`)];
  if (change !== 'modified' && !hasEntries(reviewed))
    return [onOneLine(`${kind} ${shortPath(element)} ${done}`)];
  if (kind === 'policy')
    return data.map((each) => `${onOneLine(shortPath(element))}: ${withoutBranches(each)}`);
  const words = VALUES.get(element.slice(element.lastIndexOf('/') + 1)) ?? otherWords;
  return data.map((each) => words(each, reviewed));
}

/** Whether an element is a new list, which is described by its entries: the first ACL is one. */
const hasEntries = ({ kind, change, data }: ReviewedElement): boolean =>
  kind === 'value' && change === 'new' && data.length > 0 && data.every((each) => each.change !== 'content');

const withoutArticle = (words: string): string => words.replace(/^the /, '');

/** A policy without the list of its branches: `MAJORITY Admins → ANY Admins`. */
const withoutBranches = (change: ValueChange): string =>
  changeText(change).replaceAll(/ \(\d+ of [^()]*\)/g, '');

type Words = (change: ValueChange, element: ReviewedElement) => string;

/** `MSP of Org1: NodeOUs off → on` */
const otherWords: Words = (change, { element }) => `${onOneLine(shortPath(element))}: ${changeText(change)}`;

/** `Org1`, of `/Channel/Application/Org1/MSP` */
const ownerOf = ({ element }: ReviewedElement): string => onOneLine(element.split('/').at(-2) ?? '');

/** Of the entry of a list, or of a certificate, without what is in brackets and follows. */
const listed =
  (what: string): Words =>
  (change, element) => {
    const { label = '' } = change;
    const name = `${what}${label.replace(/ \(SHA-256 .*$/, '')}`;
    return change.change === 'added' || change.change === 'removed'
      ? `${name} of ${ownerOf(element)} ${change.change}`
      : otherWords(change, element);
  };

const capability: Words = (change, element) => {
  const { label = '' } = change;
  const group = elementWords({ kind: 'group', path: parentOf(element.element) });
  return change.change === 'added' || change.change === 'removed'
    ? `capability ${label} of ${group} ${change.change}`
    : otherWords(change, element);
};

const BATCH: Readonly<Record<string, (before: string, after: string) => string>> = {
  maxMessageCount: (before, after) => `${before} → ${after} messages a block`,
  absoluteMaxBytes: (before, after) => `at most ${sizes(before, after)} a block`,
  preferredMaxBytes: (before, after) => `preferably ${sizes(before, after)} a block`,
};

const sizes = (before: string, after: string): string =>
  `${sizeText(Number(before))} → ${sizeText(Number(after))}`;

const batchSize: Words = (change, element) => {
  const { label = '', before = '', after = '' } = change;
  return change.change === 'changed' && Object.hasOwn(BATCH, label)
    ? BATCH[label]!(before, after)
    : otherWords(change, element);
};

const batchTimeout: Words = (change, element) =>
  change.change === 'changed'
    ? `${durationText(change.before ?? '')} → ${durationText(change.after ?? '')}`
    : otherWords(change, element);

/** A consenter, without its certificates. */
const consensus: Words = ({ change, label = '', before = '', after = '' }) => {
  if (!label.startsWith('consenter ')) return changeText({ change, label, before, after });
  if (change === 'added' || change === 'removed') return `${label} ${change}`;
  return change === 'replaced'
    ? `${label} gets another certificate`
    : changeText({ change, label, before, after });
};

/** The words of frequent values, by their names. */
const VALUES: ReadonlyMap<string, Words> = new Map([
  ['BatchSize', batchSize],
  ['BatchTimeout', batchTimeout],
  ['Capabilities', capability],
  ['ConsensusType', consensus],
  ['MSP', listed('')],
  ['AnchorPeers', listed('anchor peer ')],
  ['Endpoints', listed('endpoint ')],
  ['ACLs', changeText],
]);
