// How often the MSPs of configs are set up. Chains are made in the process.

import test, { type ExecutionContext } from 'ava';
import type { MspCache } from '../../../translator/msp/index.js';
import { readConfigFile, type Config } from '../../../translator/channel/index.js';
import { blockBytes, type StoredBlock } from '../../../translator/ledger/index.js';
import { trustedBlock, type Trusted } from '../../../translator/orderer/index.js';
import { ConfigSetups } from '../../../translator/orderer/config-setups.js';
import { Network } from '../../../translator/orderer/network.js';
import { ChannelState } from '../../../translator/state/index.js';
import { withoutTimeouts } from '../../helpers/clock.js';
import { Consenters } from '../../helpers/made-chain.js';
import { ASKING, ordererWith } from '../../helpers/stand-in-orderer.js';

const ADDRESSES = ['a:1', 'b:2', 'c:3', 'd:4'] as const;
const CONSENTERS = new Consenters(ADDRESSES);

/** A network, and the sequence of each config that it has set up. */
interface Counted {
  readonly network: Network;
  readonly sequences: bigint[];
  readonly caches: Set<MspCache>;
}

function counted(blocks: readonly StoredBlock[], trusted?: Trusted): Counted {
  const sequences: bigint[] = [];
  const caches = new Set<MspCache>();
  const setups = new ConfigSetups((config: Config, cache) => {
    sequences.push(config.sequence);
    caches.add(cache);
    return new ChannelState(config, { cache });
  });
  const orderers = ADDRESSES.map((address) => ordererWith(blocks, address));
  return { network: new Network(orderers, ASKING, undefined, trusted, setups), sequences, caches };
}

async function readAll({ network }: Counted): Promise<readonly bigint[]> {
  const numbers: bigint[] = [];
  await withoutTimeouts(async () => {
    for await (const { number } of network.configs()) numbers.push(number);
  });
  return numbers;
}

const sorted = (numbers: readonly bigint[]): readonly bigint[] => numbers.toSorted((a, b) => Number(a - b));

test.serial('four orderers with blocks of transactions: each config is set up once', async (t) => {
  const read = counted(CONSENTERS.sparseChain(5));
  t.deepEqual(await readAll(read), [8n, 6n, 4n, 2n, 0n]);
  t.deepEqual(sorted(read.sequences), [0n, 1n, 2n, 3n, 4n]);
  t.is(read.caches.size, 1);
});

test.serial('with a trusted block each config is set up once, too', async (t) => {
  const chain = CONSENTERS.sparseChain(5);
  const read = counted(chain, trustedBlock(blockBytes(chain[0]!), 'ch1'));
  await readAll(read);
  t.deepEqual(sorted(read.sequences), [0n, 1n, 2n, 3n, 4n]);
});

test.serial('asking again for the newest block sets up nothing', async (t) => {
  const read = counted(CONSENTERS.sparseChain(2));
  for (let times = 0; times < 3; times++) await withoutTimeouts(() => read.network.newestConfig());
  t.deepEqual(sorted(read.sequences), [0n, 1n]);
});

/** Reads the newest config block of a chain. */
const newestOf = async (t: ExecutionContext, blocks: readonly StoredBlock[]): Promise<bigint> => {
  const read = counted(blocks);
  const { number } = await withoutTimeouts(() => read.network.newestConfig());
  t.true(read.sequences.length > 0);
  return number;
};

test.serial('after a config block with other MSPs only the new ones sign', async (t) => {
  const others = new Consenters(ADDRESSES);
  const handed = CONSENTERS.handOver(2, others);
  t.is(await newestOf(t, others.chain(4, 's', handed)), 3n);
  await t.throwsAsync(newestOf(t, CONSENTERS.chain(4, 's', handed)), {
    message: /block 3 is not used: 0 of its 4 signatures are valid/,
  });
});

test.serial('a network that has set up a config sets up the next one', async (t) => {
  const others = new Consenters(ADDRESSES);
  const chain = others.chain(4, 's', CONSENTERS.handOver(2, others));
  const blocks = chain.slice(0, 2);
  const read = counted(blocks);
  await withoutTimeouts(() => read.network.newestConfig());
  t.deepEqual(sorted(read.sequences), [0n]);
  blocks.push(...chain.slice(2));
  t.is((await withoutTimeouts(() => read.network.newestConfig())).number, 3n);
  t.deepEqual(sorted(read.sequences), [0n, 2n]);
});

test.serial('a chain of more configs than the cache holds shares equal MSPs', async (t) => {
  const read = counted(CONSENTERS.chain(40));
  t.is((await readAll(read)).length, 40);
  t.deepEqual(
    sorted(read.sequences),
    Array.from({ length: 39 }, (_, index) => BigInt(index)),
  );
  t.is(read.caches.size, 1);
});

test('cached MSPs are dropped after 64 MiB of config blocks, and then kept again', (t) => {
  const caches: MspCache[] = [];
  const setups = new ConfigSetups((config, cache) => {
    caches.push(cache);
    return new ChannelState(config, { cache });
  });
  const [block] = CONSENTERS.sparseChain(1);
  const { config } = readConfigFile(blockBytes(block!));
  const half = new Uint8Array(32 * 1024 * 1024);
  const states = [[half], [half], [new Uint8Array(1)], [half]].map((data, index) =>
    setups.of({ ...block!, number: BigInt(index), data }, config),
  );
  const numbers = caches.map((cache) => [...new Set(caches)].indexOf(cache));
  t.deepEqual(numbers, [0, 0, 1, 1]);
  // A known config is not set up again.
  t.is(setups.of({ ...block!, number: 0n, data: [] }, config), states[0]!);
  t.is(caches.length, 4);
});

test('the newest 16 configs are cached', (t) => {
  let made = 0;
  const setups = new ConfigSetups((config, cache) => {
    made += 1;
    return new ChannelState(config, { cache });
  });
  const [block] = CONSENTERS.sparseChain(1);
  const { config } = readConfigFile(blockBytes(block!));
  const ask = (number: number): ChannelState =>
    setups.of({ ...block!, number: BigInt(number), data: [] }, config);
  for (let number = 0; number < 16; number += 1) ask(number);
  ask(0);
  t.is(made, 16);
  ask(16);
  t.is(made, 17);
  // Block 1 is still there, block 0 is not.
  ask(1);
  t.is(made, 17);
  ask(0);
  t.is(made, 18);
});
