// Blocks of networks: addresses, the next orderer, and blocks that fail their verification. Orderers are fakes that have recorded blocks.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { readMessage } from '../../../proto/messages/read-message.js';
import { CommonEnvelope, CommonPayload, OrdererSeekInfo } from '../../../proto/messages/schema.js';
import { readConfigFile } from '../../../translator/config/file.js';
import { parseNetworkAddress } from '../../../translator/source/network/address.js';
import { Network } from '../../../translator/source/network/network.js';
import type { Orderer } from '../../../translator/source/network/orderer.js';
import { neededOf, orderersOf } from '../../../translator/source/network/orderers-of.js';
import { blockBytes, parseBlock, type StoredBlock } from '../../../translator/source/stored-block.js';
import { BLOCKS as RECORDED } from '../../helpers/migration.js';

const BLOCKS = RECORDED.map(parseBlock);

const ASKING = {
  channel: 'ch1',
  signer: {
    creator: new Uint8Array([1]),
    certificate: undefined as never,
    sign: async () => new Uint8Array([2]),
  },
  clientCertificateHash: undefined,
};

/** An orderer that has blocks. */
function ordererWith(
  blocks: readonly StoredBlock[],
  address = 'o:1',
): Orderer & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    address,
    asked,
    async deliver(envelope) {
      const { data } = readMessage(CommonPayload, readMessage(CommonEnvelope, envelope).payload);
      const { start } = readMessage(OrdererSeekInfo, data);
      const at = start?.specified?.number ?? (start?.newest === undefined ? 0n : BigInt(blocks.length - 1));
      asked.push(String(at));
      const block = blocks[Number(at)];
      if (block === undefined) throw new TranslateError('REFUSED', `orderer ${address}: no block ${at}`);
      return blockBytes(block);
    },
    broadcast: async () => ({ status: 500, info: '' }),
    close: () => undefined,
  };
}

const silent = (address: string): Orderer => ({
  ...ordererWith([], address),
  deliver: async () => {
    throw new TranslateError('UNREACHABLE', `orderer ${address}: connection refused`);
  },
});

for (const [text, orderers, isTls] of [
  ['grpcs://o:7050/c', ['o:7050'], true],
  ['grpc://127.0.0.1:1,[::1]:2/c', ['127.0.0.1:1', '[::1]:2'], false],
] as const)
  test(`the address ${text}`, (t) => {
    t.deepEqual(parseNetworkAddress(text), { orderers, channel: 'c', isTls });
  });

for (const [text, what] of [
  ['grpcs://o:7050', ''],
  ['grpcs://o:7050/', ''],
  ['grpcs:///c', ''],
  ['grpcs://o/c', ': "o" is no host and port'],
  ['grpcs://o:0/c', ': "o:0" is no host and port'],
  ['grpcs://o:65536/c', ': "o:65536" is no host and port'],
  ['grpcs://o:1,/c', ': "" is no host and port'],
  ['grpcs://o:1/c/d', ''],
] as const)
  test(`${text} is no address`, (t) => {
    const error = t.throws(() => parseNetworkAddress(text), { instanceOf: TranslateError });
    t.deepEqual(
      [error?.code, error?.message],
      [
        'BAD_ADDRESS',
        `${text} is no address of a channel${what}; write grpcs://HOST:PORT/CHANNEL, or several HOST:PORT with commas`,
      ],
    );
  });

for (const [number] of BLOCKS.entries())
  test(`config block ${number} of the recorded migration is verified`, async (t) => {
    const network = new Network([ordererWith(BLOCKS.slice(0, number + 1))], ASKING);
    t.deepEqual(await network.newestConfig(), BLOCKS[number]);
  });

test('config blocks are read from the newest to the first', async (t) => {
  const numbers: bigint[] = [];
  for await (const { number } of new Network([ordererWith(BLOCKS)], ASKING).configs()) numbers.push(number);
  t.deepEqual(numbers, [5n, 4n, 3n, 2n, 1n, 0n]);
});

test('the next orderer is asked when one does not respond, and then first', async (t) => {
  const good = ordererWith(BLOCKS, 'good:1');
  const network = new Network([silent('bad:1'), good], ASKING);
  t.deepEqual(await network.block(0n), BLOCKS[0]);
  t.deepEqual(good.asked, ['0']);
});

test('if no orderer responds, the error has the reason of each', async (t) => {
  const network = new Network([silent('a:1'), silent('b:2')], ASKING);
  const error = await t.throwsAsync(network.newestConfig(), { instanceOf: TranslateError });
  t.deepEqual(
    [error?.code, error?.message],
    [
      'UNREACHABLE',
      'no orderer serves the channel ch1: orderer a:1: connection refused; orderer b:2: connection refused',
    ],
  );
});

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
const DAMAGED: readonly (readonly [
  what: string,
  change: (block: StoredBlock) => StoredBlock,
  error: string,
])[] = [
  [
    'other data',
    (block) => ({ ...block, data: [BLOCKS[1]!.data[0]!] }),
    'block 5 is not used: its data are not those that its header has the hash of',
  ],
  [
    'another previous hash',
    (block) => ({ ...block, previousHash: bytes(1) }),
    'block 5 is not used: it does not follow block 4',
  ],
  [
    'no signatures',
    (block) => ({ ...block, metadata: [] }),
    'block 5 is not used: 0 of its 0 signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation',
  ],
  [
    'the signatures of another block',
    (block) => ({ ...block, metadata: BLOCKS[4]!.metadata }),
    'block 5 is not used: 0 of its 3 signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation',
  ],
];
for (const [what, change, message] of DAMAGED)
  test(`a block with ${what} is not used`, async (t) => {
    const network = new Network([ordererWith([...BLOCKS.slice(0, 5), change(BLOCKS[5]!)])], ASKING);
    const error = await t.throwsAsync(network.block(5n), { instanceOf: TranslateError });
    t.deepEqual([error?.code, error?.message], ['BAD_BLOCK', message]);
  });

test('an orderer that sends another block than the one it was asked for is not used', async (t) => {
  const network = new Network([ordererWith([BLOCKS[1]!])], ASKING);
  await t.throwsAsync(network.block(0n), { message: 'orderer o:1: block 1 in place of block 0' });
});

test('orderers and the number of those that must have a block come from the config', (t) => {
  const raft = readConfigFile(blockBytes(BLOCKS[0]!)).config;
  const bft = readConfigFile(blockBytes(BLOCKS[5]!)).config;
  const places = orderersOf(raft);
  t.is(places.length, 4);
  for (const { address, cas } of places) {
    t.regex(address, /^[\w.]+:\d+$/);
    t.regex(Buffer.from(cas).toString(), /^-----BEGIN CERTIFICATE-----/);
  }
  t.deepEqual(
    [3, 4, 5].map((count) => [neededOf(raft, count), neededOf(bft, count)]),
    [
      [2, 2],
      [3, 3],
      [3, 4],
    ],
  );
});
