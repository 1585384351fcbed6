// `rebase`: applies an outdated config update to the newest config.

import type { ConfigFile, ConfigUpdate } from '../../channel/index.js';
import type { Blocks } from '../../ledger/index.js';
import { argument, defineCommand, flag } from '../command.js';
import { CommandError, UsageError, withPrefix } from '../errors.js';
import { printNote, writeBinary } from '../files.js';
import { BLOCK, envelopeOutput, NETWORK } from '../flags.js';
import { source, text } from '../kinds.js';
import { networkOfProfile } from '../profile.js';

/** The command. */
export const rebase = defineCommand({
  name: 'rebase',
  help: 'Applies the changes of an outdated config update to the newest config. Signatures are lost. If elements of the update were changed in the meantime, it names them and writes nothing.',
  example: 'rebase update.pb --block new.pb --base old.pb -o u.pb',
  flags: {
    block: BLOCK,
    base: flag(
      source,
      'The config block for which the update was made, if --block is a file; in a ledger or network it is found.',
    ),
    output: envelopeOutput('unsigned envelope'),
    network: NETWORK,
  },
  arguments: {
    file: argument(text, 'The envelope with the config update, or the config update itself.'),
  },
  async run({ file: path, base: basePath, output, network, ...values }, io) {
    const { readConfigFile, readUpdateFile } = await import('../../channel/index.js');
    const { fitsConfig, rebaseUpdate } = await import('../../edit/index.js');
    const { unsignedUpdate } = await import('../../edit/index.js');
    const { summariseUpdate } = await import('../../documents/index.js');
    const { hasHistory, readChannelInput, withBlocks } = await import('../inputs.js');
    const block = values.block ?? (await networkOfProfile(network, 'block'));
    const file = await readChannelInput(path, network, io, readUpdateFile);
    const { update } = file;
    const { channelId } = update;
    const read = async (each: string): Promise<ConfigFile> =>
      // The config for which the update was made may be older than the trusted block.
      readChannelInput(each, each === block ? network : { ...network, trust: undefined }, io, readConfigFile);
    const { newest, base } = hasHistory(block)
      ? await withBlocks(block, network, io, async (blocks) => findBase(update, blocks))
      : await readBoth(block, basePath, read);
    if (newest.channel !== undefined && newest.channel !== channelId)
      throw new CommandError(
        `${path} is for channel ${JSON.stringify(channelId)}, ${block} is of channel ${JSON.stringify(newest.channel)}`,
      );
    if (fitsConfig(update, newest.config))
      throw new CommandError(`${path} fits the newest config: no rebase is needed`);
    if (base === undefined) throw new CommandError(`${path} fits none of the configs of ${block}`);
    const { bytes, changes } = withPrefix(path, () =>
      unsignedUpdate(newest.config, rebaseUpdate(update, base.config, newest.config).config, channelId),
    );
    await writeBinary(output, bytes, io);
    const { signatures } = summariseUpdate(file, new Date());
    const lost = signatures.map(({ mspid, certificate }) =>
      `${mspid ?? 'unknown'} ${certificate.subject ?? ''}`.trim(),
    );
    if (lost.length > 0) printNote(`these signatures are lost and needed again: ${lost.join(', ')}`, io);
    printNote(`unsigned update of the channel ${channelId}: ${changes.join(', ')}`, io);
  },
});

/** The newest config, and the config for which the update was made. */
interface Configs {
  readonly newest: ConfigFile;
  readonly base: ConfigFile | undefined;
}

/** Finds the config for which the update was made, starting with the newest. */
async function findBase(update: ConfigUpdate, blocks: Blocks): Promise<Configs> {
  const { readConfigFile } = await import('../../channel/index.js');
  const { fitsConfig } = await import('../../edit/index.js');
  const { blockBytes } = await import('../../ledger/index.js');
  let newest: ConfigFile | undefined;
  for await (const block of blocks.configs()) {
    const config = readConfigFile(blockBytes(block));
    newest ??= config;
    if (fitsConfig(update, config.config)) return { newest, base: config };
  }
  return { newest: newest!, base: undefined };
}

async function readBoth(
  newest: string,
  base: string | undefined,
  read: (path: string) => Promise<ConfigFile>,
): Promise<Configs> {
  if (base === undefined)
    throw new UsageError(
      'the config for which the update was made is needed: --base BLOCK, or a ledger or network for --block',
    );
  return { newest: await read(newest), base: await read(base) };
}
