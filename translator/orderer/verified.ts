// Blocks from orderers, verified with other blocks from orderers: the blocks before them and the configs that they name.

import type { Config } from '../channel/element.js';
import { readConfigFile, type ConfigFile } from '../channel/file.js';
import type { Position } from '../ledger/blocks.js';
import { blockBytes, isConfigBlock, lastConfigOf, type StoredBlock } from '../ledger/stored-block.js';
import { badBlock, checkChain, checkSequence, checkSignatures } from '../ledger/verify-block.js';

/** Fetches a block; its data and its channel are checked, nothing else. */
export type Fetch = (position: Position) => Promise<StoredBlock>;

/**
 * Verifies a block: a config block follows the block before it, and its sequence that of the config before; the signatures of orderers
 * satisfy the config before. Nobody signs block 0: only its sequence is checked.
 *
 * @throws TranslateError BAD_BLOCK, or those of `fetch`
 */
export async function verifyBlock(block: StoredBlock, fetch: Fetch): Promise<void> {
  if (!isConfigBlock(block)) {
    await checkSignatures(block, await configBefore(block, fetch));
    return;
  }
  const file = readConfigFile(blockBytes(block));
  if (block.number === 0n) {
    checkSequence(block, file, undefined);
    return;
  }
  const before = await fetch(block.number - 1n);
  checkChain(before, block);
  const config = isConfigBlock(before) ? configOf(before) : await configBefore(before, fetch);
  checkSequence(block, file, config);
  await checkSignatures(block, config);
}

/** The newest config block when a block was made, both verified. @throws TranslateError as `verifyBlock` */
export async function verifiedConfigAt(block: StoredBlock, fetch: Fetch): Promise<StoredBlock> {
  const config = isConfigBlock(block) ? block : await fetch(checkedLastConfig(block));
  await verifyBlock(config, fetch);
  if (config !== block) await checkSignatures(block, configOf(config));
  return config;
}

/** The number of the newest config block when a block was made. @throws TranslateError BAD_BLOCK if there cannot be such a block */
export function checkedLastConfig(block: StoredBlock): bigint {
  const number = lastConfigOf(block);
  if (number > block.number || (number === block.number && !isConfigBlock(block)))
    throw badBlock(block, `it names block ${number} as its config block`);
  return number;
}

/** The config that a block without one names. */
const configBefore = async (block: StoredBlock, fetch: Fetch): Promise<Config> =>
  configOf(await fetch(checkedLastConfig(block)));

/** @throws TranslateError BAD_BLOCK if it is not a config block, or block 0 of a channel that has a history */
function configOf(block: StoredBlock): Config {
  if (!isConfigBlock(block))
    throw badBlock(block, 'it is not a config block, although a later block names it');
  const file: ConfigFile = readConfigFile(blockBytes(block));
  if (block.number === 0n) checkSequence(block, file, undefined);
  return file.config;
}
