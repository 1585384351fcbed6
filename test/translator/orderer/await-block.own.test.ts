// Waiting for the block with an update: how many orderers are needed, how long the others are waited for, and the errors. The clock of
// the process is replaced.

import test, { type ExecutionContext } from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import { setPolicy, unsignedUpdate } from '../../../translator/edit/index.js';
import { blockBytes, type StoredBlock } from '../../../translator/ledger/index.js';
import {
  awaitUpdate,
  findUpdate,
  pause,
  Waiting,
  type Configs,
  type Delivered,
} from '../../../translator/orderer/await-block.js';
import { BlockRequests } from '../../../translator/orderer/fetch.js';
import type { Orderer } from '../../../translator/orderer/index.js';
import { stopTimeouts } from '../../helpers/clock.js';
import { Consenters } from '../../helpers/made-chain.js';
import { ASKING, ordererWith, silent } from '../../helpers/stand-in-orderer.js';

const ADDRESSES = ['a:1', 'b:2', 'c:3', 'd:4'] as const;
/** A BFT channel: of four orderers, three must have a block. */
const CONSENTERS = new Consenters(ADDRESSES);
const CHAIN = CONSENTERS.chain(6);
const { update } = readUpdateFile(CONSENTERS.update(4n));
const BEFORE = readConfigFile(blockBytes(CHAIN[3]!));

/** The config blocks, newest first, and the numbers of those that were read. */
function configsOf(blocks: readonly StoredBlock[]): Configs & { readonly read: bigint[] } {
  const read: bigint[] = [];
  return {
    read,
    async *configs() {
      for (const block of blocks.toReversed()) {
        read.push(block.number);
        yield block;
      }
    },
  };
}

/** An orderer that needs so many milliseconds for each block. */
const slow = (orderer: Orderer, milliseconds: number): Orderer => ({
  ...orderer,
  deliver: async (envelope) => {
    await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    return orderer.deliver(envelope);
  },
});

const has = (address: string, count = 5): Orderer => ordererWith(CHAIN.slice(0, count), address);
/** An orderer with another block 4. */
const differs = (address: string): Orderer =>
  ordererWith(CONSENTERS.chain(5, 'm', CHAIN.slice(0, 4)), address);

/** Waits for the update of block 4; the fake clock goes on until the end. */
async function waitFor(
  t: ExecutionContext,
  orderers: readonly Orderer[],
  seconds = 60,
): Promise<{
  readonly result: Delivered | string;
  readonly after: number;
  readonly reports: readonly string[];
}> {
  const clock = stopTimeouts(t);
  const reports: string[] = [];
  const waiting = new Waiting(seconds, new AbortController().signal, (text) => reports.push(text));
  const began = performance.now();
  const asked = { network: configsOf(CHAIN.slice(0, 5)), orderers, requests: new BlockRequests(ASKING) };
  let after: number | undefined;
  const done = awaitUpdate(update, BEFORE, asked, waiting)
    .catch((error: unknown) => {
      if (!(error instanceof TranslateError)) throw error;
      return `${error.code}: ${error.message}`;
    })
    .finally(() => (after = performance.now() - began));
  while (after === undefined) {
    await new Promise((resolve) => void setImmediate(resolve));
    await clock.nextAsync();
  }
  return { result: await done, after, reports };
}

const CASES: readonly (readonly [
  what: string,
  orderers: readonly Orderer[],
  after: number,
  at: readonly string[],
  behind: readonly (readonly [string, string])[],
])[] = [
  ['all orderers have the block', ADDRESSES.map((each) => has(each)), 0, [...ADDRESSES], []],
  [
    'enough orderers have it, and the other one cannot be reached: it is not waited for',
    [has('a:1'), has('b:2'), has('c:3'), silent('d:4')],
    0,
    ['a:1', 'b:2', 'c:3'],
    [['d:4', 'connection refused']],
  ],
  [
    'enough orderers have it, and the other one is behind: it is waited for 5 s',
    [has('a:1'), has('b:2'), has('c:3'), slow(has('d:4', 4), 200)],
    // Each round takes 200 ms and a pause of 300 ms, and the 5 s begin after the first.
    5200,
    ['a:1', 'b:2', 'c:3'],
    [['d:4', 'no block 4']],
  ],
  [
    'enough orderers have it, and the other one has another block 4',
    [has('a:1'), has('b:2'), has('c:3'), differs('d:4')],
    5100,
    ['a:1', 'b:2', 'c:3'],
    [['d:4', 'its block 4 is different']],
  ],
];
for (const [what, orderers, after, at, behind] of CASES)
  test.serial(`the wait ends after ${after} ms if ${what}`, async (t) => {
    const found = await waitFor(t, orderers);
    t.deepEqual(found, {
      result: { block: 4n, at: [...at], behind: behind.map(([address, reason]) => ({ address, reason })) },
      after,
      reports: [`block 4 is on ${at.length} of 4 orderers`],
    });
  });

