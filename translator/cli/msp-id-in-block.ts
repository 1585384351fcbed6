// Finds the MSP of a channel that a certificate belongs to.

import { TranslateError } from '../../proto/errors.js';
import type { Config } from '../config/element.js';
import { messageKindOf } from '../config/message-kind.js';
import { readConfig } from '../config/read.js';
import { setupChannelMsps } from '../msp/channel-msps.js';
import { MspError } from '../msp/errors.js';
import { Fields } from '../msp/message.js';
import type { Process } from './context.js';
import { CommandError } from './errors.js';
import { readInput } from './files.js';

/** The fields on the way from a message to its config. */
const WAYS: ReadonlyMap<string, readonly number[]> = new Map([
  // data, its first envelope, payload, data, config
  ['common.Block', [2, 1, 1, 2, 1]],
  ['common.Envelope', [1, 2, 1]],
  ['common.ConfigEnvelope', [1]],
  ['common.Config', []],
]);

/** The id of the MSP whose CA issued a certificate in PEM. @throws CommandError if there is none, or more than one */
export async function mspIdIn(path: string, certificate: Uint8Array, process: Process): Promise<string> {
  const { manager } = await setupChannelMsps(readChannelConfig(path, process), new Date());
  const found: string[] = [];
  for (const msp of manager.msps.values()) {
    try {
      const identity = await msp.identityOf(certificate);
      if (identity.validationError === undefined) found.push(msp.name);
    } catch (error) {
      if (!(error instanceof MspError)) throw error;
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
  const bytes = readInput(path, process);
  const kind = messageKindOf(bytes);
  const way = kind?.configPath === undefined ? undefined : WAYS.get(kind.type);
  if (way === undefined)
    throw new CommandError(
      `--block ${path} is ${kind === undefined ? 'not a config block' : `a ${kind.type}`}, a config block is needed`,
    );
  try {
    let config: Uint8Array = bytes;
    // The first value: a config block has one envelope.
    for (const number of way) config = new Fields(config).all(number)[0] ?? new Uint8Array();
    return readConfig(config);
  } catch (error) {
    if (error instanceof TranslateError || error instanceof MspError)
      throw new CommandError(`--block ${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
