// The number of requests of one connection that are handled at a time.

import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import test from 'ava';
import { limitPipelining } from '../../../../core/common/server/pipelining.js';

/** A connection that counts how often it was closed. */
const connection = (): { destroyed: boolean; closed: number; destroy: () => void } => ({
  destroyed: false,
  closed: 0,
  destroy() {
    this.destroyed = true;
    this.closed += 1;
  },
});

test('of a connection 16 requests may have no complete response; with a further one it is closed once', (t) => {
  const server = new EventEmitter();
  const excess: unknown[] = [];
  limitPipelining(server as Server, (socket) => excess.push(socket));
  const [one, other] = [connection(), connection()];
  const send = (socket: object): EventEmitter => {
    const response = new EventEmitter();
    server.emit('request', { socket }, response);
    return response;
  };
  const responses = Array.from({ length: 16 }, () => send(one));
  responses[0]!.emit('close');
  send(one);
  send(other);
  t.false(one.destroyed);
  send(one);
  t.true(one.destroyed);
  send(one);
  t.deepEqual([one.closed, excess.length, other.destroyed], [1, 1, false]);
  t.is(excess[0], one);
});

test('requests that expect 100 Continue count if the server handles them itself', (t) => {
  const server = new EventEmitter();
  server.on('checkContinue', () => undefined);
  limitPipelining(server as Server);
  t.deepEqual(
    ['request', 'checkContinue', 'checkExpectation'].map((event) => server.listenerCount(event)),
    [1, 2, 0],
  );
  const socket = connection();
  for (let count = 1; count <= 17; count += 1) {
    t.false(socket.destroyed);
    server.emit('checkContinue', { socket }, new EventEmitter());
  }
  t.true(socket.destroyed);
});
