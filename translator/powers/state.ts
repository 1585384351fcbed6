// A config with its policies, MSPs and consenters, before or after the update.

import { attempt } from '../../proto/errors.js';
import { channelOf, type Channel, type Organization, type Config } from '../channel/index.js';
import {
  readMspConfig,
  type MspConfig,
  type MspManager,
  type ChannelMsps,
  type Program,
  FABRIC,
  IDEMIX,
} from '../msp/index.js';
import { createPolicies, type Policies } from '../policy/index.js';

/** A config, before or after the update. */
export interface State {
  readonly config: Config;
  readonly channel: Channel;
  readonly policies: Policies;
  readonly msps: MspManager;
  /** The program of its nodes. */
  readonly program: Program;
  readonly now: Date;
  /** Certificates that end before this time are reported: `now`, or later for those that expire soon. */
  readonly horizon: Date;
}

/** A config with its MSPs at a time. */
export const stateOf = (
  config: Config,
  { manager, program }: ChannelMsps,
  now: Date,
  horizon = now,
): State => ({
  config,
  channel: channelOf(config),
  policies: createPolicies(config.channelGroup),
  msps: manager,
  program,
  now,
  horizon,
});

/** The end of a certificate, as data of a finding. */
export const expiryOf = (notAfter: Date, { now }: State): { notAfter: string; isExpired: boolean } => ({
  notAfter: notAfter.toISOString(),
  isExpired: notAfter < now,
});

const msps = new WeakMap<Organization, { readonly msp: MspConfig | undefined }>();

/** The MSP of an organisation, read once; undefined if it has none, one of another type than certificates, or one that does not parse. */
export function mspOf(organization: Organization): MspConfig | undefined {
  let known = msps.get(organization);
  if (known === undefined) msps.set(organization, (known = { msp: readMsp(organization) }));
  return known.msp;
}

const readMsp = (organization: Organization): MspConfig | undefined =>
  attempt(
    () => {
      const { type, config } = organization.mspConfig ?? {};
      return type !== FABRIC || config === undefined || config.length === 0
        ? undefined
        : readMspConfig(config);
    },
    () => undefined,
  );

/** Whether the MSP of an organisation is of the type idemix, which is not checked. */
export const isIdemix = ({ mspConfig }: Organization): boolean => mspConfig?.type === IDEMIX;
