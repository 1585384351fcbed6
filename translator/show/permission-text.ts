// Who may change the elements of a group, as rows of a table.

import { onOneLine } from '../../core/common/text/one-line.js';
import { lastName, parentPath } from '../config/element-path.js';
import type { Permission } from './permissions.js';

/** Elements by the path of their group; a group is its own. */
export function byGroup<Item extends { readonly path: string; readonly kind?: string }>(
  items: readonly Item[],
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const path = item.kind === 'group' ? item.path : parentPath(item.path);
    const list = groups.get(path);
    if (list === undefined) groups.set(path, [item]);
    else list.push(item);
  }
  return groups;
}

/** A row for most elements of a group, and one for each element with another policy: path, policy, signers. */
export function permissionRows(path: string, list: readonly Permission[]): string[][] {
  const usual = mostFrequent(list.map(({ policy }) => policy));
  const ofUsual = list.find(({ policy }) => policy === usual);
  if (ofUsual === undefined) return [];
  const others = list.filter(({ policy }) => policy !== usual);
  return [
    [onOneLine(path), ...cells(ofUsual)],
    ...others.map((each) => [`  ${nameOf(each)}`, ...cells(each)]),
  ];
}

const cells = ({ policy = '', signers }: Permission): string[] => [onOneLine(policy), onOneLine(signers)];

/** The name of an element; its kind unless it is a value. */
const nameOf = ({ path, kind }: Permission): string =>
  `${onOneLine(lastName(path))}${kind === 'value' ? '' : ` (${kind})`}`;

function mostFrequent(items: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
