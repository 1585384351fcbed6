// The metrics of the configs of channels. Series end with what they show.

import type { MetricFactory } from '../../../core/contract/index.js';
import type { ConfigFacts } from './config.js';

/** The config of a channel, and what it says about the node; undefined: unknown. */
export interface ShownConfig {
  readonly facts: ConfigFacts;
  /** Whether the node is one of its consenters. */
  readonly isConsenter: boolean | undefined;
  /** Whether a TLS CA of its organisation has issued its TLS certificate. */
  readonly isVerifiable: boolean | undefined;
}

/** The metrics of one instance. */
export interface ConfigGauges {
  /** Shows these channels instead of those before. */
  show(channels: ReadonlyMap<string, ShownConfig>): void;
}

/** Creates the metrics. @param component the name of the instance */
export function createGauges(metrics: MetricFactory, component: string): ConfigGauges {
  const notAfter = metrics.gauge({
    namespace: 'x509',
    name: 'channel_cert_not_after',
    help: 'When the certificate in the config of a channel expires, in seconds since the epoch.',
    labelNames: ['component', 'channel', 'organisation', 'consenter', 'use', 'subject', 'serial'],
  });
  const daysLeft = metrics.gauge({
    namespace: 'x509',
    name: 'channel_cert_days_left',
    help: 'How many days the certificate that expires first is valid, of those with the same use; negative after its end.',
    labelNames: ['component', 'channel', 'organisation', 'use'],
  });
  const maintenance = metrics.gauge({
    namespace: 'channel_config',
    name: 'maintenance',
    help: 'Whether the channel is in maintenance mode: 1 if it is, else 0.',
    labelNames: ['component', 'channel'],
  });
  const consenter = metrics.gauge({
    namespace: 'channel_config',
    name: 'consenter',
    help: 'Whether the TLS certificate of the orderer belongs to a consenter: 1 if it is, else 0.',
    labelNames: ['component', 'channel'],
  });
  let shown = new Map<string, { readonly facts: ConfigFacts; readonly end: () => void }>();

  const showConfig = (channel: string, { facts }: ShownConfig): (() => void) => {
    const all = facts.certificates.map(
      ({ organisation, consenter: address, use, subject, serial, notAfter: end }) => {
        const labels = { component, channel, organisation, consenter: address, use, subject, serial };
        notAfter.with(labels).set(end / 1000);
        return labels;
      },
    );
    maintenance.with({ component, channel }).set(facts.isInMaintenance ? 1 : 0);
    return () => {
      for (const labels of all) {
        notAfter.remove(labels);
        const { organisation, use } = labels;
        daysLeft.remove({ component, channel, organisation, use });
      }
      maintenance.remove({ component, channel });
      consenter.remove({ component, channel });
    };
  };

  return {
    show(channels) {
      const next = new Map<string, { readonly facts: ConfigFacts; readonly end: () => void }>();
      for (const [channel, { facts, end }] of shown)
        if (channels.get(channel)?.facts !== facts) end();
        else next.set(channel, { facts, end });
      for (const [channel, config] of channels) {
        if (!next.has(channel)) next.set(channel, { facts: config.facts, end: showConfig(channel, config) });
        const { isConsenter } = config;
        if (isConsenter !== undefined) consenter.with({ component, channel }).set(isConsenter ? 1 : 0);
        for (const { organisation, use, notAfter: end } of firstToExpire(config.facts))
          daysLeft.with({ component, channel, organisation, use }).set(Math.floor((end - Date.now()) / DAY));
      }
      shown = next;
    },
  };
}

const DAY = 86_400_000;

/** The certificate that expires first of each organisation and use. */
function firstToExpire({ certificates }: ConfigFacts): Iterable<ConfigFacts['certificates'][number]> {
  const first = new Map<string, ConfigFacts['certificates'][number]>();
  for (const each of certificates) {
    const key = `${each.use} ${each.organisation}`;
    if (each.notAfter < (first.get(key)?.notAfter ?? Infinity)) first.set(key, each);
  }
  return first.values();
}
