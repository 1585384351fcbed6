// The documents about the powers on a channel: the services that actors can use, and the elements that they can change.

import { keyOf, parentPath } from '../channel/index.js';
import type { ChannelPowers, ControlRow, ServiceRow } from '../powers/index.js';
import { shortPath } from './changes.js';
import { controlText } from './control.js';
import { listOf, sectionOf, tableOf, type Document } from './document.js';
import { actorWords, serviceWords } from './services.js';
import { shortList } from './lists.js';

const WIDE = { maxWidth: 60 };

/** Describes powers. With an update, a changed row is shown twice: before (`-`) and after (`+`). */
export function powersDocument(powers: ChannelPowers): Document {
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

/** Rows of sign, sets and elements: elements that they can change before and after an update, only before (`-`), only after (`+`). */
function controlCells(control: readonly ControlRow[], after: readonly ControlRow[] = control): string[][] {
  const [old, now] = [elementsBySets(control), elementsBySets(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((who) => {
    const none = new Map<string, ControlElement>();
    const [before, later] = [old.get(who) ?? none, now.get(who) ?? none];
    const parts = [
      ['', [...before].filter(([key]) => later.has(key))],
      ['-', [...before].filter(([key]) => !later.has(key))],
      ['+', [...later].filter(([key]) => !before.has(key))],
    ] as const;
    return parts.flatMap(([sign, elements]) =>
      elements.length === 0 ? [] : [[sign, who, elementsText(new Map(elements))]],
    );
  });
}

const elementsBySets = (rows: readonly ControlRow[]): Map<string, ReadonlyMap<string, ControlElement>> =>
  new Map(
    rows.map(({ sets, elements }) => [
      controlText(sets),
      new Map(elements.map((element) => [keyOf(element.kind, element.path), element])),
    ]),
  );

const elementsText = (elements: ReadonlyMap<string, ControlElement>): string =>
  shortList(shownOf(elements).map(({ path }) => path));

/** A group without its members. */
const shownOf = (elements: ReadonlyMap<string, ControlElement>): readonly ControlElement[] =>
  [...elements.values()].filter(({ path }) => !elements.has(keyOf('group', parentPath(path))));

/** Elements with equal sets in control before, and equal sets in control now. */
export interface ControlDifference {
  /** The elements in words: `the application, the organisation Org1`. */
  readonly what: string;
  /** The paths of the elements; the members of a group that is one of them are left out. */
  readonly elements: readonly string[];
  /** For example `Org1MSP and Org2MSP`. */
  readonly before: string;
  readonly after: string;
}

/**
 * The changes of control of elements in the end, in words; empty if nothing changes. For an element that exists only before or only after,
 * the other side is `nobody`.
 */
export function controlDiff(
  before: readonly ControlRow[],
  after: readonly ControlRow[],
): readonly ControlDifference[] {
  const [old, now] = [controllersOf(before), controllersOf(after)];
  const groups = new Map<string, { before: string; after: string; elements: Map<string, ControlElement> }>();
  for (const [key, { element }] of [...old, ...now]) {
    const difference = { before: old.get(key)?.who ?? NOBODY, after: now.get(key)?.who ?? NOBODY };
    if (difference.before === difference.after) continue;
    const same = JSON.stringify(difference);
    const group = groups.get(same) ?? { ...difference, elements: new Map<string, ControlElement>() };
    groups.set(same, group);
    group.elements.set(key, element);
  }
  return [...groups.values()].map(({ elements, ...who }) => {
    const shown = shownOf(elements);
    return { what: shortList(shown.map(elementWords)), elements: shown.map(({ path }) => path), ...who };
  });
}

const GROUPS: ReadonlyMap<string, string> = new Map([
  ['/Channel', 'the channel'],
  ['/Channel/Application', 'the application'],
  ['/Channel/Orderer', 'the ordering'],
]);

function elementWords({ kind, path }: ControlElement): string {
  if (kind !== 'group') return shortPath(path);
  const [, , section, name, more] = path.split('/');
  const isOrganization = name !== undefined && more === undefined && section !== 'Consortiums';
  return GROUPS.get(path) ?? (isOrganization ? `the organisation ${name}` : shortPath(path));
}

const NOBODY = controlText([]);

/** Returns the sets that control each element. */
const controllersOf = (
  rows: readonly ControlRow[],
): ReadonlyMap<string, { readonly who: string; readonly element: ControlElement }> =>
  new Map(
    rows.flatMap(({ sets, elements }) =>
      elements.map(
        (element) => [keyOf(element.kind, element.path), { who: controlText(sets), element }] as const,
      ),
    ),
  );

/** Describes the difference of two tables of services. */
export function powersDifferenceDocument(
  before: readonly ServiceRow[],
  after: readonly ServiceRow[],
): Document {
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
