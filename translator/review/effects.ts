// What an update changes, in few words, for its verdict in a sentence.

import { groupBy } from '../../core/common/group-by.js';
import {
  changeText,
  durationText,
  elementWords,
  groupWords,
  MOVED_FROM,
  onOneLine,
  shortPath,
  sizeText,
  type ChangedEntry,
  type ValueChange,
} from '../documents/index.js';
import type { ReviewedElement } from './result.js';

/** An effect in words. */
export interface Effect {
  readonly text: string;
  /** Its element, in words: `the group Application`. */
  readonly element: string;
  /** The name of an element of an organisation, and its organisation: `MSP` of `Org1`. */
  readonly part?: readonly [name: string, organization: string];
  /** What it has in common with others, before and after their number: `removes`, `endpoints of Org1`. */
  readonly of?: readonly [verb: string, what: string];
}

/** The maximum length of an effect with a long name, in characters. */
const LONGEST = 120;

/** The number of effects that are named. */
const NAMED = 2;

/** The maximum number of words of a short text. */
const WORDS = 11;

/**
 * The effects of an update on a channel.
 *
 * @param frozen the paths of elements that nobody can change after the update
 * @param first the paths whose changes come first
 */
export function effectsIn(
  elements: readonly ReviewedElement[],
  frozen: ReadonlySet<string> = new Set(),
  first: readonly string[] = [],
): readonly Effect[] {
  const context = { isFrozen: (path: string) => frozen.has(path), hasTwin: isTwice(elements) };
  return elements
    .map(withoutMembers(elements))
    .filter(isOwn(elements))
    .filter(isChoice(elements))
    .filter(isNotMoved(elements))
    .toSorted((one, other) => placeIn(first, one) - placeIn(first, other))
    .flatMap((reviewed) =>
      effectsOf(reviewed, context).map((each) => ({
        ...each,
        element: onOneLine(elementWords({ kind: reviewed.kind, path: reviewed.element })),
        ...partOf(reviewed),
      })),
    );
}

/** For example `10 → 50 messages a block, 500 ms → 1 s`; empty if nothing changes. */
export function effectsText(effects: readonly Effect[]): string {
  const shown = alike(effects).slice(0, NAMED);
  return withRest(shown.map(groupText).join(', '), effects.length - shown.flat().length);
}

/** The first effect in at most {@link WORDS} words, and the number of the others; empty if nothing changes. */
export function shortEffectText(effects: readonly Effect[]): string {
  const [same] = alike(effects);
  if (same === undefined) return '';
  const part = same[0]!.part?.[0];
  const ofPart = effects.filter((each) => part !== undefined && each.part?.[0] === part);
  const owners = new Set(ofPart.map((each) => each.part?.[1]));
  if (owners.size > NAMED)
    return withRest(`changes ${part} of ${owners.size} organisations`, effects.length - ofPart.length);
  const rest = effects.length - same.length;
  const isShort = (text: string): boolean => text.split(' ').length <= WORDS;
  const texts = [groupText(same), `changes ${same[0]!.element}`].map((text) => withRest(text, rest));
  const { length } = effects;
  return texts.find(isShort) ?? `makes ${length} change${length === 1 ? '' : 's'}`;
}

/** The part of an organisation that an element is: `/Channel/Application/Org1/MSP`. */
function partOf({ element, kind }: ReviewedElement): Pick<Effect, 'part'> {
  const [, , , organization, name, ...more] = element.split('/');
  return kind === 'group' || organization === undefined || name === undefined || more.length > 0
    ? {}
    : { part: [onOneLine(name), organization] };
}

const alike = (effects: readonly Effect[]): readonly (readonly Effect[])[] => [
  ...groupBy(effects, ({ of, text }) => of?.join(' ') ?? text).values(),
];

const withRest = (text: string, rest: number): string =>
  rest <= 0 ? text : `${text} and ${rest} more change${rest === 1 ? '' : 's'}`;

