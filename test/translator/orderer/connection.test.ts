// Calls of an orderer over gRPC: stand-ins for orderers on real sockets.

import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import test from 'ava';
import { openOrderer } from '../../../translator/orderer/connection.js';
import { grpcServer } from '../../helpers/grpc-server.js';

/** The time limit of a call, in milliseconds: longer than a test may take. */
const LONG = 600_000;

test('a call ends early with its signal', async (t) => {
  const controller = new AbortController();
  const closed: Promise<unknown>[] = [];
  const { address } = await grpcServer(t, (stream: ServerHttp2Stream) => {
    closed.push(once(stream, 'close'));
    controller.abort();
  });
  const orderer = await openOrderer({
    address: `${address.host}:${address.port}`,
    cas: undefined,
    timeout: LONG,
  });
  t.teardown(() => orderer.close());
  await t.throwsAsync(orderer.deliver(new Uint8Array([1]), controller.signal), { code: 'UNREACHABLE' });
  t.is(closed.length, 1);
  await closed[0];
});
