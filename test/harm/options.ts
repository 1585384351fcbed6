// The options of `npm run harm`.

import { parseArgs } from 'node:util';
import { NETS, RELEASES, type NetName, type Release, type Releases } from './case.js';

/** The kinds of cases: drawn from all updates, several routine ones, or two that complete a harm one after the other. */
export const KINDS = ['mixed', 'routine', 'steps'] as const;

export type Kind = (typeof KINDS)[number];

/** What to run. */
export interface HarmOptions {
  readonly kind: Kind;
  readonly cases: number;
  readonly seed: number;
  readonly releases: Releases;
  readonly nets: readonly NetName[];
  /** How many networks run at the same time. */
  readonly parallel: number;
  /** The first port of all networks. */
  readonly firstPort: number;
  /** The file that gets a line for each case. */
  readonly output: string | undefined;
  /** Whether each case is rehearsed too, from its blocks and envelopes alone. */
  readonly isRehearsed: boolean;
  /** The only case; undefined: those of the seed. */
  readonly only: string | undefined;
}

/** Wrong options; the message says what is allowed. */
export class UsageError extends Error {}

/** Ports of one network. */
export const PORTS = 50;

/** Reads the arguments. @throws UsageError */
export function readOptions(args: readonly string[]): HarmOptions {
  const {
    cases,
    kind,
    seed,
    fabric,
    net,
    parallel,
    output,
    case: only,
    'first-port': firstPort,
    rehearse: isRehearsed,
  } = valuesOf(args);
  const releases = fabric.split(',').map((text) => named(RELEASES, 'fabric', text));
  const nets = net.map((text) => named(Object.keys(NETS) as NetName[], 'net', text));
  if (nets.includes('bft4') && releases.some((each) => each.startsWith('2.')))
    throw new UsageError(`--net bft4 needs Fabric 3.0 or later, not ${fabric}`);
  const options = {
    cases: numberOf('cases', cases, 0),
    kind: named(KINDS, 'kind', kind),
    seed: numberOf('seed', seed, 0),
    parallel: numberOf('parallel', parallel, 1),
    firstPort: numberOf('first-port', firstPort, 1024),
  };
  if (options.firstPort + options.parallel * PORTS > 65_536)
    throw new UsageError(
      `--first-port ${firstPort}: ${parallel} networks need ${PORTS} ports each, up to 65535`,
    );
  if (isRehearsed && releases.length > 1) throw new UsageError(`--rehearse needs one release, not ${fabric}`);
  return { ...options, releases: releases as unknown as Releases, nets, output, only, isRehearsed };
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        cases: { type: 'string', default: '10' },
        kind: { type: 'string', default: KINDS[0] },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
        fabric: { type: 'string', default: RELEASES[0] },
        net: { type: 'string', multiple: true, default: ['raft1', 'raft3'] },
        parallel: { type: 'string', default: '2' },
        'first-port': { type: 'string', default: '21000' },
        output: { type: 'string' },
        rehearse: { type: 'boolean', default: false },
        case: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function named<Name extends string>(known: readonly Name[], option: string, text: string): Name {
  const found = known.find((each) => each === text);
  if (found === undefined)
    throw new UsageError(`--${option} ${text}: unknown; allowed are ${known.join(', ')}`);
  return found;
}

function numberOf(option: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > 2 ** 31)
    throw new UsageError(`--${option} ${text}: allowed are whole numbers from ${least}`);
  return value;
}

/** Splits the id of a generated case; undefined for another one. */
export function parseCaseId(
  id: string,
): { releases: readonly Release[]; net: NetName; kind: Kind; seed: number; number: number } | undefined {
  const [fabric = '', net = '', kind = '', seed = '', number = ''] = id.split('/');
  if (!/^\d+$/.test(seed) || !/^\d+$/.test(number)) return undefined;
  return {
    releases: fabric.split(',').map((text) => named(RELEASES, 'case', text)),
    net: named(Object.keys(NETS) as NetName[], 'case', net),
    kind: named(KINDS, 'case', kind),
    seed: Number(seed),
    number: Number(number),
  };
}
