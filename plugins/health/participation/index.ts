import { FailedChecks, reasonOf, type FailedPart } from '../../../core/contract/index.js';
import type { HostPort } from '../../../core/contract/index.js';
import { defineNodeChecker, type ForNode, warningAfter } from '../../../core/contract/internal/index.js';
import { ConditionDurations, formatHostPort, HttpClient } from '../../../core/kit/index.js';
import { checkOperationsOptions, isAnyHost, OPERATIONS_OPTIONS } from '../../../core/kit/internal/index.js';
import type { ChannelInfo } from './channels.js';
import { createHeights } from './heights.js';
import { readChannels } from './read.js';

/** The Admin endpoint of an orderer. */
const forNode: ForNode = (node) => {
  const { value: listen, origin } = node.get<HostPort | null>('admin.listenAddress');
  if (node.kind !== 'orderer' || !node.get<boolean>('participation.enabled').value) return undefined;
  if (listen === null || listen.port === 0) return undefined;
  // An endpoint that listens on all addresses is reached at the host of the operations endpoint.
  const { host } = isAnyHost(listen.host) ? node.address.value : listen;
  const tls = node.get<boolean>('admin.tls.enabled');
  const certificate = node.get<string>('admin.tls.certificate');
  return {
    address: { value: formatHostPort({ host, port: listen.port }), origin },
    tls,
    ...(tls.value && { certificate, ...node.admin }),
  };
};

/** Checks the channels of an orderer at its Admin endpoint. Each channel that fails is a part. */
export default defineNodeChecker({
  name: 'participation',
  headlines: { failed: '{part} has failed on {node}', warning: '{node} is still joining {part}' },
  forNode,
  options: {
    ...OPERATIONS_OPTIONS,
    address: { format: 'host-port', doc: 'address of the Admin endpoint of the orderer' },
    onboardingTimeout: {
      format: 'duration',
      default: '10m',
      doc: 'how long a channel may have the status `onboarding`',
    },
  },
  create({ name, options, log, metrics, node, facts }) {
    const client = new HttpClient(options, log);
    const heights = createHeights(metrics, name);
    const held = new ConditionDurations();

    const failuresOf = (channels: readonly ChannelInfo[]): FailedPart[] => {
      const onboarding = channels.filter(({ status }) => status === 'onboarding').map((each) => each.name);
      const durations = held.record(onboarding, performance.now());
      return channels.flatMap(({ name: component, status, height }) => {
        if (status === 'failed')
          return [{ component, reason: `the orderer has failed in the channel, at height ${height}` }];
        const duration = durations.get(component) ?? 0;
        if (status !== 'onboarding' || duration < options.onboardingTimeout) return [];
        const reason = `the orderer has been onboarding for ${Math.floor(duration / 60_000)} minutes, at height ${height}`;
        return [{ component, reason, severity: 'warning' }];
      });
    };

    return {
      onTimeout: 'warning',

      init: () => checkOperationsOptions(options),
      start: () => client.open(),

      async check(signal) {
        let channels: readonly ChannelInfo[] = [];
        const requestedAt = performance.now();
        try {
          channels = await readChannels(client, signal);
          facts.publish('channels', { names: channels.map((channel) => channel.name), requestedAt });
        } catch (error) {
          signal.throwIfAborted();
          // The orderer works without its Admin endpoint.
          throw warningAfter(reasonOf(error), node);
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
