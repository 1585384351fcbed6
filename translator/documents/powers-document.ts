// The documents about the powers on a channel: the services that actors can use, and the elements that they can change.

import { is, requireTypes } from '../../proto/arguments.js';
import { keyOf, parentPath } from '../channel/index.js';
import type { ChannelPowers, ControlRow, ServiceRow } from '../powers/index.js';
import { shortPath } from './changes.js';
import { controlText, type OrganizationNames } from './control.js';
import { listOf, sectionOf, tableOf, type Document } from './document.js';
import { actorWords, serviceWords } from './services.js';
import { shortList } from './lists.js';

const WIDE = { maxWidth: 60 };

const POWERS = is.named(
  'a result of powersOf',
  is.record({ services: is.list(is.any), control: is.list(is.any), unknown: is.list(is.any) }),
);

/** Describes powers. With an update, a changed row is shown twice: before (`-`) and after (`+`). */
export function powersDocument(powers: ChannelPowers): Document {
  requireTypes({ powers }, { powers: POWERS });
  const { channel, block, services, control, unknown, after } = powers;
  const unknowns = [...new Set([...unknown, ...(after?.unknown ?? [])])];
  return {
    title: `${channel === null ? 'a channel' : `channel ${channel}`}${block === null ? '' : `, block ${block}`}`,
    sections: [
      {
        id: 'services',
        title: 'who can do what',
        blocks: [tableOf(rowsOf(services, after?.services), WIDE)],
      },
      {
        id: 'control',
        title: 'who can change what, at once or in steps',
        blocks: [tableOf(controlCells(control, after?.control), WIDE)],
      },
      ...sectionOf('unknown', [listOf(unknowns)], 'cannot be known'),
    ],
  };
}

type ControlElement = ControlRow['elements'][number];

/** Rows of sign, sets and elements: elements with other sets in control after an update, before (`-`) and after (`+`), and all others. */
const controlCells = (control: readonly ControlRow[], after: readonly ControlRow[] = control): string[][] =>
  controlledTogether(control, after).flatMap(({ oldWho, newWho, elements }) => {
    const paths = shortList(elements.map(({ path }) => path));
    if (oldWho === newWho) return [['', newWho ?? NOBODY, paths]];
    return [
      ...(oldWho === undefined ? [] : [['-', oldWho, paths]]),
      ...(newWho === undefined ? [] : [['+', newWho, paths]]),
    ];
  });

/** The number of elements that are named in words. */
const NAMED = 3;

/** Elements with equal sets in control before, and equal sets in control now. */
export interface ControlDifference {
  /** The elements in words: `the group Application, Org1`. */
  readonly what: string;
  /** The paths of the elements; the members of a group that is one of them are left out. */
  readonly elements: readonly string[];
  /** For example `Org1MSP and Org2MSP`. */
  readonly before: string;
  readonly after: string;
}

const CONTROL = is.named(
  'the control in the result of powersOf',
  is.list(is.record({ sets: is.list(is.any), elements: is.list(is.any) })),
);

/**
 * The changes of control of elements in the end, in words; empty if nothing changes. For an element that exists only before or only after,
 * the other side is `nobody`.
 *
 * @param names of organisations, as of `mspNames`; otherwise they are called by their MSP ids
 */
export function controlDiff(
  before: readonly ControlRow[],
  after: readonly ControlRow[],
  names?: OrganizationNames,
): readonly ControlDifference[] {
  requireTypes({ before, after }, { before: CONTROL, after: CONTROL });
  const changed = controlledTogether(before, after, names).filter(
    ({ oldWho = NOBODY, newWho = NOBODY }) => oldWho !== newWho,
  );
  return changed.map(({ oldWho = NOBODY, newWho = NOBODY, elements }) => ({
    what: shortList(elements.map(elementWords), ', ', NAMED),
    elements: elements.map(({ path }) => path),
    before: oldWho,
    after: newWho,
  }));
}

/** Elements with equal sets in control before, and equal sets in control after an update. */
interface Together {
  /** The sets before, in words; undefined if the elements are new. */
  readonly oldWho: string | undefined;
  /** The sets after, in words; undefined if the elements are removed. */
  readonly newWho: string | undefined;
  /** Without the members of a group that is one of them. */
  readonly elements: readonly ControlElement[];
}

