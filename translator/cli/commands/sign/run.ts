// `sign`: shows a config update and signs it.

import { readConfigFile } from '../../../config/file.js';
import { fingerprintOf } from '../../../config/fingerprint.js';
import { allowedOf } from '../../allowed.js';
import { writeBinary } from '../../binary-output.js';
import { readChannelInput } from '../../channel-file.js';
import type { Context } from '../../context.js';
import { CommandError, UsageError } from '../../errors.js';
import { updatesIn } from '../../proposals.js';
import { isDirectory } from '../../source.js';
import { signUpdate, type NamedBlock } from '../../sign-update.js';
import { readUpdateFile, type UpdateFile } from '../../update-file.js';
import { requiredArgument, type Values } from '../../values.js';

/** @throws CommandError */
export async function run(values: Values, context: Context): Promise<void> {
  const { process } = context;
  const path = requiredArgument(values, 0, 'file');
  const allowed = allowedOf(values);
  const isMany = isDirectory(path);
  if (isMany && values.optional('block') !== undefined)
    throw new UsageError('the updates of a folder may be for several channels: sign them without --block');
  const output = values.one('output');
  if (isMany && output !== '/dev/stdout')
    throw new UsageError('the files of a folder are signed in place, without --output');
  for (const each of isMany ? updatesIn(path, process) : [path]) {
    const file = readUpdateFile(each, process);
    if (file.content.channelId === '')
      throw new CommandError(`${each}: the envelope has no channel id; it must name the channel`);
    await expectFingerprint(values.optional('expect'), file);
    const block = await blockOf(values, context);
    const options = { block, allowed, isShown: !values.isSet('quiet') };
    writeBinary(isMany ? each : output, await signUpdate(file, options, values, process), process);
  }
}

/** The config block of the channel, if it is given. */
async function blockOf(values: Values, context: Context): Promise<NamedBlock | undefined> {
  const path = values.optional('block');
  if (path === undefined) return undefined;
  return { path, ...(await readChannelInput(path, values, context, readConfigFile)) };
}

async function expectFingerprint(expected: string | undefined, { path, content }: UpdateFile): Promise<void> {
  if (expected === undefined) return;
  const found = await fingerprintOf(content.update);
  if (expected.trim().toLowerCase() !== found)
    throw new CommandError(`${path} has the fingerprint ${found}, not ${expected}: it was not signed`);
}
