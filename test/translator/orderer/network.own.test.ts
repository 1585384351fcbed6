// Blocks of networks: addresses, the next orderer, and blocks that fail their verification. Orderers are fakes that have recorded blocks.

import { createHash } from 'node:crypto';
import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { readConfigFile } from '../../../translator/channel/file.js';
import type { CallOptions, Progress } from '../../../translator/long-call.js';
import type { Consenter } from '../../../translator/channel/index.js';
import { heightAt, Network } from '../../../translator/orderer/network.js';
import { openOrderer, type Orderer } from '../../../translator/orderer/connection.js';
import { consenterAt, neededOf, orderersOf } from '../../../translator/orderer/orderers-of.js';
import { blockBytes, headerBytes, parseBlock, type StoredBlock } from '../../../translator/ledger/index.js';
import { lackingText } from '../../../translator/orderer/responses.js';
import { blockNaming, firstBlock } from '../../helpers/first-block.js';
import { BLOCKS as RECORDED, configBlock } from '../../helpers/migration.js';
import { withoutTimeouts } from '../../helpers/clock.js';
import { ASKING, listeningOrderer, ordererWith, silent } from '../../helpers/stand-in-orderer.js';

const BLOCKS = RECORDED.map(parseBlock);
const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

for (const [number] of BLOCKS.entries())
  test.serial(`config block ${number} of the recorded migration is verified`, async (t) => {
    const network = new Network([ordererWith(BLOCKS.slice(0, number + 1))], ASKING);
    t.deepEqual(await network.newestConfig(), BLOCKS[number]);
  });

test.serial('config blocks are read from the newest to the first', async (t) => {
  const numbers: bigint[] = [];
  for await (const { number } of new Network([ordererWith(BLOCKS)], ASKING).configs()) numbers.push(number);
  t.deepEqual(numbers, [5n, 4n, 3n, 2n, 1n, 0n]);
});

test.serial(
  'the block of a number comes from the orderer with the newest config block, or from the next one that has it',
  async (t) => {
    const behind = ordererWith(BLOCKS.slice(0, 3), 'behind:1');
    const gap = ordererWith(
      BLOCKS.map((block) => (block.number === 2n ? (undefined as never) : block)),
      'gap:2',
    );
    const network = new Network([silent('bad:1'), gap, behind], ASKING);
    t.deepEqual(await network.block(1n), BLOCKS[1]);
  },
);

test.serial('the progress of reading blocks grows to its total', async (t) => {
  const network = new Network([ordererWith(BLOCKS)], ASKING);
  const done: number[] = [];
  const onProgress = (progress: Progress): void => void done.push(progress.done);
  await network.block(1n, { onProgress });
  t.deepEqual(done.splice(0), [0, 25, 50, 75, 100]);
  for await (const { number } of network.configs({ onProgress })) t.true(number >= 0n);
  t.deepEqual(done, [0, 20, 40, 60, 80, 100]);
});

for (const [name, read] of [
  ['block', (network: Network, options: CallOptions) => network.block(1n, options)],
  ['block newest', (network: Network, options: CallOptions) => network.block('newest', options)],
  ['newestConfig', (network: Network, options: CallOptions) => network.newestConfig(options)],
  ['configs', (network: Network, options: CallOptions) => network.configs(options).next()],
] as const)
  test.serial(`an abort ends ${name} while no orderer responds, with the reason of the signal`, async (t) => {
    const controller = new AbortController();
    const reason = new Error('no longer needed');
    const orderer: Orderer = { ...ordererWith([]), deliver: () => new Promise(() => {}) };
    const reading = read(new Network([orderer], ASKING), { signal: controller.signal });
    controller.abort(reason);
    await t.throwsAsync(reading, { is: reason });
  });

test.serial('a block that no orderer has yet is an error', async (t) => {
  const network = new Network([ordererWith(BLOCKS)], ASKING);
  await t.throwsAsync(network.block(6n), { code: 'REFUSED', message: 'orderer o:1: no block 6' });
});

