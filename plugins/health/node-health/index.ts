import { CheckWarning, FailedChecks } from '../../../core/contract/index.js';
import { defineNodeChecker, endpointOptions } from '../../../core/contract/internal/index.js';
import { HttpClient, Poller } from '../../../core/kit/index.js';
import {
  checkOperationsOptions,
  formerFilesText,
  isUnresolved,
  OPERATIONS_OPTIONS,
} from '../../../core/kit/internal/index.js';
import { clockProblem, differenceOf } from './clock.js';
import { failureIn } from './outcome.js';
import { HEALTH, pollNode } from './poll.js';

/** Shortest and longest interval and timeout, in milliseconds. */
const MIN_TIME = 100;
const MAX_TIME = 3_600_000;

/** Whether a request failed because the server certificate has expired or is not valid yet. */
const isOfTime = (error: unknown): boolean =>
  ['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'].includes(
    ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? '',
  );

/** Reports the health of a Fabric node. A node may take 30 s to check itself, so it is polled in the background. */
export default defineNodeChecker({
  name: 'node-health',
  headlines: {
    failed: 'The health check {part} of {node} fails',
    warning: 'The health check {part} of {node} fails',
  },
  forNode(node, agent) {
    if (!node.health.value) return undefined;
    const { isDefault, ...interval } = agent.get('health.interval');
    return { ...endpointOptions(node), ...(!isDefault && { interval }) };
  },
  // The checker has the name of the node.
  nodeComponent: '',
  options: {
    ...OPERATIONS_OPTIONS,
    interval: { format: 'duration', default: '5s', doc: 'time between two polls of the node' },
    timeout: { format: 'duration', default: '30s', doc: 'time limit for a poll' },
  },
  create({ options, log, clock }) {
    const client = new HttpClient(options, log);
    let hasResponded = false;
    const poller = new Poller(options, async (signal) => {
      const startedAt = Date.now();
      const say = (date: string | undefined): string | undefined => {
        const difference = differenceOf({ date, startedAt, endedAt: Date.now() });
        clock.record(difference === undefined ? {} : { difference });
        return clockProblem(difference);
      };
      const response = await pollNode(client, signal).catch(async (error: unknown) => {
        // The date shows whether the certificate or the clock of this host is wrong.
        if (isOfTime(error)) say(await client.unverifiedDate(HEALTH.path, signal).catch(() => undefined));
        // The name of a container that was stopped has no address any longer.
        if (!hasResponded && isUnresolved(error))
          throw new Error(
            `the agent cannot resolve ${options.address.host}, so it is unknown whether the node runs: correct its address, or the name resolution of this host`,
            { cause: error },
          );
        throw error;
      });
      hasResponded = true;
      const difference = say(response.headers.date);
      const failure = failureIn(response);
      if (failure instanceof FailedChecks) throw failure;
      if (failure !== undefined) throw new Error(`${client.describe(HEALTH)}: ${failure}`);
      const warnings = [difference, client.usesFormerFiles ? formerFilesText('the node') : undefined];
      const found = warnings.filter((each) => each !== undefined);
      if (found.length > 0) throw new CheckWarning(found.join('; '));
    });

    return {
      init() {
        checkOperationsOptions(options);
        for (const name of ['interval', 'timeout'] as const)
          if (options[name] < MIN_TIME || options[name] > MAX_TIME)
            throw new Error(`options.${name}: must be from 100ms to 1h`);
      },

      start() {
        client.open();
        poller.start();
      },

      check: (signal) => poller.outcome(signal),

      stop() {
        poller.stop();
        client.close();
      },
    };
  },
});