function groupText(same: readonly Effect[]): string {
  const [{ text, of }] = same as readonly [Effect];
  if (same.length > 1 && of !== undefined) return `${of[0]} ${same.length} ${of[1]}`;
  // A name may have 249 characters.
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The place of the first path that is in an element; behind all paths if none is. */
function placeIn(paths: readonly string[], { element }: ReviewedElement): number {
  const at = paths.findIndex((path) => `${path}/`.startsWith(`${element}/`));
  return at === -1 ? paths.length : at;
}

/** What the effects of an element depend on besides it. */
interface Context {
  /** Whether nobody can change the element at a path after the update. */
  readonly isFrozen: (path: string) => boolean;
  /** Whether the organisation at a path has another one of its name in another section. */
  readonly hasTwin: (path: string) => boolean;
}

/** Whether an element is not a part of another new or removed element. */
function isOwn(elements: readonly ReviewedElement[]): (element: ReviewedElement) => boolean {
  const whole = new Set(
    elements.flatMap(({ element, kind, change }) =>
      kind === 'group' && change !== 'modified' ? [element] : [],
    ),
  );
  return ({ element }) => !whole.has(parentOf(element));
}

/** A modified group without its members, which have effects of their own: only its mod_policy is left. */
function withoutMembers(elements: readonly ReviewedElement[]): (element: ReviewedElement) => ReviewedElement {
  const parents = new Set(elements.map(({ element }) => parentOf(element)));
  return (each) =>
    each.kind === 'group' && each.change === 'modified' && parents.has(each.element)
      ? { ...each, data: each.data.filter(isOfModPolicy) }
      : each;
}

const isOfModPolicy = ({ label }: ValueChange): boolean => label === 'mod_policy';

/** Whether an element does not follow from another one: BlockValidation of a BFT channel follows from its consenters. */
function isChoice(elements: readonly ReviewedElement[]): (element: ReviewedElement) => boolean {
  const hasConsenters = elements.some(({ element }) => element === '/Channel/Orderer/Orderers');
  return ({ element }) => !hasConsenters || element !== '/Channel/Orderer/BlockValidation';
}

/** Whether an element is not a removed organisation that moves to another section. */
function isNotMoved(elements: readonly ReviewedElement[]): (element: ReviewedElement) => boolean {
  const moved = new Set(elements.flatMap((each) => movedFrom(each) ?? []));
  return ({ element, change }) => change !== 'removed' || !moved.has(element);
}

/** The path that a new organisation had before. */
const movedFrom = ({ kind, change, data }: ReviewedElement): string | undefined =>
  kind === 'group' && change === 'new' ? data.find(({ label }) => label === MOVED_FROM)?.after : undefined;

/** Whether organisations of the same name in two sections come and go. */
function isTwice(elements: readonly ReviewedElement[]): (path: string) => boolean {
  const paths = elements.flatMap(({ element, kind, change }) =>
    kind === 'group' && change !== 'modified' ? [element] : [],
  );
  return (path) => paths.filter((each) => nameOf(each) === nameOf(path)).length > 1;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const DOES: Readonly<Record<ReviewedElement['change'], string>> = {
  new: 'adds',
  modified: 'changes',
  removed: 'removes',
};

function effectsOf(reviewed: ReviewedElement, context: Context): readonly Words[] {
  const { element, kind, change, data } = reviewed;
  const does = DOES[change];
  const moved = data.find(isOfModPolicy);
  if (change === 'modified' && moved !== undefined)
    return [
      { text: modPolicyText(reviewed, moved, context.isFrozen(element)) },
      ...effectsOf({ ...reviewed, data: data.filter((each) => each !== moved) }, context),
    ];
  if (kind === 'group') return groupEffects(reviewed, context.hasTwin(element));
  if (change !== 'modified' && !hasEntries(reviewed))
    return [{ text: onOneLine(`${does} the ${kind} ${shortPath(element)}`) }];
  if (kind === 'policy')
    return data.map((each) => ({
      text: shortened(
        `${onOneLine(shortPath(element))}: ${changeText({ ...each, ...each.rules })}`,
        reviewed,
      ),
    }));
  const words = VALUES.get(element.slice(element.lastIndexOf('/') + 1)) ?? otherWords;
  // Consenters and certificates before settings.
  const entriesFirst = data.toSorted((one, other) => Number(isSetting(one)) - Number(isSetting(other)));
  return entriesFirst.map((each) => {
    const { text, of } = words(each, reviewed);
    return { text: shortened(text, reviewed, each.label), ...(of !== undefined && { of }) };
  });
}

const isSetting = ({ entry }: ValueChange): boolean => entry === undefined;

/** `removes organisation Org2`, `moves organisation Org1 from the group Application to the group Orderer` */
function groupEffects(reviewed: ReviewedElement, hasTwin: boolean): readonly Words[] {
  const { element, change, data } = reviewed;
  if (change === 'modified' && data.length === 0) return [];
  const from = movedFrom(reviewed);
  const section = (path: string): string => elementWords({ kind: 'group', path: parentOf(path) });
  if (from !== undefined)
    return [
      {
        text: onOneLine(`moves organisation ${nameOf(element)} from ${section(from)} to ${section(element)}`),
      },
    ];
  const of = hasTwin && parentOf(element) === '/Channel/Application' ? 'application ' : '';
  return [{ text: onOneLine(`${DOES[change]} ${of}${wordsOf(reviewed)}`) }];
}

/**
 * `others may change the channel: Channel/Admins → Channel/Free`; `mod_policy of the channel: …` if nobody may, or if it is the same policy.
 */
function modPolicyText(
  reviewed: ReviewedElement,
  { before = '', after = '' }: ValueChange,
  isFrozen: boolean,
): string {
  const group = reviewed.kind === 'group' ? reviewed.element : parentOf(reviewed.element);
  const paths = [before, after].map((name) =>
    name === 'none' || name.startsWith('/') ? name : `${group}/${name}`,
  );
  const isSame = paths[0] === paths[1];
  const shown = isSame ? [before, after] : paths.map((path) => (path === 'none' ? path : shortPath(path)));
  const text = `${isFrozen || isSame ? 'mod_policy of' : 'others may change'} ${onOneLine(wordsOf(reviewed))}`;
  const policies = `: ${shown.map(onOneLine).join(' → ')}`;
  return policies.length > LONG ? text : text + policies;
}

/** The maximum length of an effect, in characters. */
const LONG = 90;

/** An effect, or only what changes if that is too long for a headline. */
const shortened = (text: string, { element }: ReviewedElement, label = ''): string =>
  text.length <= LONG
    ? text
    : `changes ${onOneLine([shortPath(element), label.replace(/:$/, '')].filter(Boolean).join(' '))}`;

const wordsOf = ({ kind, element: path, change }: ReviewedElement): string =>
  kind === 'group' && change !== 'modified' ? groupWords(path) : elementWords({ kind, path });

/** Whether an element is a new list, which is described by its entries: the first ACL is one. */
const hasEntries = ({ kind, change, data }: ReviewedElement): boolean =>
  kind === 'value' && change === 'new' && data.length > 0 && data.every((each) => each.change !== 'content');

type Words = Pick<Effect, 'text' | 'of'>;

type WordsOf = (change: ValueChange, element: ReviewedElement) => Words;

/** `MSP of Org1: NodeOUs off → on` */
const otherWords: WordsOf = (change, { element }) => ({
  text: `${onOneLine(shortPath(element))}: ${changeText(change)}`,
});

/** `Org1`, of `/Channel/Application/Org1/MSP` */
const ownerOf = ({ element }: ReviewedElement): string => onOneLine(element.split('/').at(-2) ?? '');

/** `adds` or `removes`; undefined for another change. */
const verbOf = ({ change }: ValueChange): string | undefined =>
  change === 'added' || change === 'removed' ? DOES[change === 'added' ? 'new' : 'removed'] : undefined;

/** `adds anchor peer p1:7051 of Org1` */
const listed =
  (noun: string): WordsOf =>
  (change, element) => {
    const verb = verbOf(change);
    return verb === undefined
      ? otherWords(change, element)
      : {
          text: `${verb} ${noun} ${change.label ?? ''} of ${ownerOf(element)}`,
          of: [verb, `${noun}s of ${ownerOf(element)}`],
        };
  };

/** A certificate of an MSP without its hash: `adds CA CN=ca.org1 of Org1`; `required OUs of Org1: none → peer`. */
const msp: WordsOf = (change, element) => {
  const { entry, label = '', rules } = change;
  const [verb, owner] = [verbOf(change) ?? 'changes', ownerOf(element)];
  const setting = `${label.replace(/:$/, '')} of ${owner}`;
  const text = `${setting}: ${rules?.before ?? change.before} → ${rules?.after ?? change.after}`;
  return entry === undefined
    ? {
        text: text.length <= LONG ? text : `changes ${setting}`,
        of: ['changes', `settings of the MSP of ${owner}`],
      }
    : { text: `${verb} ${entryText(entry)} of ${owner}`, of: [verb, `${entry.kind}s of ${owner}`] };
};

const entryText = ({ kind, name }: ChangedEntry): string => `${kind} ${name}`;

const capability: WordsOf = (change, element) => {
  const verb = verbOf(change);
  const group = elementWords({ kind: 'group', path: parentOf(element.element) });
  return verb === undefined
    ? otherWords(change, element)
    : { text: `${verb} capability ${change.label ?? ''} of ${group}` };
};

const BATCH: Readonly<Record<string, (before: string, after: string) => string>> = {
  maxMessageCount: (before, after) => `${before} → ${after} messages a block`,
  absoluteMaxBytes: (before, after) => `at most ${sizes(before, after)} a block`,
  preferredMaxBytes: (before, after) => `preferably ${sizes(before, after)} a block`,
};

const sizes = (before: string, after: string): string =>
  `${sizeText(Number(before))} → ${sizeText(Number(after))}`;

const batchSize: WordsOf = (change, element) => {
  const { label = '', before = '', after = '' } = change;
  return change.change === 'changed' && Object.hasOwn(BATCH, label)
    ? { text: BATCH[label]!(before, after) }
    : otherWords(change, element);
};

const batchTimeout: WordsOf = (change, element) =>
  change.change === 'changed'
    ? { text: `${durationText(change.before ?? '')} → ${durationText(change.after ?? '')}` }
    : otherWords(change, element);

/** A consenter, without its certificates. */
const consenters: WordsOf = (change) => {
  const { entry } = change;
  if (entry === undefined) return { text: changeText(change) };
  const certificates = ['changes', 'certificates of consenters'] as const;
  if (entry.kind === 'certificate') return { text: `changes the ${entry.name}`, of: certificates };
  if (change.change === 'replaced')
    return { text: `changes the TLS certificates of ${entryText(entry)}`, of: certificates };
  const verb = verbOf(change) ?? 'changes';
  return { text: `${verb} ${entryText(entry)}`, of: [verb, `${entry.kind}s`] };
};

/** The words of frequent values, by their names. */
const VALUES: ReadonlyMap<string, WordsOf> = new Map([
  ['BatchSize', batchSize],
  ['BatchTimeout', batchTimeout],
  ['Capabilities', capability],
  ['ConsensusType', consenters],
  ['Orderers', consenters],
  ['MSP', msp],
  ['AnchorPeers', listed('anchor peer')],
  ['Endpoints', listed('endpoint')],
  ['ACLs', (change) => ({ text: changeText(change) })],
]);