/** Asks orderers for the newest config block, or for the newest block; also returns the messages about the others. */
async function newestOf(
  given: readonly Orderer[],
  others: readonly Orderer[] = [],
  position?: 'newest',
): Promise<{ readonly number: bigint; readonly note: string | undefined; readonly network: Network }> {
  const network = new Network(given, ASKING, async (address) => {
    const found = others.find((each) => each.address === address);
    if (found === undefined) throw new Error(`no CA for ${address}`);
    return found;
  });
  const { number } = await withoutTimeouts(() =>
    position === undefined ? network.newestConfig() : network.block(position),
  );
  return { number, note: network.heights && lackingText(network.heights), network };
}

/** The orderers in the recorded configs. */
const NAMED = [27070, 27073, 27076, 27079].map((port) => `127.0.0.1:${port}`);
const upTo = (count: number): StoredBlock[] => BLOCKS.slice(0, count);

test.serial('the highest block of all orderers is used, and those behind or silent are named', async (t) => {
  const [a, b, c, d] = NAMED as [string, string, string, string];
  const { number, note, network } = await newestOf([
    ordererWith(upTo(4), a),
    silent(b),
    ordererWith(BLOCKS, c),
    ordererWith(BLOCKS, d),
  ]);
  t.is(number, 5n);
  t.is(
    note,
    `config block 5 is the newest one and is on 2 of 4 orderers; ${a} has config block 3 and block 3; ${b}: connection refused`,
  );
  t.deepEqual(network.progress, [
    { address: a, block: '3', reason: null },
    { address: b, block: null, reason: 'connection refused' },
    { address: c, block: '5', reason: null },
    { address: d, block: '5', reason: null },
  ]);
});

test.serial(
  'orderers that the config names are asked too: one that was removed does not decide',
  async (t) => {
    const others = NAMED.map((address, index) => ordererWith(upTo(index === 0 ? 5 : 6), address));
    const removed = ordererWith(upTo(3), 'removed:1');
    const { number, note, network } = await newestOf([removed], others);
    t.is(number, 5n);
    t.is(
      note,
      `config block 5 is the newest one and is on 3 of 5 orderers; removed:1 has config block 2 and block 2; ${NAMED[0]!} has config block 4 and block 4`,
    );
    t.deepEqual([network.opened, network.orderers], [others, others]);
    t.deepEqual(
      network.progress.map(({ block }) => block),
      ['4', '5', '5', '5'],
    );
  },
);

test.serial('the newest block is the highest one of all orderers', async (t) => {
  const { number, note } = await newestOf(
    [ordererWith(upTo(3), 'a:1'), ordererWith(upTo(5), 'b:2')],
    [],
    'newest',
  );
  t.is(number, 4n);
  t.regex(
    note!,
    /^block 4 is the newest one and is on 1 of 6 orderers; a:1 has block 2; 127\.0\.0\.1:27070: /,
  );
});

test.serial('nothing is said when all orderers have the block', async (t) => {
  const { note } = await newestOf(NAMED.map((address) => ordererWith(BLOCKS, address)));
  t.is(note, undefined);
});

test.serial('a higher block that cannot be verified is not used, and its orderer is named', async (t) => {
  const liar = ordererWith([...upTo(5), { ...BLOCKS[5]!, metadata: [] }], 'liar:1');
  const { number, note } = await newestOf(
    [liar],
    NAMED.map((address) => ordererWith(upTo(5), address)),
  ).catch((error: unknown) => ({ number: undefined, note: (error as Error).message }));
  t.deepEqual(
    [number, note],
    [
      undefined,
      'orderer liar:1: block 5 is not used: 0 of its 0 signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation',
    ],
  );
  const honest = await newestOf([liar, ...NAMED.map((address) => ordererWith(upTo(5), address))]);
  t.is(honest.number, 4n);
  t.is(
    honest.note,
    'config block 4 is the newest one and is on 4 of 5 orderers; liar:1: block 5 is not used: 0 of its 0 signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation',
  );
});

const FIRST = configBlock(0).config;

