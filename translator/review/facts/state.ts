// A config with its policies, MSPs and consenters, before or after the update.

import type { Config, ConfigGroup } from '../../channel/element.js';
import { mspIdOf } from '../../channel/msp-id.js';
import { valueOrEmpty } from '../../channel/values.js';
import { readMspConfig, type MspConfig } from '../../msp/config.js';
import { TranslateError } from '../../../proto/errors.js';
import type { MspManager } from '../../msp/manager.js';
import type { ChannelMsps } from '../../msp/channel-msps.js';
import { createPolicies, type Policies } from '../../policy/policies.js';

const FABRIC_MSP = 0;
const IDEMIX_MSP = 1;

/** A config, before or after the update. */
export interface State {
  readonly config: Config;
  readonly policies: Policies;
  readonly msps: MspManager;
  readonly organizations: readonly Organization[];
  readonly now: Date;
  /** Certificates that end before this time are reported: `now`, or later for those that expire soon. */
  readonly horizon: Date;
}

/** A config with its MSPs at a time. */
export const stateOf = (config: Config, { manager }: ChannelMsps, now: Date, horizon = now): State => ({
  config,
  policies: createPolicies(config.channelGroup),
  msps: manager,
  organizations: organizationsOf(config),
  now,
  horizon,
});

/** The end of a certificate, as data of a finding. */
export const expiryOf = (notAfter: Date, { now }: State): { notAfter: string; isExpired: boolean } => ({
  notAfter: notAfter.toISOString(),
  isExpired: notAfter < now,
});

/** An organisation of any group. */
export interface Organization {
  readonly name: string;
  readonly section: 'Application' | 'Orderer';
  /** `/Channel/Application/Org1` */
  readonly path: string;
  readonly group: ConfigGroup;
  readonly mspId: string | undefined;
  /** Reads its MSP; undefined if it has none or one that does not parse. */
  readonly readMsp: () => MspConfig | undefined;
}

/** The organisations of a channel. */
export function organizationsOf({ channelGroup }: Config): Organization[] {
  return (['Application', 'Orderer'] as const).flatMap((section) =>
    [...(channelGroup.groups.get(section)?.groups ?? [])].map(([name, group]) => ({
      name,
      section,
      path: `/Channel/${section}/${name}`,
      group,
      mspId: mspIdOf(group),
      readMsp: once(() => mspOf(group)),
    })),
  );
}

/** Whether the MSP of an organisation is of the type idemix, which is not checked. */
export const isIdemix = ({ group }: Organization): boolean =>
  valueOrEmpty(group, 'applicationOrganization', 'MSP').type === IDEMIX_MSP;

function once<Result>(call: () => Result): () => Result {
  let result: { readonly value: Result } | undefined;
  return () => (result ??= { value: call() }).value;
}

function mspOf(group: ConfigGroup): MspConfig | undefined {
  try {
    const { type, config } = valueOrEmpty(group, 'applicationOrganization', 'MSP');
    return type !== FABRIC_MSP || config.length === 0 ? undefined : readMspConfig(config);
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}

/** The Orderer group; undefined if there is none. */
export const ordererOf = ({ config }: Pick<State, 'config'>): ConfigGroup | undefined =>
  config.channelGroup.groups.get('Orderer');
