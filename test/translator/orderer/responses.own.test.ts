// The time limits for silent orderers. The clock of the process is replaced.

import test from 'ava';
import { useFakeTimers } from 'sinon';
import { TranslateError } from '../../../proto/errors.js';
import { askAll, type OrdererResponse, type Newest } from '../../../translator/orderer/responses.js';
import type { Orderer } from '../../../translator/orderer/connection.js';
import type { StoredBlock } from '../../../translator/ledger/index.js';

const NO_BYTES = new Uint8Array();
const block: StoredBlock = { number: 0n, dataHash: NO_BYTES, previousHash: NO_BYTES, data: [], metadata: [] };

const orderer = (address: string): Orderer => ({
  address,
  deliver: async () => NO_BYTES,
  broadcast: async () => ({ status: 500, info: '' }),
  close: () => undefined,
});
const newest = (each: Orderer): Newest => ({
  orderer: each,
  newest: block,
  config: block,
  before: undefined,
});
const refused = (each: Orderer): OrdererResponse => ({
  orderer: each,
  error: new TranslateError('REFUSED', 'refused'),
});

/** The behaviour of an orderer, which its address names. */
const BEHAVIOUR: Readonly<Record<string, (each: Orderer) => OrdererResponse | undefined>> = {
  good: newest,
  bad: refused,
  silent: () => undefined,
};

for (const { title, orderers, earlier = [], ends, late } of [
  { title: 'all respond', orderers: ['good', 'good'], ends: 0, late: undefined },
  { title: 'all respond or refuse', orderers: ['good', 'bad', 'bad'], ends: 0, late: undefined },
  {
    title: 'two of three respond',
    orderers: ['good', 'silent', 'good'],
    ends: 1000,
    late: 'no response within 1 s after the responses of more than half of the orderers',
  },
  {
    title: 'one of three responds',
    orderers: ['silent', 'silent', 'good'],
    ends: 3000,
    late: 'no response within 3 s after the first response',
  },
  {
    title: 'half respond',
    orderers: ['silent', 'good'],
    ends: 3000,
    late: 'no response within 3 s after the first response',
  },
  {
    title: 'the one that was asked earlier has responded, one of two others does not',
    orderers: ['silent', 'good'],
    earlier: ['good'],
    ends: 1000,
    late: 'no response within 1 s after the responses of more than half of the orderers',
  },
  {
    title: 'the one that was asked earlier has responded, no other does',
    orderers: ['silent', 'silent'],
    earlier: ['good'],
    ends: 3000,
    late: 'no response within 3 s after the first response',
  },
] as const)
  test.serial(`the end comes after ${ends} ms when ${title}`, async (t) => {
    const clock = useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'performance'],
      shouldClearNativeTimers: true,
    });
    t.teardown(() => clock.restore());
    const signals: AbortSignal[] = [];
    let responses: readonly OrdererResponse[] | undefined;
    const done = askAll(
      orderers.map(orderer),
      earlier.map((each) => newest(orderer(each))),
      async (each, signal) => {
        signals.push(signal);
        return BEHAVIOUR[each.address]!(each) ?? new Promise<never>(() => undefined);
      },
    ).then((found) => (responses = found));
    if (ends > 0) {
      await clock.tickAsync(ends - 1);
      t.is(responses, undefined);
      await clock.tickAsync(1);
    }
    await done;
    t.deepEqual(
      responses!.map((each) => ('error' in each ? each.error.message : 'good')),
      orderers.map((each) => ({ good: 'good', bad: 'refused', silent: late ?? '' })[each]),
    );
    t.deepEqual([signals.every(({ aborted }) => aborted), clock.countTimers()], [true, 0]);
  });

test.serial('without a response nothing ends before the calls do', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  let fail: (() => void) | undefined;
  const done = askAll(
    [orderer('bad'), orderer('silent')],
    [],
    async (each) =>
      new Promise((resolve) => {
        const end = (): void => resolve(refused(each));
        if (each.address === 'bad') end();
        else fail = end;
      }),
  );
  await clock.tickAsync(3_600_000);
  t.is(clock.countTimers(), 0);
  fail!();
  t.is((await done).length, 2);
});
