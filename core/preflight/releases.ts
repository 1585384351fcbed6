// How releases of one version differ in what they refuse, and in their words.

import type { CauseId, Found } from './cause.js';

/** A release of Fabric: `3.1` and `5`. */
export interface ReleaseNumber {
  readonly minor: string;
  readonly patch: number;
}

/** Words that changed. The rules have the older ones. */
interface Change {
  /** The first patch of 3.1 that has it. */
  readonly since: number;
  /** Of this cause only. */
  readonly id?: CauseId;
  readonly before: RegExp;
  /** The part of the new words that does not depend on the type of the key. */
  readonly after: string;
}

const CHANGES: readonly Change[] = [
  // The decoder of orderer.yaml: github.com/go-viper/mapstructure 2.4.
  { since: 2, before: /^cannot parse ('[^']*') as (\w+): .*$/s, after: "$1 cannot parse value as '$2" },
  {
    since: 2,
    before:
      /^error decoding ('[^']*'): (time: (?:invalid duration|missing unit in duration|unknown unit)).*$/s,
    after: '$1 $2',
  },
  { since: 2, before: /^('[^']*') expected a map, got '$/, after: '$1 expected a map or struct, got "' },
  // msp/configbuilder.go, `getMspConfig`.
  {
    since: 4,
    before: /^could not load a valid signer certificate from/,
    after: 'could not load signing certificate from',
  },
  {
    since: 4,
    id: 'signcerts-missing',
    before: /^Setup error: nil conf reference$/,
    after: 'no signing certificate found in directory',
  },
  {
    since: 4,
    id: 'cacerts-missing',
    before: /^Setup error: nil conf reference$/,
    after: 'no ca certificate found in directory',
  },
];

/** The causes of a release, in its words. */
export function causesOf(release: ReleaseNumber, found: readonly Found[]): Found[] {
  return found
    .filter(({ id }) => id !== 'vm-endpoint-invalid' || refusesEndpoints(release))
    .map((each) => inWordsOf(release, each));
}

/** Since 2.5.15 and 3.1.4, with another client of Docker, a peer starts with any scheme (internal/peer/node/start.go, `createDockerClient`). */
const refusesEndpoints = ({ minor, patch }: ReleaseNumber): boolean =>
  minor === '2.5' ? patch < 15 : minor !== '3.1' || patch < 4;

function inWordsOf(release: ReleaseNumber, found: Found): Found {
  if (release.minor !== '3.1') return found;
  const changes = CHANGES.filter(({ since, id }) => release.patch >= since && (id ?? found.id) === found.id);
  const says = changes.reduce((words, { before, after }) => words.replace(before, after), found.says);
  return { ...found, says };
}
