// CONNECT, for which node hands over the bare socket.

import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { answerOn } from './client-errors.js';
import { lingerOn } from './linger.js';

/** Makes a listener for the event `connect` of a server: CONNECT is answered like any other method, and is the last request. */
export function createConnectListener(
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): (request: IncomingMessage, socket: Duplex) => void {
  return (request, socket) => {
    // Nobody else looks after it any more.
    socket.on('error', () => socket.destroy());
    answer(onRequest, request, socket as Socket);
  };
}

/** Answers once no answer to an earlier request of the connection is under way. */
function answer(
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
  request: IncomingMessage,
  socket: Socket,
): void {
  const earlier = answerOn(socket);
  if (earlier !== undefined) {
    earlier.once('finish', () => answer(onRequest, request, socket));
    return;
  }
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    socket.end();
    lingerOn(socket);
  });
  onRequest(request, response);
}
