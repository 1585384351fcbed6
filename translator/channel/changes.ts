// Traverses the elements of configs and config updates, and finds the elements that an update sets: Fabric's delta set.

import { sameBytes, NO_BYTES } from '../../proto/bytes.js';
import {
  ordered,
  type ConfigGroup,
  type ConfigPolicy,
  type ConfigUpdate,
  type ConfigValue,
  type GroupFields,
} from './element.js';
import type { GroupPath } from './names.js';

/** The kind of an element. */
export type ElementKind = 'group' | 'value' | 'policy';

/** An element of a config. */
export type Element = ConfigGroup | ConfigValue | ConfigPolicy;

/** An element of a config with its place. */
export interface Placed {
  readonly kind: ElementKind;
  /** Fabric's name of the element in its messages: `[Value]  /Channel/Orderer/BatchSize`. */
  readonly key: string;
  /** `/Channel/Orderer/BatchSize`, for messages only: a name may contain a slash, so elements are found by `names`. */
  readonly path: string;
  /** The names below the channel, including its own: `['Orderer', 'BatchSize']`; empty for the channel group. */
  readonly names: GroupPath;
  readonly element: Element;
}

/** An element that an update sets. */
export interface Change extends Placed {
  readonly change: 'new' | 'modified';
  /** The element of the config; its `mod_policy` decides who must sign. Undefined for a new element. */
  readonly before: Element | undefined;
  /** The element of the read set. */
  readonly read: Element | undefined;
}

const PREFIX: Readonly<Record<ElementKind, string>> = {
  group: '[Group]  ',
  value: '[Value]  ',
  policy: '[Policy] ',
};

/** Fabric's name of an element in its messages. */
export const keyOf = (kind: ElementKind, path: string): string => PREFIX[kind] + path;

/** An element of a tree, and the elements at its place in other trees. */
export interface Place<E> {
  readonly kind: ElementKind;
  /** As in {@link Placed}. */
  readonly key: string;
  readonly path: string;
  readonly names: GroupPath;
  readonly name: string;
  readonly element: E;
  /** The elements of the other trees, in their order; undefined for a tree without this element. */
  readonly others: readonly (E | undefined)[];
  /** The place of the group that contains it; undefined for the outermost one. */
  readonly parent: Place<E> | undefined;
}

type ElementOf<Group extends GroupFields> =
  | Group
  | (Group['values'] extends ReadonlyMap<string, infer Value> ? Value : never)
  | (Group['policies'] extends ReadonlyMap<string, infer Policy> ? Policy : never);

/**
 * The elements of a tree: each group before its values, policies and groups, each of these ordered by name. Not recursive, because input
 * may nest groups thousands of levels deep.
 *
 * @param others trees in which the same places are looked up
 * @param isEntered if false for an element, the element and everything in it are skipped
 */
export function* walk<Group extends GroupFields>(
  tree: Group | undefined,
  others: readonly (Group | undefined)[] = [],
  isEntered: (place: Place<ElementOf<Group>>) => boolean = () => true,
): Generator<Place<ElementOf<Group>>> {
  const waiting: Place<Group>[] =
    tree === undefined ? [] : [placeOf('group', undefined, 'Channel', tree, others)];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (!isEntered(place)) continue;
    yield place;
    const { element: group } = place;
    const membersOf = <E>(
      kind: ElementKind,
      select: (one: Group) => ReadonlyMap<string, unknown>,
    ): Place<E>[] =>
      [...ordered(select(group) as ReadonlyMap<string, E>)].map(([name, element]) =>
        placeOf(
          kind,
          place as unknown as Place<E>,
          name,
          element,
          place.others.map((other) => other && (select(other) as ReadonlyMap<string, E>).get(name)),
        ),
      );
    const members = [
      ...membersOf<ElementOf<Group>>('value', ({ values }) => values),
      ...membersOf<ElementOf<Group>>('policy', ({ policies }) => policies),
    ];
    for (const member of members) if (isEntered(member)) yield member;
    for (const nested of membersOf<Group>('group', ({ groups }) => groups).toReversed()) waiting.push(nested);
  }
}

function placeOf<E>(
  kind: ElementKind,
  parent: Place<E> | undefined,
  name: string,
  element: E,
  others: readonly (E | undefined)[],
): Place<E> {
  const path = `${parent?.path ?? ''}/${name}`;
  const names = parent === undefined ? [] : [...parent.names, name];
  return { kind, key: keyOf(kind, path), path, names, name, element, others, parent };
}

/**
 * The elements of the write set that the read set lacks or has at another version: Fabric's delta set. Fabric ignores the other elements,
 * even if their content differs.
 *
 * @param config the channel group of the config to be updated; without it, all elements are new
 */
export const changesOf = (
  { readSet, writeSet }: Pick<ConfigUpdate, 'readSet' | 'writeSet'>,
  config: ConfigGroup | undefined,
): Change[] => [...walk<ConfigGroup>(writeSet, [readSet, config])].flatMap((place) => changeAt(place) ?? []);

/** The change at a place of the write set, whose other trees are the read set and the config; undefined if Fabric ignores the element. */
export function changeAt({ kind, key, path, names, element, others }: Place<Element>): Change | undefined {
  const [read, before] = others;
  if (read?.version === element.version) return undefined;
  const change = before === undefined ? 'new' : 'modified';
  return { kind, key, path, names, element, read, before, change };
}

/** The members of a group that another version of it lacks: values, policies, groups. */
export function lostMembers(
  { path, names }: Pick<Placed, 'path' | 'names'>,
  before: ConfigGroup,
  after: ConfigGroup,
): Placed[] {
  const kinds = [
    ['value', before.values, after.values],
    ['policy', before.policies, after.policies],
    ['group', before.groups, after.groups],
  ] as const;
  return kinds.flatMap(([kind, old, now]) =>
    [...ordered<Element>(old)]
      .filter(([name]) => !now.has(name))
      .map(([name, element]) => {
        const place = `${path}/${name}`;
        return { kind, key: keyOf(kind, place), path: place, names: [...names, name], element };
      }),
  );
}

/**
 * Whether two elements have the same content: the bytes of values and policies, the names of the members of groups. Versions and
 * mod_policies are ignored.
 */
export function sameContent(kind: ElementKind, one: Element, other: Element): boolean {
  if (kind === 'value') return sameBytes((one as ConfigValue).value, (other as ConfigValue).value);
  if (kind === 'group') return sameMembers(one as ConfigGroup, other as ConfigGroup);
  const [left, right] = [(one as ConfigPolicy).policy, (other as ConfigPolicy).policy];
  return left?.type === right?.type && sameBytes(left?.value ?? NO_BYTES, right?.value ?? NO_BYTES);
}

function sameMembers(left: ConfigGroup, right: ConfigGroup): boolean {
  const pairs = [
    [left.groups, right.groups],
    [left.values, right.values],
    [left.policies, right.policies],
  ] as const;
  return pairs.every(
    ([one, other]) => one.size === other.size && [...one.keys()].every((name) => other.has(name)),
  );
}
