// A naive implementation of the config update: recursive, on plain objects.

import { isDeepStrictEqual } from 'node:util';
import { normal, type GroupObject, type PolicyObject, type ValueObject } from './config.js';

type Kind = 'groups' | 'values' | 'policies';
type Element = GroupObject & ValueObject & PolicyObject;
type Elements = Record<Kind, Record<string, Element>>;

interface Sets {
  changed: boolean;
  read_set: GroupObject;
  write_set: GroupObject;
}

/** Compares two groups by the rules of Fabric's internal/configtxlator/update/update.go. */
export function naiveUpdate(original: GroupObject, updated: GroupObject): Sets {
  const [same, read, write] = [noElements(), noElements(), noElements()];
  const modPolicy = updated.mod_policy ?? '';
  let hasNewShape = (original.mod_policy ?? '') !== modPolicy;
  for (const kind of ['groups', 'values', 'policies'] as const) {
    const [before, after] = [elementsOf(original, kind), elementsOf(updated, kind)];
    hasNewShape ||= !isDeepStrictEqual(new Set(before.keys()), new Set(after.keys()));
    for (const [name, now] of after) {
      const old = before.get(name);
      if (old === undefined) write[kind][name] = kind === 'groups' ? renewed(now) : { ...now, version: '0' };
      else if (kind === 'groups') {
        const below = naiveUpdate(old, now);
        if (below.changed) {
          read.groups[name] = below.read_set;
          write.groups[name] = below.write_set;
        } else same.groups[name] = { version: versionOf(old) };
      } else if (isDeepStrictEqual(contentOf(kind, old), contentOf(kind, now))) {
        same[kind][name] = { version: versionOf(old) };
      } else write[kind][name] = { ...now, version: nextOf(old) };
    }
  }
  const version = versionOf(original);
  if (hasNewShape) {
    const write_set = { version: nextOf(original), mod_policy: modPolicy, ...joined(same, write) };
    return { changed: true, read_set: { version, ...joined(same, read) }, write_set };
  }
  const changed = Object.values(write).some((elements) => Object.keys(elements).length > 0);
  return { changed, read_set: { version, groups: read.groups }, write_set: { version, ...write } };
}

/** A new group, with everything in it at version 0. */
function renewed(group: GroupObject): Element {
  const result = noElements();
  for (const [name, nested] of elementsOf(group, 'groups')) result.groups[name] = renewed(nested);
  for (const kind of ['values', 'policies'] as const)
    for (const [name, element] of elementsOf(group, kind)) result[kind][name] = { ...element, version: '0' };
  return { version: '0', mod_policy: group.mod_policy ?? '', ...result };
}

const nothing = (): Record<string, Element> => Object.create(null) as Record<string, Element>;
const noElements = (): Elements => ({ groups: nothing(), values: nothing(), policies: nothing() });

const elementsOf = (group: GroupObject, kind: Kind): Map<string, Element> =>
  new Map<string, Element>(Object.entries(group[kind] ?? {}));

const contentOf = (kind: Kind, element: Element): object =>
  normal({ [kind]: { element } }, { versions: false });

const versionOf = ({ version = '0' }: Element): string => version;
const nextOf = (element: Element): string => String((BigInt(versionOf(element)) + 1n) % 2n ** 64n);

const joined = (left: Elements, right: Elements): Elements => ({
  groups: Object.assign(nothing(), left.groups, right.groups),
  values: Object.assign(nothing(), left.values, right.values),
  policies: Object.assign(nothing(), left.policies, right.policies),
});
