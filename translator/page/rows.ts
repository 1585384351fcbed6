// The rows of the tree: every group, value and policy of a config.

import {
  walk,
  type ConfigGroup,
  type ConfigPolicy,
  type Element,
  type Place,
} from '#translator/channel/index.js';
import { policyText, valueText } from '#translator/documents/index.js';

type ElementPlace = Place<Element>;

/** A row of the tree. */
export interface Row {
  /** `/Channel/Orderer/BatchSize` */
  readonly path: string;
  /** The parts of the path, from `Channel` on; a name may contain a slash. */
  readonly names: readonly string[];
  readonly kind: 'group' | 'value' | 'policy';
  readonly name: string;
  readonly depth: number;
  readonly version: string;
  readonly modPolicy: string;
  /** Its content in words; of a group, the number of elements. */
  readonly text: string;
}

/** A row without its content in words, which takes long for hundreds of organisations. */
export type Outlined = Omit<Row, 'text'>;

/** All rows of a config: each group before its values, policies and groups. */
export const rowsOf = (channel: ConfigGroup, now: Date): readonly Row[] =>
  placesIn(channel).map(([place, row]) => ({ ...row, text: textOf(place, row.names, now) }));

/** All rows without their contents. */
export const outlinedRows = (channel: ConfigGroup): readonly Outlined[] =>
  placesIn(channel).map(([, row]) => row);

const placesIn = (channel: ConfigGroup): readonly (readonly [ElementPlace, Outlined])[] =>
  [...walk<ConfigGroup>(channel)].map((place) => {
    const { kind, path, name, element } = place;
    const names = namesOf(place);
    const row = {
      path,
      names,
      kind,
      name,
      depth: names.length - 1,
      version: String(element.version),
      modPolicy: element.modPolicy,
    };
    return [place, row] as const;
  });

function namesOf(place: ElementPlace): readonly string[] {
  const names: string[] = [];
  for (let at: ElementPlace | undefined = place; at !== undefined; at = at.parent) names.unshift(at.name);
  return names;
}

function textOf({ kind, element, parent }: ElementPlace, names: readonly string[], now: Date): string {
  if (kind === 'policy') return policyText((element as ConfigPolicy).policy);
  if (kind === 'value') return valueText(names.slice(1), parent!.element as ConfigGroup, now);
  const { groups, values, policies } = element as ConfigGroup;
  const counts = [
    [groups.size, 'group', 'groups'],
    [values.size, 'value', 'values'],
    [policies.size, 'policy', 'policies'],
  ] as const;
  return counts
    .flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]))
    .join(', ');
}

/** The visible rows: the rows that contain a text, or the rows in open groups. */
export function visibleRows(
  rows: readonly Row[],
  closed: ReadonlySet<string>,
  search: string,
): readonly Row[] {
  const wanted = search.trim().toLowerCase();
  if (wanted !== '')
    return rows.filter(({ path, text, modPolicy }) =>
      `${path}\n${text}\n${modPolicy}`.toLowerCase().includes(wanted),
    );
  const visible: Row[] = [];
  let hiddenBelow = Infinity;
  for (const row of rows) {
    if (row.depth > hiddenBelow) continue;
    hiddenBelow = row.kind === 'group' && closed.has(row.path) ? row.depth : Infinity;
    visible.push(row);
  }
  return visible;
}
