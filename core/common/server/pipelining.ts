// Limits the requests of one connection that are in memory.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Node parses at least this many bytes at once, which can hold a few short requests. */
const MIN_PIECE = 256;
const END_OF_HEADER = '\r\n\r\n';

/** The newest request of a connection; undefined before the first one. */
interface Newest {
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
}

/**
 * Makes a server handle the requests of each connection one after the other: the next one is parsed when the response to the one
 * before was sent. Node parses all requests of a read, up to 64 KB with thousands of requests, and calls the handler for each of
 * them, whether or not the client reads the responses.
 *
 * Call it before the server listens.
 */
export function limitPipelining(server: Server, isTls: boolean): void {
  const connections = new WeakMap<Socket, Newest>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const newest = connections.get(request.socket);
    if (newest === undefined) return;
    newest.request = request;
    newest.response = response;
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
    if (event === 'request' || server.listenerCount(event) > 0) server.prependListener(event, onRequest);
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    const [parse] = socket.listeners('data');
    // The listener of Node's HTTP server. Its connection listener was called first.
    if (parse === undefined) return;
    const newest: Newest = { request: undefined, response: undefined };
    connections.set(socket, newest);
    const reader = createReader(socket, (piece) => parse.call(socket, piece), newest);
    // In this order: without a listener the socket would stop.
    socket.on('data', reader);
    socket.off('data', parse as () => void);
  });
}

/** Creates a listener that passes data on up to the end of a request whose response is pending, and keeps the rest until then. */
function createReader(
  socket: Socket,
  parse: (piece: Buffer) => void,
  newest: Newest,
): (data: Buffer) => void {
  let isWaiting = false;
  const wait = (response: ServerResponse, rest: Buffer): void => {
    socket.pause();
    socket.unshift(rest);
    if (isWaiting) return;
    isWaiting = true;
    response.once('close', () => {
      isWaiting = false;
      socket.resume();
    });
  };
  return (data) => {
    for (let rest = data; rest.length > 0 && !socket.destroyed;) {
      const { request, response } = newest;
      // A request whose body is not complete needs the data.
      if (request?.complete === true && response?.closed === false) return wait(response, rest);
      const size = sizeOfPiece(rest);
      parse(size === rest.length ? rest : rest.subarray(0, size));
      rest = rest.subarray(size);
      // By Node, because the response cannot be written as fast, or by the reader of a body.
      if (socket.isPaused() && rest.length > 0) return socket.unshift(rest);
    }
  };
}

function sizeOfPiece(data: Buffer): number {
  if (data.length <= MIN_PIECE) return data.length;
  const end = data.indexOf(END_OF_HEADER, MIN_PIECE - END_OF_HEADER.length, 'latin1');
  return end === -1 ? data.length : end + END_OF_HEADER.length;
}
