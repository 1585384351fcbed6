// Releases of Fabric and their Go versions, on which verdicts on certificates depend.

import { groupBy } from '../../core/common/group-by.js';
import { TranslateError } from '../../proto/errors.js';
import type { BftVersion, FabricVersion } from '../channel/index.js';

/**
 * The Go versions in which verdicts on certificates change; their texts can be compared with `>=`. 1.22 includes all versions before 1.23,
 * and 1.25 means 1.25.2: no release of Fabric has a later 1.25.
 */
export type GoVersion = '1.22' | '1.23' | '1.24' | '1.25' | '1.26';

/** The properties of a program on which verdicts depend: its capabilities and keys, its BFT consensus, and its Go version. */
export interface Program {
  readonly fabric: FabricVersion;
  readonly bft: BftVersion;
  readonly go: GoVersion;
}

/** Fabric 3.0.0. */
export const FABRIC_3_0: Program = { fabric: '3.0', bft: '3.0', go: '1.23' };

/** A release of Fabric. */
export interface Release extends Program {
  readonly minor: string;
  readonly patch: number;
}

/** For each minor version: its newest release, and the first release with each version of Go and of BFT consensus. */
const MINORS: readonly {
  readonly name: string;
  readonly fabric: FabricVersion;
  readonly newest: number;
  readonly bft: readonly (readonly [from: number, BftVersion])[];
  readonly go: readonly (readonly [from: number, GoVersion])[];
}[] = [
  {
    name: '2.5',
    fabric: '2.5',
    newest: 16,
    bft: [[0, '3.1.2']],
    go: [
      [0, '1.22'],
      [10, '1.23'],
      [13, '1.24'],
      [14, '1.25'],
      [15, '1.26'],
    ],
  },
  { name: '3.0', fabric: '3.0', newest: 0, bft: [[0, '3.0']], go: [[0, '1.23']] },
  {
    name: '3.1',
    fabric: '3.0',
    newest: 5,
    bft: [
      [0, '3.0'],
      [1, '3.1.1'],
      [2, '3.1.2'],
    ],
    go: [
      [0, '1.24'],
      [2, '1.25'],
      [4, '1.26'],
    ],
  },
];

const RELEASES: readonly Release[] = MINORS.flatMap(({ name, fabric, bft, newest, go }) =>
  Array.from({ length: newest + 1 }, (_, patch) => ({
    minor: name,
    patch,
    fabric,
    bft: bft.findLast(([from]) => from <= patch)![1],
    go: go.findLast(([from]) => from <= patch)![1],
  })),
);

/** The allowed versions, for errors: `2.5, 3.0, 3.1, or a release from 2.5.0 to 2.5.16, …`. */
export const KNOWN_VERSIONS = `${MINORS.map(({ name }) => name).join(', ')}, or one of the releases ${MINORS.map(
  ({ name, newest }) => (newest === 0 ? `${name}.0` : `${name}.0 to ${name}.${newest}`),
).join(', ')}`;

/** The releases of a version: one for `3.1.5`, all for `3.1`; none for an unknown version. */
const releasesOf = (version: string): readonly Release[] =>
  RELEASES.filter(({ minor, patch }) => version === minor || version === `${minor}.${patch}`);

/** Whether the rules of a version of Fabric are known: `3.1` or `3.1.5`. */
export const isFabricVersion = (version: string): boolean => releasesOf(version).length > 0;

/** Releases with the same rules. */
export interface Rules extends Program {
  readonly releases: readonly [Release, ...Release[]];
  /** The given versions that include these releases. */
  readonly versions: readonly string[];
}

/**
 * The rules of the programs of a channel, the newest first.
 *
 * @param versions the versions of its nodes, such as `3.1.5`, or `3.1` for any of its releases; empty if they are unknown: then
 *   certificates and BFT options are judged by the rules of all releases, and everything else by the rules of 3.0
 * @throws TranslateError BAD_VERSION for an unknown version, or if it is not a list
 */
export function rulesOf(versions: readonly string[]): readonly [Rules, ...Rules[]] {
  // Callers without types may pass a single version as a string.
  if (!Array.isArray(versions))
    throw new TranslateError(
      'BAD_VERSION',
      `the versions of Fabric must be a list, for example ["3.1.5"]; found ${JSON.stringify(versions)}`,
    );
  const unknown = versions.find((version) => !isFabricVersion(version));
  if (unknown !== undefined)
    throw new TranslateError(
      'BAD_VERSION',
      `the version of Fabric must be ${KNOWN_VERSIONS}; found ${JSON.stringify(unknown)}`,
    );
  const all = versions.length === 0 ? RELEASES : [...new Set(versions.flatMap(releasesOf))];
  const judged = versions.length === 0 ? all.map((release) => ({ ...release, fabric: '3.0' as const })) : all;
  const groups = groupBy(judged, ({ go, fabric, bft }) => `${go} ${fabric} ${bft}`);
  const rules = [...groups].toSorted(([one], [other]) => (one < other ? 1 : -1));
  const made = rules.map(([, [first, ...others]]) => ({
    fabric: first.fabric,
    bft: first.bft,
    go: first.go,
    releases: [first, ...others] as const,
    versions: versions.filter((version) =>
      releasesOf(version).some(({ minor, patch }) =>
        [first, ...others].some((each) => each.minor === minor && each.patch === patch),
      ),
    ),
  }));
  const [newest, ...older] = made;
  return [newest!, ...older];
}

/** A text for releases: `2.5.10 to 2.5.12, 3.0`. */
export function releasesText(releases: readonly Pick<Release, 'minor' | 'patch'>[]): string {
  const texts = MINORS.flatMap(({ name, newest }) => {
    const patches = releases.filter(({ minor }) => minor === name).map(({ patch }) => patch);
    if (patches.length === newest + 1) return [name];
    const starts = patches.filter((patch) => !patches.includes(patch - 1));
    return starts.map((start) => {
      let end = start;
      while (patches.includes(end + 1)) end++;
      return end === start ? `${name}.${start}` : `${name}.${start} to ${name}.${end}`;
    });
  });
  return texts.join(', ');
}
