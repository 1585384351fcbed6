// `sign`: signs a config update.

import { sign } from '../../../sign/sign.js';
import { writeBinary } from '../../binary-output.js';
import type { Context, Process } from '../../context.js';
import { CommandError, UsageError } from '../../errors.js';
import { readMspDirectory, signingIdentityOf, type MspDirectory } from '../../msp-directory.js';
import { mspIdIn } from '../../msp-id-in-block.js';
import { readUpdateFile } from '../../update-file.js';
import { requiredArgument, type Values } from '../../values.js';

/** @throws CommandError */
export async function run(values: Values, { process }: Context): Promise<void> {
  const path = requiredArgument(values, 0, 'file');
  const { bytes, content } = readUpdateFile(path, process);
  if (content.channelId === '')
    throw new CommandError(`${path}: the envelope has no channel id; it must name the channel`);
  const directory = readMspDirectory(values.one('msp'));
  const signer = await signingIdentityOf(directory, await mspIdOf(values, directory, process));
  writeBinary(values.one('output'), await sign(bytes, signer, new Date()), process);
}

async function mspIdOf(values: Values, { certificate }: MspDirectory, process: Process): Promise<string> {
  const given = values.optional('mspid');
  if (given !== undefined && given !== '') return given;
  const block = values.optional('block');
  if (block === undefined)
    throw new UsageError(
      'the id of the MSP is needed: --mspid ID, or --block with a config block of the channel',
    );
  return mspIdIn(block, certificate, process);
}