test.serial(
  'an orderer that gets the block in the meantime ends the wait, and each step is reported once',
  async (t) => {
    const blocks = CHAIN.slice(0, 4);
    const late = ordererWith(blocks, 'd:4');
    let calls = 0;
    const growing: Orderer = {
      ...late,
      deliver: async (envelope) => {
        calls += 1;
        if (calls === 3) blocks.push(CHAIN[4]!);
        return late.deliver(envelope);
      },
    };
    const found = await waitFor(t, [has('a:1'), has('b:2'), has('c:3'), growing]);
    t.deepEqual(
      [found.after, found.reports],
      [600, ['block 4 is on 3 of 4 orderers', 'block 4 is on 4 of 4 orderers']],
    );
  },
);

test.serial(
  'at the end of the time too few orderers have the block: the error counts them, with the reason of each other one',
  async (t) => {
    const { result, after } = await waitFor(t, [has('a:1'), has('b:2'), has('c:3', 4), silent('d:4')], 3);
    t.is(
      result,
      'NOT_SEEN: block 4 has the update, but is on 2 of 4 orderers only, 3 are needed: c:3: no block 4; d:4: connection refused',
    );
    t.is(after, 3000);
  },
);

test.serial('an update whose elements no other update has changed may still come', async (t) => {
  stopTimeouts(t);
  const { config } = setPolicy(BEFORE.config, '/Channel/Application/Clerks', 'ANY Readers');
  const other = readUpdateFile(unsignedUpdate(BEFORE.config, config, 'ch1').bytes).update;
  const asked = { network: configsOf(CHAIN), orderers: [has('a:1')], requests: new BlockRequests(ASKING) };
  const waiting = new Waiting(0, new AbortController().signal, () => undefined);
  await t.throwsAsync(awaitUpdate(other, BEFORE, asked, waiting), {
    code: 'NOT_SEEN',
    message: 'no orderer has a block with the update',
  });
});

test('the search for an update ends at the block that was the newest before', async (t) => {
  const found = configsOf(CHAIN);
  t.like(await findUpdate(found, update.bytes, 3n), { block: { number: 4n }, newest: { number: 5n } });
  t.deepEqual(found.read, [5n, 4n]);
  const missing = configsOf(CHAIN);
  t.like(await findUpdate(missing, update.bytes, 4n), { block: undefined, newest: { number: 5n } });
  t.deepEqual(missing.read, [5n, 4n]);
});

test.serial('a pause ends after its time, or at once when the command is interrupted', async (t) => {
  const clock = stopTimeouts(t);
  const controller = new AbortController();
  const waiting = new Waiting(1, controller.signal, () => undefined);
  let ended = 0;
  const wait = async (): Promise<void> => {
    await pause(500, waiting);
    ended += 1;
  };
  const first = wait();
  await clock.tickAsync(499);
  t.is(ended, 0);
  await clock.tickAsync(1);
  await first;
  t.deepEqual([waiting.isOver(), waiting.end], [false, 'not within 1 s']);
  await clock.tickAsync(499);
  t.false(waiting.isOver());
  await clock.tickAsync(1);
  t.true(waiting.isOver());
  const second = wait();
  t.is(clock.countTimers(), 1);
  controller.abort();
  await second;
  t.deepEqual([clock.countTimers(), waiting.end], [0, 'interrupted']);
  await wait();
  t.deepEqual([clock.countTimers(), ended], [0, 3]);
});
