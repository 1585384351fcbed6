// The metrics of channel configs. Series end when their channel, certificate or consenter is removed.

import { createYielder, type MetricFactory } from '../../../core/contract/index.js';
import type { KnownConfig, KnownCertificate } from './config.js';

const CERTIFICATES_PER_CHECK = 16;

/** The config of a channel, and how the node fits it; undefined: unknown. */
export interface ShownConfig {
  readonly config: KnownConfig;
  /** The number of its block. */
  readonly block: bigint;
  /** Whether the node is one of its consenters. */
  readonly isConsenter: boolean | undefined;
  /** Whether a TLS CA of its organisation has issued its TLS certificate. */
  readonly isVerifiable: boolean | undefined;
}

/** The metrics of one instance. */
interface ConfigGauges {
  /** Replaces the channels in the metrics. Other code can run between two certificates. */
  show(channels: ReadonlyMap<string, ShownConfig>): Promise<void>;
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
    help: 'Days until the first of the certificates with the same use expires; negative after it has expired.',
    labelNames: ['component', 'channel', 'organisation', 'use'],
  });
  const block = metrics.gauge({
    namespace: 'channel_config',
    name: 'block',
    help: 'The number of the newest config block of the channel.',
    labelNames: ['component', 'channel'],
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
    help: 'Whether the orderer is a consenter, by its TLS certificate or with BFT by its signing certificate: 1 if it is, else 0.',
    labelNames: ['component', 'channel'],
  });
  let shown = new Map<string, KnownConfig>();
  const yieldIfDue = createYielder(CERTIFICATES_PER_CHECK);

  const labelsOf = (channel: string, certificate: KnownCertificate) => {
    const { organisation, consenter: address, use, subject, serial } = certificate;
    return { component, channel, organisation, consenter: address, use, subject, serial };
  };

  /** Ends the series of a config that are not in the next config. */
  const end = async (channel: string, config: KnownConfig, next: KnownConfig | undefined): Promise<void> => {
    const kept = new Set(next?.certificates.map((each) => JSON.stringify(labelsOf(channel, each))));
    for (const certificate of config.certificates) {
      await yieldIfDue();
      const labels = labelsOf(channel, certificate);
      if (!kept.has(JSON.stringify(labels))) notAfter.remove(labels);
    }
    const keptUses = firstToExpire(next?.certificates ?? []);
    for (const [key, { organisation, use }] of firstToExpire(config.certificates))
      if (!keptUses.has(key)) daysLeft.remove({ component, channel, organisation, use });
    if (next === undefined) {
      block.remove({ component, channel });
      maintenance.remove({ component, channel });
      consenter.remove({ component, channel });
    }
  };

  const showConfig = async (
    channel: string,
    { config, block: number, isConsenter }: ShownConfig,
  ): Promise<void> => {
    if (shown.get(channel) !== config)
      for (const certificate of config.certificates) {
        await yieldIfDue();
        notAfter.with(labelsOf(channel, certificate)).set(certificate.notAfter / 1000);
      }
    block.with({ component, channel }).set(Number(number));
    maintenance.with({ component, channel }).set(config.isInMaintenance ? 1 : 0);
    if (isConsenter === undefined) consenter.remove({ component, channel });
    else consenter.with({ component, channel }).set(isConsenter ? 1 : 0);
    for (const { organisation, use, notAfter: time } of firstToExpire(config.certificates).values())
      daysLeft.with({ component, channel, organisation, use }).set(Math.floor((time - Date.now()) / DAY));
  };

  return {
    async show(channels) {
      for (const [channel, config] of shown) {
        const next = channels.get(channel)?.config;
        if (next !== config) await end(channel, config, next);
      }
      for (const [channel, each] of channels) await showConfig(channel, each);
      shown = new Map([...channels].map(([channel, { config }]) => [channel, config]));
    },
  };
}

const DAY = 86_400_000;

/** The certificate that expires first, for each use and organisation. */
function firstToExpire(certificates: readonly KnownCertificate[]): ReadonlyMap<string, KnownCertificate> {
  const first = new Map<string, KnownCertificate>();
  for (const each of certificates) {
    const key = `${each.use} ${each.organisation}`;
    if (each.notAfter < (first.get(key)?.notAfter ?? Infinity)) first.set(key, each);
  }
  return first;
}
