// Finds the MSP of a channel that a certificate belongs to.

import { TranslateError } from '../../proto/errors.js';
import type { Config } from '../config/element.js';
import { readConfigFile } from '../config/file.js';
import { setupChannelMsps } from '../msp/channel-msps.js';
import type { Msp } from '../msp/msp.js';
import type { Process } from './context.js';
import { CommandError } from './errors.js';
import { readSource } from './source.js';

/** The id of the MSP whose CA issued a certificate in PEM. @throws CommandError if there is none, or more than one */
export async function mspIdIn(path: string, certificate: Uint8Array, process: Process): Promise<string> {
  const { manager } = await setupChannelMsps(await readChannelConfig(path, process));
  const found: string[] = [];
  for (const msp of manager.msps.values()) {
    if ((await problemIn(msp, certificate)) === undefined) found.push(msp.name);
  }
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
  path: string,
  mspId: string,
  certificate: Uint8Array,
  process: Process,
): Promise<void> {
  const { manager } = await setupChannelMsps(await readChannelConfig(path, process));
  const msp = manager.msps.get(mspId);
  const problem = msp === undefined ? 'the channel has no such MSP' : await problemIn(msp, certificate);
  if (problem === undefined) return;
  throw new CommandError(
    `--mspid ${mspId} is wrong for ${path}: ${problem}; the MSPs of the channel are ${[...manager.msps.keys()].join(', ')}`,
  );
}

async function problemIn(msp: Msp, certificate: Uint8Array): Promise<string | undefined> {
  try {
    return (await msp.identityOf(certificate)).validationError;
  } catch (error) {
    if (error instanceof TranslateError) return error.message;
    throw error;
  }
}

async function readChannelConfig(path: string, process: Process): Promise<Config> {
  try {
    return readConfigFile(await readSource(path, process)).config;
  } catch (error) {
    if (error instanceof TranslateError)
      throw new CommandError(`--block ${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
