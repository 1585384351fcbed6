// Finds the MSP of a channel that a certificate belongs to.

import type { Config } from '../config/element.js';
import { setupChannelMsps } from '../msp/channel-msps.js';
import { membershipProblem, mspIdsOf } from '../msp/msp-of-certificate.js';
import { CommandError } from './errors.js';

/** A channel, and where its config comes from. */
export interface NamedConfig {
  readonly path: string;
  readonly config: Config;
}

/** The id of the MSP whose CA issued a certificate in PEM. @throws CommandError if there is none, or more than one */
export async function mspIdIn({ path, config }: NamedConfig, certificate: Uint8Array): Promise<string> {
  const { manager } = await setupChannelMsps(config);
  const found = await mspIdsOf(manager, certificate);
  const [id, ...others] = found;
  if (id !== undefined && others.length === 0) return id;
  const all = [...manager.msps.keys()].join(', ');
  throw new CommandError(
    id === undefined
      ? `the certificate belongs to no MSP in ${path} (${all}): give its id with --mspid`
      : `the certificate belongs to several MSPs in ${path} (${found.join(', ')}): choose one with --mspid`,
  );
}

/** Checks that a certificate in PEM belongs to an MSP of the channel. @throws CommandError if the block disproves it */
export async function checkMspId(
  { path, config }: NamedConfig,
  mspId: string,
  certificate: Uint8Array,
): Promise<void> {
  const { manager } = await setupChannelMsps(config);
  const msp = manager.msps.get(mspId);
  const problem =
    msp === undefined ? 'the channel has no such MSP' : await membershipProblem(msp, certificate);
  if (problem === undefined) return;
  throw new CommandError(
    `--mspid ${mspId} is wrong for ${path}: ${problem}; the MSPs of the channel are ${[...manager.msps.keys()].join(', ')}`,
  );
}
