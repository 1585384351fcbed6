// Which StatsD bucket a family of a node has: that which the node itself would send it to.

import type { FamilyParts } from '../../contract/index.js';
import { KNOWN_FAMILIES, RUNTIME_GAUGES } from './known-families.js';

/** How StatsD shows a family. */
export interface FamilyLayout {
  readonly parts: FamilyParts;
  /** The labels whose values follow the parts, in this order. Other labels come after them, in alphabetical order. */
  readonly labels: readonly string[];
}

/**
 * The layout of a family. An unknown family gets the longest namespace and subsystem of a known family that its name begins with, or
 * none.
 *
 * @param name as in /metrics
 */
export function layoutOf(name: string): FamilyLayout {
  return KNOWN.get(name) ?? { parts: partsOfUnknown(name), labels: [] };
}

function partsOfUnknown(name: string): FamilyParts {
  const [prefix, namespace = '', subsystem = ''] = PREFIXES.find(
    ([text]) => name.startsWith(text) && name !== text,
  ) ?? [''];
  return { namespace, subsystem, name: name.slice(prefix.length) };
}

const familyLines = KNOWN_FAMILIES.trim()
  .split('\n')
  .map((line) => line.split(' '));

/** By the name in /metrics. */
const KNOWN: ReadonlyMap<string, FamilyLayout> = new Map([
  ...familyLines.map(([bucket = '', ...labels]) => entry(bucket.replaceAll('.', '_'), bucket, labels)),
  ...RUNTIME_GAUGES.trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([name = '', bucket = '']) => entry(name, bucket, [])),
]);

function entry(name: string, bucket: string, labels: readonly string[]): [string, FamilyLayout] {
  return [name, { parts: partsOf(bucket), labels }];
}

/** Beginnings of names with their namespace and subsystem, longest first. */
const PREFIXES = prefixesOf(familyLines.map(([bucket = '']) => partsOf(bucket)));

function partsOf(bucket: string): FamilyParts {
  const [name = '', subsystem, namespace] = bucket.split('.').toReversed();
  return namespace === undefined
    ? { namespace: subsystem ?? '', subsystem: '', name }
    : { namespace, subsystem: subsystem ?? '', name };
}

function prefixesOf(families: readonly FamilyParts[]): (readonly [string, string, string])[] {
  const prefixes = new Map(
    families
      .filter(({ namespace }) => namespace !== '')
      .map(({ namespace, subsystem }) => {
        const text = subsystem === '' ? `${namespace}_` : `${namespace}_${subsystem}_`;
        return [text, [text, namespace, subsystem] as const];
      }),
  );
  return [...prefixes.values()].sort(([first], [second]) => second.length - first.length);
}
