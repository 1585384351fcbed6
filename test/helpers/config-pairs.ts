// Random pairs of config trees.

import * as fc from 'fast-check';
import type { GroupObject, PolicyObject, ValueObject } from './config.js';

const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '', '10', '9', '\u{1f600}', '\uffff');
const version = fc.constantFrom('0', '1', '127', '4294967296', '18446744073709551615');
const modPolicy = fc.constantFrom('', '', 'Admins', '/Channel/Admins');
const bytes = fc.constantFrom('', 'AQ==', 'Ag==');

const value: fc.Arbitrary<ValueObject> = fc.record({ version, value: bytes, mod_policy: modPolicy });
const policy: fc.Arbitrary<PolicyObject> = fc.record(
  {
    version,
    mod_policy: modPolicy,
    policy: fc.record({ type: fc.constantFrom(0, 1, -1), value: bytes }),
  },
  { requiredKeys: ['version', 'mod_policy'] },
);

type Pair<E> = [E | undefined, E | undefined];

/** An element of one side, different elements of both sides, or an element that differs only in its version. */
function pairOf<E extends object>(element: fc.Arbitrary<E>): fc.Arbitrary<Pair<E>> {
  const same = fc.tuple(element, version).map(([old, other]): Pair<E> => [old, { ...old, version: other }]);
  return fc.oneof(
    { weight: 4, arbitrary: same },
    { weight: 2, arbitrary: fc.tuple(element, element) },
    { weight: 1, arbitrary: element.map((old): Pair<E> => [old, undefined]) },
    { weight: 1, arbitrary: element.map((added): Pair<E> => [undefined, added]) },
  );
}

function pairsOf<E>(pair: fc.Arbitrary<Pair<E>>): fc.Arbitrary<[Record<string, E>, Record<string, E>]> {
  const side = (pairs: readonly [string, Pair<E>][], index: 0 | 1): Record<string, E> =>
    Object.fromEntries(
      pairs.flatMap(([key, both]): [string, E][] => {
        const element = both[index];
        return element === undefined ? [] : [[key, element]];
      }),
    );
  return fc
    .uniqueArray(fc.tuple(name, pair), { maxLength: 3, selector: ([key]) => key })
    .map((pairs) => [side(pairs, 0), side(pairs, 1)]);
}

/** Two similar groups with `depth` levels of nested groups. */
export function groupPair(depth: number): fc.Arbitrary<[GroupObject, GroupObject]> {
  const nested: fc.Arbitrary<Pair<GroupObject>> =
    depth === 0 ? fc.constant([undefined, undefined]) : oneOrBoth(groupPair(depth - 1));
  return fc
    .tuple(
      pairsOf(nested),
      pairsOf(pairOf(value)),
      pairsOf(pairOf(policy)),
      fc.tuple(version, version),
      fc.oneof(
        { weight: 1, arbitrary: fc.tuple(modPolicy, modPolicy) },
        { weight: 4, arbitrary: modPolicy.map((same): [string, string] => [same, same]) },
      ),
    )
    .map(([groups, values, policies, versions, modPolicies]) => {
      const side = (index: 0 | 1): GroupObject => ({
        version: versions[index],
        groups: groups[index],
        values: values[index],
        policies: policies[index],
        mod_policy: modPolicies[index],
      });
      return [side(0), side(1)];
    });
}

function oneOrBoth(pair: fc.Arbitrary<[GroupObject, GroupObject]>): fc.Arbitrary<Pair<GroupObject>> {
  return fc
    .tuple(pair, fc.constantFrom('both', 'both', 'both', 'both', 'old', 'new'))
    .map(([[old, now], side]) => [side === 'new' ? undefined : old, side === 'old' ? undefined : now]);
}
