import { defineHealthChecker, FailedChecks, type FailedPart } from '../../../core/contract/index.js';
import { describeUnreadable, FileNotResponding, shortNames, untilAborted } from '../../../core/kit/index.js';
import { forNode } from './for-node.js';
import { bytesText, parseAmount } from './amount.js';
import { createGauges } from './gauges.js';
import { readSpace, type Space } from './space.js';

const ADVICE = 'let the user of the agent enter the directories of the path, or remove it from `paths`';

type Problem = Omit<FailedPart, 'component'>;

/** What was found at a path. */
interface Inspected {
  readonly path: string;
  /** Undefined if the path cannot be read. */
  readonly device?: number;
  readonly problem: Problem | undefined;
}

/** Checks the free bytes and inodes of file systems. Each file system that fails is a part. */
export default defineHealthChecker({
  name: 'disk',
  forNode,
  options: {
    paths: { format: 'path-list', doc: 'files or directories whose file systems are checked' },
    minimum: {
      format: (value: unknown) => void parseAmount(value),
      default: '5%',
      doc: 'least free space, such as `5%` or `2GiB`',
    },
    warning: {
      format: (value: unknown) => void parseAmount(value),
      default: '15%',
      doc: 'less free space than this is a warning',
    },
    minimumInodes: {
      format: (value: unknown) => void parseAmount(value),
      default: '5%',
      doc: 'least free inodes, such as `5%` or `10000`',
    },
  },
  create({ options, metrics }) {
    const gauges = createGauges(metrics);
    const minimum = parseAmount(options.minimum);
    const minimumInodes = parseAmount(options.minimumInodes);
    const warning = parseAmount(options.warning);

    const names = shortNames(options.paths);

    const problemOf = ({ bytes, freeBytes, inodes, freeInodes }: Space): Problem | undefined => {
      const free = `${bytesText(freeBytes)} of ${bytesText(bytes)} are free`;
      if (freeBytes < minimum(bytes)) return { reason: `${free}; the minimum is ${options.minimum}` };
      if (inodes > 0 && freeInodes < minimumInodes(inodes))
        return {
          reason: `${freeInodes} of ${inodes} inodes are free; the minimum is ${options.minimumInodes}`,
        };
      if (freeBytes >= warning(bytes)) return undefined;
      return { severity: 'warning', reason: `${free}; less than ${options.warning} is a warning` };
    };

    /** What is wrong with the file system of a path. */
    const inspect = async (path: string): Promise<Inspected> => {
      try {
        const space = await readSpace(path);
        gauges.show(path, space);
        return { path, device: space.device, problem: problemOf(space) };
      } catch (error) {
        gauges.end(path);
        const reason = describeUnreadable(error, ADVICE);
        // A node whose disk does not respond cannot work.
        return {
          path,
          problem:
            error instanceof FileNotResponding && error.isOwn ? { reason } : { severity: 'warning', reason },
        };
      }
    };

    /** One part for each file system, with the name of its first path. */
    const partsOf = (all: readonly Inspected[]): FailedPart[] =>
      all.flatMap(({ path, device, problem }, index) => {
        const same = device === undefined ? [] : all.filter((other) => other.device === device);
        if (problem === undefined || (same.length > 0 && all.indexOf(same[0]!) !== index)) return [];
        const others = same.length > 1 ? ` and ${same.length - 1} more` : '';
        const { reason, ...severity } = problem;
        return [{ component: names.get(path)!, reason: `${reason} (${path}${others})`, ...severity }];
      });

    return {
      init() {
        if (options.paths.length === 0) throw new Error('options.paths must name at least one directory');
      },

      async check(signal) {
        const failed = partsOf(await untilAborted(Promise.all(options.paths.map(inspect)), signal));
        if (failed.length > 0) throw new FailedChecks(failed);
      },
    };
  },
});
