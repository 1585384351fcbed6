import { defineHealthChecker, FailedChecks, type FailedPart } from '../../../core/contract/index.js';
import { describeError } from '../../../core/common/client/reason.js';
import { untilAborted } from '../../../core/common/flow/until-aborted.js';
import { bytesText, parseAmount } from './amount.js';
import { createGauges } from './gauges.js';
import { readSpace, type Space } from './space.js';

/** Checks the free bytes and inodes of file systems. Each path that fails is a part. */
export default defineHealthChecker({
  name: 'disk',
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

    const problemsOf = (component: string, { bytes, freeBytes, inodes, freeInodes }: Space): FailedPart[] => {
      const free = `${bytesText(freeBytes)} of ${bytesText(bytes)} are free`;
      if (freeBytes < minimum(bytes))
        return [{ component, reason: `${free}; the minimum is ${options.minimum}` }];
      if (inodes > 0 && freeInodes < minimumInodes(inodes)) {
        const reason = `${freeInodes} of ${inodes} inodes are free; the minimum is ${options.minimumInodes}`;
        return [{ component, reason }];
      }
      if (freeBytes >= warning(bytes)) return [];
      return [
        { component, severity: 'warning', reason: `${free}; less than ${options.warning} is a warning` },
      ];
    };

    const inspect = async (path: string): Promise<FailedPart[]> => {
      try {
        const space = await readSpace(path);
        gauges.show(path, space);
        return problemsOf(path, space);
      } catch (error) {
        gauges.end(path);
        return [{ component: path, severity: 'warning', reason: describeError(error, false) }];
      }
    };

    return {
      init() {
        if (options.paths.length === 0) throw new Error('options.paths must name at least one directory');
      },

      async check(signal) {
        const failed = (await untilAborted(Promise.all(options.paths.map(inspect)), signal)).flat();
        if (failed.length > 0) throw new FailedChecks(failed);
      },
    };
  },
});