test.serial('of different blocks with the same number none is used', async (t) => {
  const other = firstBlock({ signature: bytes(1) });
  const hashOf = (block: StoredBlock): string =>
    createHash('sha256').update(headerBytes(block)).digest('hex');
  const error = await t.throwsAsync(newestOf([ordererWith(upTo(1), 'a:1'), ordererWith([other], 'b:2')]), {
    instanceOf: TranslateError,
  });
  t.deepEqual(
    [error?.code, error?.message],
    [
      'BAD_BLOCK',
      `orderers have different configs with the sequence 0: block 0 with the hash ${hashOf(BLOCKS[0]!)} at a:1 (newest block 0); block 0 with the hash ${hashOf(other)} at b:2 (newest block 0); find out which of them are wrong, or name a block that you trust`,
    ],
  );
});

test.serial('a block of another channel is not used', async (t) => {
  const network = new Network([ordererWith(BLOCKS)], { ...ASKING, channel: 'ch2' });
  const message = 'orderer o:1: block 5 is not used: it is of the channel "ch1", not of "ch2"';
  for (const position of ['newest', 'oldest', 3n] as const)
    await t.throwsAsync(network.block(position), { code: 'BAD_BLOCK', message });
  await t.throwsAsync(network.newestConfig(), { code: 'BAD_BLOCK', message });
});

for (const [what, sequence, lastUpdate, expected] of [
  ['7', 7n, undefined, 'the sequence of its config is 7, not 0'],
  ['1 and no update', 1n, undefined, 'the sequence of its config is 1, not 0'],
  ['0 and the update of a system channel', 0n, bytes(1), 'the sequence of its config is 0, not 1'],
  ['1 and the update of a system channel', 1n, bytes(1), undefined],
] as const)
  test.serial(`block 0 with the sequence ${what}`, async (t) => {
    const block = firstBlock({
      config: { ...FIRST, sequence },
      ...(lastUpdate !== undefined && { lastUpdate }),
    });
    const network = new Network([ordererWith([block])], ASKING);
    for (const call of [network.block(0n), network.newestConfig()])
      if (expected === undefined) t.deepEqual((await call).number, 0n);
      else
        await t.throwsAsync(call, {
          code: 'BAD_BLOCK',
          message: `orderer o:1: block 0 is not used: ${expected}`,
        });
  });

test.serial('the sequence of a config block is one more than the previous sequence', async (t) => {
  const previousHash = createHash('sha256').update(headerBytes(BLOCKS[0]!)).digest();
  const skipped = { ...BLOCKS[2]!, number: 1n, previousHash };
  const error = await t.throwsAsync(new Network([ordererWith([BLOCKS[0]!, skipped])], ASKING).block(1n));
  t.is(error?.message, 'orderer o:1: block 1 is not used: the sequence of its config is 2, not 1');
});

test.serial('a config with too many orderers, or with addresses that are not HOST:PORT', async (t) => {
  const many = Array.from({ length: 101 }, (_, index) => `o:${index + 1}`);
  await t.throwsAsync(newestOf([ordererWith([blockNaming(many)])]), {
    message: 'orderer o:1: block 0 is not used: its config names 101 orderers, at most 100 are asked',
  });
  const { note } = await newestOf([ordererWith([blockNaming(['unix:/run/docker.sock', 'o:1', 'other:1'])])]);
  t.is(
    note,
    'config block 0 is the newest one and is on 1 of 3 orderers; unix:/run/docker.sock: its address in the config is not HOST:PORT; other:1: its TLS CAs in the config cannot be used: no CA for other:1',
  );
});

