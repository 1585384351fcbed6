import { defineHealthChecker, FailedChecks, type FailedPart } from '../../../core/contract/index.js';
import { Holding } from '../../common/holding.js';
import { OperationsClient } from '../../common/operations-client.js';
import { OPERATIONS_OPTIONS } from '../../common/operations-options.js';
import { describeStatus } from '../../common/reason.js';
import { channelInfo, channelNames, type ChannelInfo } from './channels.js';
import { createHeights } from './heights.js';

const LIST = '/participation/v1/channels';
/** Requests at a time. */
const CONCURRENCY = 4;

/** Checks the channels of an orderer at its Admin endpoint. Each channel that fails is a part. */
export default defineHealthChecker({
  name: 'participation',
  options: {
    ...OPERATIONS_OPTIONS,
    address: { format: 'host-port', doc: 'address of the Admin endpoint of the orderer' },
    onboardingTimeout: {
      format: 'duration',
      default: '10m',
      doc: 'how long a channel may have the status `onboarding`',
    },
  },
  create({ name, options, log, metrics }) {
    const client = new OperationsClient(options, log);
    const heights = createHeights(metrics, name);
    const holding = new Holding();

    const get = async <T>(path: string, signal: AbortSignal, parse: (text: string) => T): Promise<T> => {
      const request = { method: 'GET', path, signal } as const;
      const { status, body } = await client.send(request);
      try {
        if (status !== 200) throw new Error(describeStatus(status, body.toString(), 'error'));
        return parse(body.toString());
      } catch (error) {
        throw new Error(`${client.describe(request)}: ${(error as Error).message}`, { cause: error });
      }
    };

    const readChannels = async (signal: AbortSignal): Promise<ChannelInfo[]> => {
      const names = await get(LIST, signal, channelNames);
      const channels: ChannelInfo[] = [];
      const remaining = names.values();
      const worker = async (): Promise<void> => {
        for (const each of remaining)
          channels.push(await get(`${LIST}/${encodeURIComponent(each)}`, signal, channelInfo));
      };
      await Promise.all(Array.from({ length: Math.min(CONCURRENCY, names.length) }, worker));
      return channels;
    };

    const failuresOf = (channels: readonly ChannelInfo[]): FailedPart[] => {
      const onboarding = channels.filter(({ status }) => status === 'onboarding').map((each) => each.name);
      const durations = holding.record(onboarding, performance.now());
      return channels.flatMap(({ name: component, status, height }) => {
        if (status === 'failed')
          return [{ component, reason: `the orderer has failed in the channel, at height ${height}` }];
        const duration = durations.get(component) ?? 0;
        if (status !== 'onboarding' || duration < options.onboardingTimeout) return [];
        const reason = `the orderer is onboarding for ${Math.floor(duration / 60_000)} minutes, at height ${height}`;
        return [{ component, reason }];
      });
    };

    return {
      init: () => client.init(),
      start: () => client.open(),

      async check(signal) {
        let channels: readonly ChannelInfo[] = [];
        try {
          channels = await readChannels(signal);
        } finally {
          heights.show(channels);
        }
        const failed = failuresOf(channels);
        if (failed.length > 0) throw new FailedChecks(failed);
      },

      stop: () => client.close(),
    };
  },
});