function controlledTogether(
  before: readonly ControlRow[],
  after: readonly ControlRow[],
  names?: OrganizationNames,
): readonly Together[] {
  const [old, now] = [controllersOf(before, names), controllersOf(after, names)];
  const found = new Map<string, Omit<Together, 'elements'> & { readonly all: Map<string, ControlElement> }>();
  for (const [key, { element }] of [...old, ...now]) {
    const [oldWho, newWho] = [old.get(key)?.who, now.get(key)?.who];
    const same = JSON.stringify([oldWho ?? null, newWho ?? null]);
    const group = found.get(same) ?? { oldWho, newWho, all: new Map<string, ControlElement>() };
    found.set(same, group);
    group.all.set(key, element);
  }
  return [...found.values()].map(({ oldWho, newWho, all }) => ({ oldWho, newWho, elements: shownOf(all) }));
}

/** A group without its members. */
const shownOf = (elements: ReadonlyMap<string, ControlElement>): readonly ControlElement[] =>
  [...elements.values()].filter(({ path }) => !elements.has(keyOf('group', parentPath(path))));

const GROUPS: ReadonlyMap<string, string> = new Map([
  ['/Channel', 'channel'],
  ['/Channel/Application', 'group Application'],
  ['/Channel/Orderer', 'group Orderer'],
]);

/** The name of an organisation; undefined for another path. */
function organizationIn(path: string): string | undefined {
  const [, , section, name, more] = path.split('/');
  return more === undefined && section !== 'Consortiums' ? name : undefined;
}

/** `the channel`, `the group Application`, `Org1`; the path of another element. */
export function elementWords({ kind, path }: ControlElement): string {
  if (kind !== 'group') return shortPath(path);
  const noun = GROUPS.get(path);
  return noun === undefined ? (organizationIn(path) ?? shortPath(path)) : `the ${noun}`;
}

/** A group without an article, with its section: `group Application`, `organisation Org1`, `orderer organisation Ord1`. */
export function groupWords(path: string): string {
  const [, , section, consortium, member] = path.split('/');
  if (section === 'Consortiums' && consortium !== undefined)
    return member === undefined
      ? `consortium ${consortium}`
      : `organisation ${member} of the consortium ${consortium}`;
  const name = organizationIn(path);
  if (name === undefined) return GROUPS.get(path) ?? shortPath(path);
  return `${section === 'Orderer' ? 'orderer ' : ''}organisation ${name}`;
}

const NOBODY = controlText([]);

/** Returns the sets that control each element. */
const controllersOf = (
  rows: readonly ControlRow[],
  names: OrganizationNames | undefined,
): ReadonlyMap<string, { readonly who: string; readonly element: ControlElement }> =>
  new Map(
    rows.flatMap(({ sets, elements }) => {
      const who = controlText(sets, names);
      return elements.map((element) => [keyOf(element.kind, element.path), { who, element }] as const);
    }),
  );

const SERVICES = is.named(
  'the services in the result of powersOf',
  is.list(is.record({ service: is.text, who: is.list(is.any) })),
);

/** Describes the difference of two tables of services. */
export function powersDifferenceDocument(
  before: readonly ServiceRow[],
  after: readonly ServiceRow[],
): Document {
  requireTypes({ before, after }, { before: SERVICES, after: SERVICES });
  const rows = rowsOf(before, after).filter(([sign]) => sign !== '');
  return {
    blocks: [rows.length === 0 ? listOf(['the same actors can do the same']) : tableOf(rows, WIDE)],
  };
}

function rowsOf(services: readonly ServiceRow[], after: readonly ServiceRow[] = services): string[][] {
  const key = (row: ServiceRow): string => JSON.stringify(row);
  const [old, now] = [new Set(services.map(key)), new Set(after.map(key))];
  const names = [...new Set([...services, ...after].map(({ service }) => service))];
  return names.flatMap((name) => {
    const rows = services.filter(({ service }) => service === name);
    const added = after.filter((row) => row.service === name && !old.has(key(row)));
    const hasParts = rows.length > 1 || added.length > 1;
    return [
      ...rows.map((row) => cellsOf(row, now.has(key(row)) ? '' : '-', hasParts)),
      ...added.map((row) => cellsOf(row, '+', hasParts)),
    ];
  });
}

function cellsOf({ service, resources, who }: ServiceRow, sign: string, hasParts: boolean): string[] {
  const parts = hasParts && resources.length > 0 ? ` (${resources.join(', ')})` : '';
  const actors = who.map(({ role, organizations }) =>
    actorWords({ role, organizations, count: organizations.length, issuers: [] }),
  );
  return [sign, serviceWords(service) + parts, actors.length === 0 ? 'nobody' : actors.join('; ')];
}
