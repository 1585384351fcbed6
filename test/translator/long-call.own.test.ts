// Progress and end of all calls that can take a second.

import test from 'ava';
import { readConfigFile, readUpdateFile, creatorOf } from '../../translator/channel/index.js';
import { summariseChannel } from '../../translator/documents/index.js';
import { explainIdentities, readIdentities } from '../../translator/identity/index.js';
import type { CallOptions, Progress } from '../../translator/long-call.js';
import { LongCall } from '../../translator/long-call.js';
import { powersOf, powersOfBoth } from '../../translator/powers/index.js';
import { checkConfig, review, reviewProposals, signatureCounts } from '../../translator/review/index.js';
import { largeChannel } from '../helpers/large-channel.js';
import { turnsOf } from '../helpers/turns.js';

const NOW = new Date('2026-11-22T00:00:00Z');
const CHANNEL = largeChannel(12, 7);
const BLOCK = readConfigFile(CHANNEL.config);
const UPDATE = readUpdateFile(CHANNEL.envelope);
const CREATOR = creatorOf(UPDATE.signatures[0]!.header);

const CALLS: readonly (readonly [name: string, call: (options: CallOptions) => Promise<unknown>])[] = [
  ['review', (options) => review(UPDATE, BLOCK, { now: NOW, ...options })],
  ['review for one version', (options) => review(UPDATE, BLOCK, { now: NOW, fabric: ['3.1'], ...options })],
  [
    'reviewProposals',
    (options) =>
      reviewProposals([{ name: 'update.pb', bytes: CHANNEL.envelope }], BLOCK, { now: NOW, ...options }),
  ],
  ['checkConfig', (options) => checkConfig(BLOCK, { now: NOW, ...options })],
  ['signatureCounts', (options) => signatureCounts(UPDATE, BLOCK, { creator: CREATOR }, options)],
  ['powersOf', (options) => powersOf(BLOCK, undefined, options)],
  ['powersOf after an update', (options) => powersOf(BLOCK, UPDATE, options)],
  ['powersOfBoth', (options) => powersOfBoth(BLOCK, BLOCK, options)],
  ['summariseChannel', (options) => summariseChannel(BLOCK, options)],
  [
    'explainIdentities',
    (options) => explainIdentities(readIdentities(CHANNEL.envelope), BLOCK, { now: NOW, ...options }),
  ],
];

for (const [name, call] of CALLS) {
  test.serial(`the progress of ${name} grows to its total`, async (t) => {
    const reports: Progress[] = [];
    await call({ onProgress: (progress) => reports.push(progress) });
    const done = reports.map((each) => each.done);
    t.true(done.length > 2);
    t.deepEqual(
      done,
      [...new Set(done)].toSorted((one, other) => one - other),
    );
    const [first] = reports;
    t.deepEqual(
      [first!.done, done.at(-1), new Set(reports.map(({ total }) => total)).size],
      [0, first!.total, 1],
    );
  });

  test.serial(
    `an abort ends ${name} in the next turn of the event loop, with the reason of the signal`,
    async (t) => {
      const all = await turnsOf(t, () => call({}));
      const controller = new AbortController();
      const reason = new Error('the user has closed the page');
      const turns = await turnsOf(t, () => {
        setImmediate(() => controller.abort(reason));
        return t.throwsAsync(call({ signal: controller.signal }), { is: reason });
      });
      t.true(turns <= 3 && turns < all, `${turns} turns, ${all} without an abort`);
    },
  );

  test.serial(`${name} with an aborted signal makes no progress`, async (t) => {
    const reports: Progress[] = [];
    const reason = new Error('no longer needed');
    const error = t.throwsAsync(
      call({ signal: AbortSignal.abort(reason), onProgress: (progress) => reports.push(progress) }),
      { is: reason },
    );
    await error;
    t.true(reports.every(({ done }) => done === 0));
  });
}

test('a call waits for work that does not know it only until its signal aborts', async (t) => {
  const controller = new AbortController();
  const reason = new Error('no longer needed');
  const call = new LongCall({ signal: controller.signal });
  t.is(await call.wait(Promise.resolve(1)), 1);
  const failed = new Error('failed');
  await t.throwsAsync(call.wait(Promise.reject(failed)), { is: failed });
  const waiting = call.wait(new Promise(() => {}));
  controller.abort(reason);
  await t.throwsAsync(waiting, { is: reason });
  // The work fails later, and nobody waits for it.
  await t.throwsAsync(call.wait(Promise.reject(failed)), { is: reason });
});
