import { defineMetricSource, SourceError } from '../../../core/contract/index.js';
import { COMMAND_OPTIONS, describeEnd, runCommand } from '../../../core/kit/index.js';
import { ExpositionParser, MAX_METRICS_SIZE, readExposition } from '../../../core/kit/metrics.js';

/** Reads the metrics that a command writes in the Prometheus text format. */
export default defineMetricSource({
  name: 'exec',
  options: COMMAND_OPTIONS,
  create({ options }) {
    const parser = new ExpositionParser();
    return {
      async read(signal) {
        const result = await runCommand(options, { signal, maxOutput: MAX_METRICS_SIZE });
        if (result.status !== 0) throw new SourceError('status', describeEnd(result, result.stderr));
        return readExposition(parser, result.stdoutBytes, 'the output of the command', signal);
      },
    };
  },
});
