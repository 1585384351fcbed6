// `sign`: shows a config update and signs it.

import { readConfigFile } from '../../../config/file.js';
import { fingerprintOf } from '../../../config/fingerprint.js';
import { isNetworkAddress, withChannel } from '../../../source/network/address.js';
import { allowedOf } from '../../allowed.js';
import { writeBinary } from '../../binary-output.js';
import { readChannelInput } from '../../channel-file.js';
import type { Context, Process } from '../../context.js';
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
  const output = values.one('output');
  if (!isDirectory(path)) {
    const envelope = await signed(path, values, process, async () =>
      blockOf(values.optional('block'), values, context),
    );
    writeBinary(output, envelope, process);
    return;
  }
  if (output !== '/dev/stdout')
    throw new UsageError('the files of a folder are signed in place, without --output');
  for (const [file, envelope] of await signedOf(path, values, context)) writeBinary(file, envelope, process);
}

/** Signs the updates of a folder. @returns envelopes by path @throws CommandError that says that nothing is written */
async function signedOf(
  folder: string,
  values: Values,
  context: Context,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { process } = context;
  const given = values.optional('block');
  const blocks = new Map<string | undefined, NamedBlock | undefined>();
  const blockFor = async (channel: string): Promise<NamedBlock | undefined> => {
    const source = given !== undefined && isNetworkAddress(given) ? withChannel(given, channel) : given;
    if (!blocks.has(source)) blocks.set(source, await blockOf(source, values, context));
    return blocks.get(source);
  };
  const envelopes = new Map<string, Uint8Array>();
  try {
    for (const path of updatesIn(folder, process))
      envelopes.set(path, await signed(path, values, process, blockFor));
    return envelopes;
  } catch (error) {
    if (!(error instanceof CommandError) || error instanceof UsageError) throw error;
    throw new CommandError(`${error.message}; no file of ${folder} was signed`, { cause: error.cause });
  }
}

/** @param blockFor gets the config block of a channel @returns a serialized envelope @throws CommandError */
async function signed(
  path: string,
  values: Values,
  process: Process,
  blockFor: (channel: string) => Promise<NamedBlock | undefined>,
): Promise<Uint8Array> {
  const allowed = allowedOf(values);
  const file = readUpdateFile(path, process);
  const { channelId } = file.content;
  if (channelId === '')
    throw new CommandError(`${path}: the envelope has no channel id; it must name the channel`);
  await expectFingerprint(values.optional('expect'), file);
  const options = { block: await blockFor(channelId), allowed, isShown: !values.isSet('quiet') };
  return signUpdate(file, options, values, process);
}

/** The config block of the channel, if there is a source for it. */
async function blockOf(
  source: string | undefined,
  values: Values,
  context: Context,
): Promise<NamedBlock | undefined> {
  if (source === undefined) return undefined;
  return { path: source, ...(await readChannelInput(source, values, context, readConfigFile)) };
}

async function expectFingerprint(expected: string | undefined, { path, content }: UpdateFile): Promise<void> {
  if (expected === undefined) return;
  const found = await fingerprintOf(content.update);
  if (expected.trim().toLowerCase() !== found)
    throw new CommandError(`${path} has the fingerprint ${found}, not ${expected}: it was not signed`);
}
