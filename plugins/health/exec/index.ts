import { defineHealthChecker } from '../../../core/contract/index.js';
import { COMMAND_OPTIONS, Poller, runCommand } from '../../../core/kit/index.js';
import { createGauges } from './gauges.js';
import { failureOfCommand } from './outcome.js';
import { readOutput } from './output.js';

/** Shortest and longest interval and timeout, in milliseconds. */
const MIN_TIME = 100;
const MAX_TIME = 3_600_000;

/** Runs a command in the manner of monitoring plugins (Nagios, Icinga), in the background at an interval. */
export default defineHealthChecker({
  name: 'exec',
  options: {
    ...COMMAND_OPTIONS,
    interval: { format: 'duration', default: '1m', doc: 'time between the starts of two runs' },
    timeout: { format: 'duration', default: '10s', doc: 'time limit for a run' },
    unknown: {
      format: ['critical', 'warning'],
      default: 'critical',
      doc: 'severity of the exit status 3 (unknown)',
    },
  },
  create({ name, options, metrics }) {
    const show = createGauges(metrics, name);
    const { interval, timeout } = options;
    const poller = new Poller({ interval, timeout, what: 'the command' }, async (signal) => {
      const result = await runCommand(options, { signal }).catch((error: unknown) => {
        show([]);
        throw error;
      });
      const { text, data } = readOutput(result.stdout);
      show(data);
      const failure = failureOfCommand(result, text, options.unknown);
      if (failure !== undefined) throw failure;
    });

    return {
      init() {
        for (const time of ['interval', 'timeout'] as const)
          if (options[time] < MIN_TIME || options[time] > MAX_TIME)
            throw new Error(`options.${time}: must be from 100ms to 1h`);
      },
      start: () => poller.start(),
      check: (signal) => poller.outcome(signal),
      stop: () => poller.stop(),
    };
  },
});
