// Chooses the config that updates are reviewed against when there are several. A file may come from anybody: a newer config block is used
// only if it continues the oldest one, which is trusted. For Node.js and browsers.

import { sameBytes } from '../../proto/bytes.js';
import { attempt } from '../../proto/errors.js';
import { readConfigFile, writeConfig, type ConfigFile } from '../channel/index.js';
import { digest } from '../crypto/index.js';
import { ChannelState } from '../state/index.js';
import { signatureFault } from './block-signatures.js';
import { blockHash, hasItsData, parseBlock, type StoredBlock } from './stored-block.js';

/** A file with a config. */
export interface Candidate {
  readonly name: string;
  /** A serialized message, not JSON. */
  readonly bytes: Uint8Array;
}

/** The choice. Everything in it can be sent to another thread. */
export interface Base {
  /** The name of the chosen file; undefined if there is none, because files contradict each other. */
  readonly used: string | undefined;
  /** What users must know: which files contradict each other, or are not used, and why. Without periods. */
  readonly notes: readonly string[];
}

/** A file that was read. */
interface Read extends Candidate {
  readonly file: ConfigFile;
}

/** A config block. */
interface ReadBlock extends Read {
  readonly block: StoredBlock;
}

/**
 * Chooses the newest config. A config block is used if it continues the oldest block: it has the hash of the block with the number before, or
 * signatures that satisfy BlockValidation of the config before. Configs without a block have neither, so they are used only without blocks.
 *
 * @throws TranslateError as `readConfigFile`
 */
export async function baseOf(candidates: readonly Candidate[]): Promise<Base> {
  const read = candidates.map((each): Read => ({ ...each, file: readConfigFile(each.bytes) }));
  const blocks = read
    .filter(({ file }) => file.form === 'block')
    .map((each): ReadBlock => ({ ...each, block: parseBlock(each.bytes) }))
    .toSorted(
      ({ block: one }, { block: other }) =>
        Number(one.number > other.number) - Number(one.number < other.number),
    );
  const others = read.filter(({ file }) => file.form !== 'block');
  return blocks.length === 0 ? baseOfConfigs(others) : baseOfBlocks(blocks, others);
}

async function baseOfBlocks(blocks: readonly ReadBlock[], others: readonly Read[]): Promise<Base> {
  for (const [index, { name, block }] of blocks.entries()) {
    const next = blocks[index + 1];
    if (next?.block.number === block.number && !isSame(block, next.block))
      return contested(`block ${block.number}`, name, next.name);
  }
  let used = blocks[0]!;
  const notes: string[] = [];
  for (const next of blocks.slice(1)) {
    if (isSame(used.block, next.block)) continue;
    const { isUsed, fault } = await judge(used, next);
    if (fault !== undefined)
      notes.push(
        isUsed
          ? `${next.name} has the hash of block ${used.block.number} before it, but nothing shows that orderers have made it: ${fault}`
          : `${next.name} is not used, because it does not continue block ${used.block.number}: ${fault}; if you trust it, remove ${used.name}`,
      );
    if (isUsed) used = next;
  }
  const config = writeConfig(used.file.config);
  for (const { name, file } of others)
    if (!sameBytes(writeConfig(file.config), config))
      notes.push(
        `${name} is not used, because it is no block: nothing shows whether it is older or newer than block ${used.block.number}`,
      );
  return { used: used.name, notes };
}

/** Whether two blocks of one number have the same content. Nodes add different metadata. */
const isSame = (one: StoredBlock, other: StoredBlock): boolean =>
  sameBytes(blockHash(one), blockHash(other)) &&
  sameBytes(digest('SHA-256', one.data), digest('SHA-256', other.data));

/** Whether a block continues an older one. @returns `fault`: why not, or what is not shown although it is used */
async function judge(
  before: ReadBlock,
  { block, file }: ReadBlock,
): Promise<{ readonly isUsed: boolean; readonly fault: string | undefined }> {
  const not = (fault: string): { readonly isUsed: false; readonly fault: string } => ({
    isUsed: false,
    fault,
  });
  if (!hasItsData(block)) return not('its data do not match the hash in its header');
  if (file.channel !== before.file.channel) return not('it is of another channel');
  if (file.config.sequence <= before.file.config.sequence)
    return not('the sequence of its config is not higher');
  const isNext = block.number === before.block.number + 1n;
  if (isNext && !sameBytes(block.previousHash, blockHash(before.block)))
    return not('it has the hash of another block');
  const fault = await attempt(
    async () => signatureFault(block, new ChannelState(before.file.config)),
    ({ message }) => message,
  );
  return { isUsed: isNext || fault === undefined, fault };
}

/** Configs without a block: nothing shows which one is newer, so the one with the lowest sequence is used. */
function baseOfConfigs(configs: readonly Read[]): Base {
  const [used, ...others] = configs.toSorted(
    ({ file: one }, { file: other }) =>
      Number(one.config.sequence > other.config.sequence) -
      Number(one.config.sequence < other.config.sequence),
  );
  if (used === undefined) return { used: undefined, notes: [] };
  const content = writeConfig(used.file.config);
  const different = others.filter(({ file }) => !sameBytes(writeConfig(file.config), content));
  const { sequence } = used.file.config;
  const same = different.find(({ file }) => file.config.sequence === sequence);
  if (same !== undefined) return contested(`config with the sequence ${sequence}`, used.name, same.name);
  const notes = different.map(
    ({ name }) =>
      `${name} is not used, because it is no block: nothing shows that it continues ${used.name}; if you trust it, remove ${used.name}`,
  );
  return { used: used.name, notes };
}

const contested = (what: string, one: string, other: string): Base => ({
  used: undefined,
  notes: [`${one} and ${other} are different versions of ${what}: remove the one that is not of the channel`],
});
