// A receiver of notifications on a free port, which responds as a test says.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** A request that was received. */
export interface Received {
  readonly url: string;
  readonly authorization: string | undefined;
  /** The JSON document. */
  readonly document: unknown;
}

/** A running receiver. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Responds with this status from now on. */
  respond(status: number): void;
  /** Responds from now on with the status that the function chooses for a document. */
  readonly respondTo: (choose: (document: Readonly<Record<string, unknown>>) => number) => void;
  /** Stops it and resets its connections, as the end of its process does. */
  stop(): void;
}

/** Starts a receiver that accepts everything; it is stopped at the end of the test. */
export async function startReceiver(t: Pick<ExecutionContext, 'teardown'>, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let choose: (document: Readonly<Record<string, unknown>>) => number = () => 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      const document = JSON.parse(Buffer.concat(chunks).toString()) as Readonly<Record<string, unknown>>;
      const status = choose(document);
      if (status < 300) received.push({ url, authorization: headers.authorization, document });
      response.statusCode = status;
      response.end('why\nso');
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  t.teardown(stop);
  return {
    stop,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond: (status) => void (choose = () => status),
    respondTo: (next) => void (choose = next),
  };
}
