// `rebase`: makes an outdated config update anew.

import { readConfigFile, readUpdateFile, type ConfigFile, type UpdateFile } from '../../../config/file.js';
import { fitsConfig, rebaseUpdate } from '../../../edit/rebase.js';
import { unsignedUpdate } from '../../../edit/update.js';
import { summariseUpdate } from '../../../show/update.js';
import type { Blocks } from '../../../source/blocks.js';
import { blockBytes } from '../../../source/stored-block.js';
import { writeBinary } from '../../binary-output.js';
import { naming, readChannelInput } from '../../channel-file.js';
import type { Context } from '../../context.js';
import { CommandError, UsageError } from '../../errors.js';
import { printNote } from '../../output.js';
import { networkOfProfile } from '../../profile.js';
import { hasHistory, withBlocks } from '../../source.js';
import { requiredArgument, type Values } from '../../values.js';

/** The newest config, and the one that the update was made for. */
interface Configs {
  readonly newest: ConfigFile;
  readonly base: ConfigFile | undefined;
}

/** @throws CommandError */
export async function run(values: Values, context: Context): Promise<void> {
  const { process } = context;
  const path = requiredArgument(values, 0, 'file');
  const block = values.optional('block') ?? (await networkOfProfile(values, 'block'));
  const file = await readChannelInput(path, values, context, readUpdateFile);
  const { newest, base } = hasHistory(block)
    ? await withBlocks(block, values, process, async (blocks) => searched(file, blocks))
    : await given(block, values, context);
  const { channelId } = file.update;
  if (newest.channel !== undefined && newest.channel !== channelId)
    throw new CommandError(
      `${path} is for channel ${JSON.stringify(channelId)}, ${block} is of channel ${JSON.stringify(newest.channel)}`,
    );
  if (fitsConfig(file.update, newest.config))
    throw new CommandError(`${path} fits the newest config: nothing has to be made anew`);
  if (base === undefined) throw new CommandError(`${path} fits none of the configs of ${block}`);
  const { envelope, changes } = naming(path, () =>
    unsignedUpdate(channelId, newest.config, rebaseUpdate(file.update, base.config, newest.config).config),
  );
  writeBinary(values.one('output'), envelope, process);
  const { signatures } = summariseUpdate(file, new Date());
  const lost = signatures.map(({ mspid, certificate }) =>
    `${mspid ?? 'unknown'} ${certificate.subject ?? ''}`.trim(),
  );
  if (lost.length > 0)
    printNote(`these signatures are lost, ask for them again: ${lost.join(', ')}`, process);
  printNote(`unsigned update of the channel ${channelId}: ${changes.join(', ')}`, process);
}

/** Looks for the config that the update was made for, from the newest one on. */
async function searched({ update }: UpdateFile, blocks: Blocks): Promise<Configs> {
  let newest: ConfigFile | undefined;
  for await (const block of blocks.configs()) {
    const config = readConfigFile(blockBytes(block));
    newest ??= config;
    if (fitsConfig(update, config.config)) return { newest, base: config };
  }
  return { newest: newest!, base: undefined };
}

async function given(block: string, values: Values, context: Context): Promise<Configs> {
  const base = values.optional('base');
  if (base === undefined)
    throw new UsageError(
      'the config that the update was made for is needed: --base BLOCK, or a ledger or network for --block',
    );
  return {
    newest: await readChannelInput(block, values, context, readConfigFile),
    base: await readChannelInput(base, values, context, readConfigFile),
  };
}
