// The rows of the tree: every group, value and policy of a config.

import type { ConfigGroup } from 'fabric-ops-agent/translator/channel';
import { policyText, valueText } from 'fabric-ops-agent/translator/describe';

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
  /** What it contains, in words; of a group, how many elements. */
  readonly text: string;
}

/** The entries of a map, by name. */
const ordered = <Item>(map: ReadonlyMap<string, Item>): readonly (readonly [string, Item])[] =>
  [...map].toSorted(([left], [right]) => (left < right ? -1 : 1));

/** All rows of a config, in the order of their paths. */
export function rowsOf(channel: ConfigGroup, now: Date): readonly Row[] {
  const rows: Row[] = [];
  visit(rows, ['Channel'], channel, now);
  return rows;
}

function visit(rows: Row[], path: readonly string[], group: ConfigGroup, now: Date): void {
  const depth = path.length - 1;
  const counts = [
    [group.groups.size, 'group', 'groups'],
    [group.values.size, 'value', 'values'],
    [group.policies.size, 'policy', 'policies'],
  ] as const;
  const text = counts
    .flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]))
    .join(', ');
  rows.push({ ...common(path, group), kind: 'group', depth, text });
  for (const [name, value] of ordered(group.values))
    rows.push({
      ...common([...path, name], value),
      kind: 'value',
      depth: depth + 1,
      text: valueText([...path.slice(1), name], group, now),
    });
  for (const [name, entry] of ordered(group.policies))
    rows.push({
      ...common([...path, name], entry),
      kind: 'policy',
      depth: depth + 1,
      text: policyText(entry.policy),
    });
  for (const [name, child] of ordered(group.groups)) visit(rows, [...path, name], child, now);
}

const common = (
  path: readonly string[],
  { version, modPolicy }: { readonly version: bigint; readonly modPolicy: string },
): Pick<Row, 'path' | 'names' | 'name' | 'version' | 'modPolicy'> => ({
  path: `/${path.join('/')}`,
  names: path,
  name: path.at(-1) ?? '',
  version: String(version),
  modPolicy,
});

/** The rows that are visible: those that contain a text, or those in open groups. */
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
