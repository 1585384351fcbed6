import { FailedChecks, type Step } from '../../../core/contract/index.js';
import { defineNodeChecker, pathsOption, type DetailedPart } from '../../../core/contract/internal/index.js';
import { describeUnreadable, FileNotResponding, untilAborted } from '../../../core/kit/index.js';
import { isForbidden, shortNames } from '../../../core/kit/internal/index.js';
import { parseAmount } from './amount.js';
import { createGauges } from './gauges.js';
import { spaceProblem, type Limit, type UnnamedFailure } from './judge.js';
import { readRaftWals, type RaftWal } from './raft-wal.js';
import { readSpace, type Space } from './space.js';
import { Trend } from './trend.js';

const ADVICE = 'let the user of the agent enter the directories of the path, or remove it from `paths`';
/** A disk that does not respond for this long is not just slow, in milliseconds. */
const HUNG_AFTER = 60_000;
const AMOUNT = (value: unknown): void => void parseAmount(value);

/** The steps for a file system with too little space. A path that a shell would change has no command. */
const stepsFor = (path: string): Step[] => [
  {
    text: `Free space on the file system of ${path}, or make it larger.`,
    ...(/^[\w./-]+$/.test(path) && { command: `du -xh --max-depth=2 ${path} | sort -h | tail` }),
  },
];

/** The space and the WALs at a path, or its problem. */
type Inspected = { readonly path: string; readonly wals?: readonly RaftWal[] | undefined } & (
  | { readonly space: Space }
  | { readonly problem: UnnamedFailure }
);

/** Checks the free bytes and inodes of file systems, and when they will be full. Each file system that fails is a part. */
export default defineNodeChecker({
  name: 'disk',
  headlines: { failed: 'The disk of {node} has a problem', warning: 'The disk of {node} needs attention' },
  forNode(node) {
    const paths = pathsOption(node, ['ledger', 'snapshots', 'wal', 'snap', 'msp']);
    // The raft WALs of an orderer need space for their next segments.
    const wal = node.get<string>('wal');
    return paths && { ...paths, ...(wal.value !== '' && { wal }) };
  },
  options: {
    paths: { format: 'path-list', doc: 'files or directories; their file systems are checked' },
    minimum: { format: AMOUNT, default: '5%', doc: 'least free space, such as `5%` or `2GiB`' },
    warning: { format: AMOUNT, default: '15%', doc: 'less free space than this is a warning' },
    minimumInodes: {
      format: AMOUNT,
      default: '5%',
      doc: 'least free inodes, such as `5%` or `10000`',
    },
    fullWithin: {
      format: 'duration',
      default: '72h',
      doc: 'a file system that will be full sooner than this at its current growth is a warning; `0`: never',
    },
    longestTrend: {
      format: 'duration',
      default: '24h',
      doc: 'longest period over which growth is measured',
    },
    shortestTrend: {
      format: 'duration',
      default: '1h',
      doc: 'shortest period over which growth is measured',
    },
    wal: {
      format: 'path',
      default: '',
      doc: '`Consensus.WALDir` of an orderer, which needs space for its raft WALs; empty: none',
    },
  },
  create({ options, log, metrics }) {
    const gauges = createGauges(metrics);
    const limit = (text: string): Limit => ({ text, of: parseAmount(text) });
    const limits = {
      minimum: limit(options.minimum),
      warning: limit(options.warning),
      minimumInodes: limit(options.minimumInodes),
      fullWithin: options.fullWithin,
    };
    const paths = [...new Set([...options.paths, ...(options.wal === '' ? [] : [options.wal])])];
    const names = shortNames(paths);
    /** By device. */
    const trends = new Map<number, Trend>();

    let areWalsUnreadable = false;

    /** The raft WALs in a directory; none if the agent may not read it. */
    const walsOf = async (directory: string): Promise<readonly RaftWal[]> => {
      try {
        return await readRaftWals(directory);
      } catch (error) {
        if (!isForbidden(error)) throw error;
        if (!areWalsUnreadable)
          log.info(
            `the raft WALs in ${directory} are not counted: permission denied; space is required for a new channel only`,
          );
        areWalsUnreadable = true;
        return [];
      }
    };

    const inspect = async (path: string): Promise<Inspected> => {
      try {
        const space = await readSpace(path);
        return { path, space, wals: path === options.wal ? await walsOf(path) : undefined };
      } catch (error) {
        gauges.end(path);
        const reason = describeUnreadable(error, ADVICE);
        // A slow disk is not full. A node cannot work if its disk does not respond at all.
        const isCritical = error instanceof FileNotResponding && error.duration >= HUNG_AFTER;
        return { path, problem: isCritical ? { reason } : { severity: 'warning', reason } };
      }
    };

    /** The growth of a file system. */
    const growthOf = ({ device, bytes, freeBytes }: Space): number | undefined => {
      const trend =
        trends.get(device) ?? new Trend({ longest: options.longestTrend, shortest: options.shortestTrend });
      trends.set(device, trend);
      trend.record(bytes - freeBytes, performance.now());
      return trend.growth;
    };

    /** The problem of a file system. @param same the paths in it */
    const judge = (space: Space, same: readonly Inspected[]): UnnamedFailure | undefined => {
      const wals = same.find((each) => each.wals !== undefined)?.wals;
      const system = { space, growth: growthOf(space), wals };
      for (const each of same) gauges.show(each.path, { ...system, wals: each.wals });
      return spaceProblem(system, limits, Date.now());
    };

    /** One part for each file system, with the name of its first path. */
    const partsOf = (all: readonly Inspected[]): DetailedPart[] => {
      const groups = new Map<number | string, Inspected[]>();
      for (const each of all) {
        const key = 'space' in each ? each.space.device : each.path;
        groups.set(key, [...(groups.get(key) ?? []), each]);
      }
      // A path that cannot be read may be in one of these file systems.
      if (all.every((each) => 'space' in each))
        for (const device of trends.keys()) if (!groups.has(device)) trends.delete(device);
      return [...groups.values()].flatMap((same) => {
        const [first] = same as [Inspected];
        const problem = 'space' in first ? judge(first.space, same) : first.problem;
        if (problem === undefined) return [];
        const more = same.length > 1 ? ` and ${same.length - 1} more` : '';
        const { reason, ...others } = problem;
        return [
          {
            component: names.get(first.path)!,
            reason: `${reason} (${first.path}${more})`,
            ...others,
            ...('space' in first && { steps: stepsFor(first.path) }),
          },
        ];
      });
    };

    return {
      kind: 'files',
      onTimeout: 'warning',

      init() {
        if (options.paths.length === 0) throw new Error('options.paths must name at least one directory');
        if (options.shortestTrend === 0) throw new Error('options.shortestTrend must be longer than 0s');
        if (options.longestTrend < options.shortestTrend)
          throw new Error('options.longestTrend must not be shorter than options.shortestTrend');
      },

      async check(signal) {
        const failed = partsOf(await untilAborted(Promise.all(paths.map(inspect)), signal));
        if (failed.length > 0) throw new FailedChecks(failed);
      },
    };
  },
});
