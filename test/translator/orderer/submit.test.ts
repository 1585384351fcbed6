// Sending an update to orderers: the next orderer, the errors if it is not accepted, and the time limit.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import type { BroadcastResponse, Orderer } from '../../../translator/orderer/connection.js';
import { broadcast, type Sent } from '../../../translator/orderer/submit.js';
import { Waiting } from '../../../translator/orderer/await-block.js';

/** The behaviour of an orderer: it responds, does not receive the envelope, or receives it and does not respond. */
type Behaviour = BroadcastResponse | { readonly unsent: string } | { readonly lost: string };

/** An orderer with these behaviours, one for each call; the last one is repeated. */
const orderer = (address: string, ...times: readonly Behaviour[]): Orderer => {
  const rest = [...times];
  return {
    address,
    deliver: async () => new Uint8Array(),
    broadcast: async () => {
      const next = rest.length > 1 ? rest.shift()! : rest[0]!;
      if ('unsent' in next) throw new TranslateError('UNREACHABLE', next.unsent);
      if ('lost' in next) throw new TranslateError('NOT_SEEN', next.lost);
      return next;
    },
    close: () => undefined,
  };
};

const OK = { status: 200, info: '' };
const NO_LEADER = { status: 503, info: 'no Raft leader' };
const OUTDATED = { status: 400, info: 'version' };
const FORBIDDEN = { status: 403, info: 'policy' };
const REFUSED = { unsent: 'connection refused' };
const RESET = { lost: 'connection reset' };

/** Sends to orderers, without a second round unless `seconds` is more. */
async function send(
  orderers: readonly Orderer[],
  seconds = 0,
): Promise<{ readonly sent: Sent; readonly reports: string[] }> {
  const reports: string[] = [];
  const waiting = new Waiting(seconds, new AbortController().signal, (text) => void reports.push(text));
  return { sent: await broadcast(new Uint8Array(), orderers, waiting), reports };
}

test('after an orderer accepts the update, no other one receives it', async (t) => {
  const never = orderer('c:3', { unsent: 'it must not get the update' });
  t.deepEqual(await send([orderer('a:1', REFUSED), orderer('b:2', OK), never]), {
    sent: { by: 'b:2', reasons: [] },
    reports: ['orderer a:1: connection refused'],
  });
});

test('an orderer without a leader is asked again after the others', async (t) => {
  const { sent, reports } = await send([orderer('a:1', NO_LEADER, OK), orderer('b:2', NO_LEADER)], 60);
  t.deepEqual(sent, { by: 'a:1', reasons: [] });
  t.deepEqual(reports, [
    'orderer a:1: unavailable (503): no Raft leader',
    'orderer b:2: unavailable (503): no Raft leader',
  ]);
});

const SENT_TO_NOBODY: readonly (readonly [what: string, before: readonly Behaviour[]])[] = [
  ['nothing before', []],
  ['a refused connection', [REFUSED]],
  [
    'a TLS certificate that is not trusted',
    [{ unsent: 'its TLS certificate is not issued by a trusted CA' }],
  ],
  ['a connection that was not made in time', [{ unsent: 'no response within 10 s' }]],
  ['a 503', [NO_LEADER]],
  ['a refused connection and a 503', [REFUSED, NO_LEADER]],
];
for (const [what, before] of SENT_TO_NOBODY)
  for (const { status, info } of [
    OUTDATED,
    FORBIDDEN,
    { status: 404, info: 'x' },
    { status: 500, info: 'x' },
  ])
    test(`a ${status} after ${what} is a refusal with the text of the orderer`, async (t) => {
      const orderers = before.map((each, index) => orderer(`before:${index + 1}`, each));
      await t.throwsAsync(send([...orderers, orderer('b:2', { status, info }), orderer('c:3', OK)], 60), {
        instanceOf: TranslateError,
        code: 'REFUSED',
        message: `orderer b:2 refused the update (${status}): ${info}`,
      });
    });

for (const lost of ['connection reset', 'no response within 10 s', 'it ended the stream without a response'])
  for (const { status, info } of [OUTDATED, FORBIDDEN])
    test(`a ${status} after an orderer got the update (${lost}) leaves it unclear, with both reasons`, async (t) => {
      const { sent } = await send([orderer('a:1', { lost }), orderer('b:2', { status, info })], 60);
      t.deepEqual(sent, {
        by: undefined,
        reasons: [`orderer a:1: ${lost}`, `orderer b:2 refused the update (${status}): ${info}`],
      });
    });

test('it is unclear if an orderer received the update, did not respond and refuses it later', async (t) => {
  const { sent } = await send([orderer('a:1', RESET, REFUSED, OUTDATED)], 60);
  t.deepEqual(sent, {
    by: undefined,
    reasons: ['orderer a:1: connection reset', 'orderer a:1 refused the update (400): version'],
  });
});

test('an orderer that accepts the update is returned, even if another one received it and did not respond', async (t) => {
  t.deepEqual((await send([orderer('a:1', RESET), orderer('b:2', OK)])).sent, { by: 'b:2', reasons: [] });
});

test('at the time limit it is unclear if an orderer received the update and did not respond', async (t) => {
  const orderers = [orderer('a:1', RESET), orderer('b:2', NO_LEADER), orderer('c:3', REFUSED)];
  t.deepEqual((await send(orderers)).sent, {
    by: undefined,
    reasons: [
      'orderer a:1: connection reset',
      'orderer b:2: unavailable (503): no Raft leader',
      'orderer c:3: connection refused',
    ],
  });
});

test('at the time limit the error has the reason of each orderer', async (t) => {
  await t.throwsAsync(send([orderer('a:1', REFUSED), orderer('b:2', NO_LEADER)]), {
    instanceOf: TranslateError,
    code: 'UNREACHABLE',
    message:
      'no orderer accepted the update (not within 0 s): orderer a:1: connection refused; orderer b:2: unavailable (503): no Raft leader',
  });
});

test('after an interruption no other orderer receives the update', async (t) => {
  const controller = new AbortController();
  const waiting = new Waiting(60, controller.signal, () => controller.abort());
  const never = orderer('b:2', OK);
  await t.throwsAsync(broadcast(new Uint8Array(), [orderer('a:1', NO_LEADER), never], waiting), {
    message: 'no orderer accepted the update (interrupted): orderer a:1: unavailable (503): no Raft leader',
  });
});
