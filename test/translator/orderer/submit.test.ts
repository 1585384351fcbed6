// How an update gets to an orderer: the next one, and the end of the time.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import type { BroadcastResponse, Orderer } from '../../../translator/orderer/connection.js';
import { broadcast, type Sent } from '../../../translator/orderer/submit.js';
import { Waiting } from '../../../translator/orderer/await-block.js';

/** An orderer that responds so; a string is the reason why it does not respond. */
const orderer = (address: string, ...responses: readonly (BroadcastResponse | string)[]): Orderer => {
  const rest = [...responses];
  return {
    address,
    deliver: async () => new Uint8Array(),
    broadcast: async () => {
      const next = rest.length > 1 ? rest.shift()! : rest[0]!;
      if (typeof next === 'string') throw new TranslateError('UNREACHABLE', next);
      return next;
    },
    close: () => undefined,
  };
};

const OK = { status: 200, info: '' };
const NO_LEADER = { status: 503, info: 'no Raft leader' };
const OUTDATED = { status: 400, info: 'version' };

/** Sends to orderers, without a second round unless `seconds` is more. */
async function send(
  orderers: readonly Orderer[],
  seconds = 0,
): Promise<{ readonly sent: Sent; readonly reports: string[] }> {
  const reports: string[] = [];
  const waiting = new Waiting(seconds, new AbortController().signal, (text) => void reports.push(text));
  return { sent: await broadcast(new Uint8Array(), orderers, waiting), reports };
}

test('the first orderer that accepts the update is the last that gets it', async (t) => {
  const never = orderer('c:3', 'it must not get the update');
  t.deepEqual(await send([orderer('a:1', 'connection refused'), orderer('b:2', OK), never]), {
    sent: { by: 'b:2' },
    reports: ['orderer a:1: connection refused'],
  });
});

test('an orderer without a leader is asked again after the others', async (t) => {
  const { sent, reports } = await send([orderer('a:1', NO_LEADER, OK), orderer('b:2', NO_LEADER)], 60);
  t.deepEqual(sent, { by: 'a:1' });
  t.deepEqual(reports, [
    'orderer a:1: unavailable (503): no Raft leader',
    'orderer b:2: unavailable (503): no Raft leader',
  ]);
});

test('a refusal has the text of the orderer', async (t) => {
  const error = await t.throwsAsync(send([orderer('a:1', OUTDATED), orderer('b:2', OK)]), {
    instanceOf: TranslateError,
  });
  t.deepEqual([error?.code, error?.message], ['REFUSED', 'orderer a:1 refused the update (400): version']);
});

test('outdated after a response that was lost: an orderer may have accepted it', async (t) => {
  const { sent } = await send([orderer('a:1', 'connection reset'), orderer('b:2', OUTDATED)]);
  t.deepEqual(sent, { by: undefined });
});

test('at the end of the time the error has the reason of each orderer', async (t) => {
  const error = await t.throwsAsync(send([orderer('a:1', 'connection refused'), orderer('b:2', NO_LEADER)]), {
    instanceOf: TranslateError,
  });
  t.deepEqual(
    [error?.code, error?.message],
    [
      'UNREACHABLE',
      'no orderer accepted the update (not within 0 s): orderer a:1: connection refused; orderer b:2: unavailable (503): no Raft leader',
    ],
  );
});

test('an interruption ends the waiting at once', async (t) => {
  const controller = new AbortController();
  const waiting = new Waiting(60, controller.signal, () => controller.abort());
  await t.throwsAsync(broadcast(new Uint8Array(), [orderer('a:1', NO_LEADER)], waiting), {
    message: 'no orderer accepted the update (interrupted): orderer a:1: unavailable (503): no Raft leader',
  });
});