test.serial('if no orderer responds, the error has the reason of each', async (t) => {
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

const DAMAGED: readonly (readonly [
  what: string,
  change: (block: StoredBlock) => StoredBlock,
  error: string,
])[] = [
  [
    'other data',
    (block) => ({ ...block, data: [BLOCKS[1]!.data[0]!] }),
    'block 5 is not used: its data do not match the hash in its header',
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
  test.serial(`a block with ${what} is not used`, async (t) => {
    const network = new Network([ordererWith([...BLOCKS.slice(0, 5), change(BLOCKS[5]!)])], ASKING);
    const error = await t.throwsAsync(network.block(5n), { instanceOf: TranslateError });
    t.deepEqual([error?.code, error?.message], ['BAD_BLOCK', `orderer o:1: ${message}`]);
  });

test.serial('an orderer that sends a wrong block is not used', async (t) => {
  const network = new Network([ordererWith([BLOCKS[1]!])], ASKING);
  await t.throwsAsync(network.block(0n), { message: 'orderer o:1: it sent block 1 in place of block 0' });
});

test.serial('the orderers, and the number of orderers that must have a block, come from the config', (t) => {
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

test.serial('a consenter is found by its address, or by a host that no other one has', (t) => {
  const at = (host: string, port: number): Consenter => ({ host, port }) as Consenter;
  const consenters = [at('a.example.com', 1), at('a.example.com', 2), at('b.example.com', 1), at('::1', 3)];
  const found = (address: string): Consenter | undefined => consenterAt(consenters, address);
  t.is(found('a.example.com:2'), consenters[1]);
  t.is(found('b.example.com:7050'), consenters[2]);
  t.is(found('[::1]:7050'), consenters[3]);
  for (const unknown of ['a.example.com:7050', 'c.example.com:1', 'example.com:1'])
    t.is(found(unknown), undefined, unknown);
});

test.serial('the height of an orderer is one more than the number of its newest block', async (t) => {
  const listening = await listeningOrderer(t);
  listening.blocks = BLOCKS;
  const orderer = await openOrderer({ address: listening.address, cas: undefined, timeout: 600_000 });
  t.teardown(() => orderer.close());
  t.is(await heightAt(orderer, ASKING), 6n);
  listening.refusal = 503;
  t.like(await heightAt(orderer, ASKING), { sign: 'unavailable', isRefused: true });
});

test.serial(
  'a network connects to the given orderers, and to the others that the config names',
  async (t) => {
    const [given, named] = [await listeningOrderer(t), await listeningOrderer(t)];
    const block = blockNaming([given.address, named.address]);
    given.blocks = named.blocks = [block];
    const { channel, signer } = ASKING;
    const network = await Network.connect({ channel, orderers: [given.address], signer });
    t.teardown(() => network.close());
    t.is((await network.newestConfig()).number, 0n);
    t.deepEqual(
      [network.opened, network.orderers, network.receivers].map((each) => each.map(({ address }) => address)),
      [[named.address], [given.address, named.address], [given.address, named.address]],
    );
    t.is(network.anchoredAt(0n), 'no');
  },
);

test.serial('before the first request a network knows no heights, and is anchored to nothing', (t) => {
  const network = new Network([ordererWith(BLOCKS)], ASKING);
  t.deepEqual([network.heights, network.orderers, network.progress], [undefined, [], []]);
  t.is(network.anchoredAt(0n), 'no');
});

test.serial(
  'of an opened network close ends all connections, also to orderers that a config names',
  async (t) => {
    const closed: string[] = [];
    const closing = (address: string): Orderer => ({
      ...ordererWith(BLOCKS, address),
      close: () => void closed.push(address),
    });
    const network = new Network([closing('a:1')], ASKING, async (address) => closing(address));
    await withoutTimeouts(() => network.newestConfig());
    network.close();
    t.deepEqual(closed, ['a:1', ...NAMED]);
  },
);

test.serial('of a config with more than 100 orderers in two blocks only 100 others are opened', async (t) => {
  const named = (from: number): readonly string[] =>
    Array.from({ length: 60 }, (_, index) => `o${from + index}.test:1`);
  const orderers = [0, 60].map((from) => ordererWith([blockNaming(named(from))], `given${from}:1`));
  const opened: string[] = [];
  const network = new Network(orderers, ASKING, async (address) => {
    opened.push(address);
    return silent(address);
  });
  await withoutTimeouts(() => network.newestConfig()).catch((error: unknown) => {
    if (!(error instanceof TranslateError)) throw error;
  });
  t.is(opened.length, 100);
  t.is(network.opened.length, 120);
});
