// `--trust` with config blocks in files: they must continue the trusted block.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readConfigFile, writeConfig } from '../../../translator/channel/index.js';
import { blockBytes, blockHash, type StoredBlock } from '../../../translator/ledger/index.js';
import { decode } from '../../../translator/index.js';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { Consenters } from '../../helpers/made-chain.js';

const ADDRESSES = ['o1:7050', 'o2:7050', 'o3:7050', 'o4:7050'];
const CHAIN = new Consenters(ADDRESSES).chain(4);
const FORGED = new Consenters(ADDRESSES).chain(4, 'ms');
const hexOf = (block: StoredBlock): string => Buffer.from(blockHash(block)).toString('hex');
const LINKED: StoredBlock = { ...FORGED[2]!, previousHash: blockHash(CHAIN[1]!), metadata: [] };

const FILES: Readonly<Record<string, Uint8Array | string>> = {
  'b1.pb': blockBytes(CHAIN[1]!),
  'b2.pb': blockBytes(CHAIN[2]!),
  'b3.pb': blockBytes(CHAIN[3]!),
  'b3.json': decode('common.Block', blockBytes(CHAIN[3]!)),
  'forged1.pb': blockBytes(FORGED[1]!),
  'forged2.pb': blockBytes(FORGED[2]!),
  'forged3.pb': blockBytes(FORGED[3]!),
  'forged3.json': decode('common.Block', blockBytes(FORGED[3]!)),
  'linked.pb': blockBytes(LINKED),
  'config.pb': writeConfig(readConfigFile(blockBytes(CHAIN[3]!)).config),
};

const NOT_SIGNED = 'signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation';
for (const [block, trust, error] of [
  ['b1.pb', 'b1.pb', ''],
  ['b2.pb', 'b1.pb', ''],
  ['b3.pb', 'b1.pb', ''],
  ['b3.json', 'b1.pb', ''],
  ['b1.pb', hexOf(CHAIN[1]!), ''],
  ['b1.pb', hexOf(CHAIN[1]!).toUpperCase(), ''],
  [
    'linked.pb',
    'b1.pb',
    `warning: linked.pb has the hash of block 1 before it, but nothing shows that orderers have made it: 0 of its 0 ${NOT_SIGNED}`,
  ],
  [
    'forged1.pb',
    'b1.pb',
    'error: forged1.pb and --trust b1.pb are different versions of block 1: remove the one that is not of the channel',
  ],
  [
    'forged2.pb',
    'b1.pb',
    'error: forged2.pb is not used, because it does not continue block 1: it has the hash of another block; if you trust it, remove --trust b1.pb',
  ],
  [
    'forged3.pb',
    'b1.pb',
    `error: forged3.pb is not used, because it does not continue block 1: 0 of its 4 ${NOT_SIGNED}; if you trust it, remove --trust b1.pb`,
  ],
  [
    'forged3.json',
    'b1.pb',
    `error: forged3.json is not used, because it does not continue block 1: 0 of its 4 ${NOT_SIGNED}; if you trust it, remove --trust b1.pb`,
  ],
  ['b1.pb', 'b2.pb', 'error: b1.pb is block 1, older than the trusted block 2'],
  ['config.pb', 'b1.pb', 'error: config.pb is no block: nothing shows that it continues the trusted block'],
  ['b3.pb', 'config.pb', 'error: --trust config.pb is no block'],
  [
    'b2.pb',
    hexOf(CHAIN[1]!),
    `error: b2.pb is not the block with the hash ${hexOf(CHAIN[1]!)}; to use a newer block, give the trusted block to --trust, not its hash`,
  ],
] as const)
  for (const command of ['show', 'powers'] as const)
    test(`${command} ${block} --trust ${trust}: ${error === '' ? 'no message' : error}`, async (t) => {
      const folder = temporaryFolder(t);
      for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
      const at = (name: string): string => (name in FILES ? join(folder, name) : name);
      const { status, stderr } = await runCommand(t, [command, at(block), '--trust', at(trust)], '');
      t.is(stderr.replaceAll(`${folder}/`, ''), error === '' ? '' : `configtxlator: ${error}\n`);
      t.is(status, error.startsWith('error') ? 1 : 0);
    });
