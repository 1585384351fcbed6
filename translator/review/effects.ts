// What an update changes, in few words, for its verdict in a sentence.

import {
  changeText,
  durationText,
  elementWords,
  groupWords,
  onOneLine,
  shortPath,
  sizeText,
  type ChangedEntry,
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
  if (kind === 'group') return [onOneLine(`${groupWords(element)} ${done}`)];
  if (change !== 'modified' && !hasEntries(reviewed))
    return [onOneLine(`${kind} ${shortPath(element)} ${done}`)];
  if (kind === 'policy')
    return data.map((each) => `${onOneLine(shortPath(element))}: ${changeText({ ...each, ...each.rules })}`);
  const words = VALUES.get(element.slice(element.lastIndexOf('/') + 1)) ?? otherWords;
  return data.map((each) => words(each, reviewed));
}

/** Whether an element is a new list, which is described by its entries: the first ACL is one. */
const hasEntries = ({ kind, change, data }: ReviewedElement): boolean =>
  kind === 'value' && change === 'new' && data.length > 0 && data.every((each) => each.change !== 'content');

type Words = (change: ValueChange, element: ReviewedElement) => string;

/** `MSP of Org1: NodeOUs off → on` */
const otherWords: Words = (change, { element }) => `${onOneLine(shortPath(element))}: ${changeText(change)}`;

/** `Org1`, of `/Channel/Application/Org1/MSP` */
const ownerOf = ({ element }: ReviewedElement): string => onOneLine(element.split('/').at(-2) ?? '');

/** `anchor peer p1:7051 of Org1 added` */
const listed =
  (noun: string): Words =>
  (change, element) => {
    const { label = '' } = change;
    return change.change === 'added' || change.change === 'removed'
      ? `${noun} ${label} of ${ownerOf(element)} ${change.change}`
      : otherWords(change, element);
  };

/** A certificate of an MSP without its hash: `CA CN=ca.org1 of Org1 added`. */
const msp: Words = (change, element) =>
  change.entry === undefined
    ? otherWords(change, element)
    : `${entryText(change.entry)} of ${ownerOf(element)} ${change.change}`;

const entryText = ({ kind, name }: ChangedEntry): string => `${kind} ${name}`;

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
const consenters: Words = (change) => {
  if (change.entry === undefined) return changeText(change);
  const done = change.change === 'replaced' ? 'gets another certificate' : change.change;
  return `${entryText(change.entry)} ${done}`;
};

/** The words of frequent values, by their names. */
const VALUES: ReadonlyMap<string, Words> = new Map([
  ['BatchSize', batchSize],
  ['BatchTimeout', batchTimeout],
  ['Capabilities', capability],
  ['ConsensusType', consenters],
  ['Orderers', consenters],
  ['MSP', msp],
  ['AnchorPeers', listed('anchor peer')],
  ['Endpoints', listed('endpoint')],
  ['ACLs', changeText],
]);
