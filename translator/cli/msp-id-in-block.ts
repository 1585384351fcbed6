// Finds the MSP of a channel that a certificate belongs to.

import { TranslateError } from '../../proto/errors.js';
import type { Config } from '../config/element.js';
import { readConfigFile } from '../config/file.js';
import { setupChannelMsps } from '../msp/channel-msps.js';
import type { Process } from './context.js';
import { CommandError } from './errors.js';
import { readInput } from './files.js';

/** The id of the MSP whose CA issued a certificate in PEM. @throws CommandError if there is none, or more than one */
export async function mspIdIn(path: string, certificate: Uint8Array, process: Process): Promise<string> {
  const { manager } = await setupChannelMsps(readChannelConfig(path, process));
  const found: string[] = [];
  for (const msp of manager.msps.values()) {
    try {
      const identity = await msp.identityOf(certificate);
      if (identity.validationError === undefined) found.push(msp.name);
    } catch (error) {
      if (!(error instanceof TranslateError)) throw error;
    }
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

function readChannelConfig(path: string, process: Process): Config {
  try {
    return readConfigFile(readInput(path, process)).config;
  } catch (error) {
    if (error instanceof TranslateError)
      throw new CommandError(`--block ${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
