// The connections of a server, and the answers that are under way on them.

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The answer that is being sent on a connection of node's HTTP server; undefined where none is. */
export function answerOn(socket: Duplex): ServerResponse | undefined {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Every connection of a server, for its end. */
export class Connections {
  readonly #server: Server;
  /** Those in the middle of a TLS handshake, too, which node's HTTP server does not know yet. */
  readonly #accepted = new Set<Socket>();
  /** Those that answers are written to: under TLS it is not the socket that was accepted. */
  readonly #answered = new Set<Socket>();

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      keep(socket, this.#accepted);
      keep(socket, this.#answered);
    });
    server.on('secureConnection', (socket: Socket) => keep(socket, this.#answered));
  }

  /**
   * Closes the server and every connection without an answer under way. Those with one are closed at its end, or cut after the
   * grace time, in milliseconds.
   */
  close(grace: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#cut(() => true), grace);
      this.#closeSparingAnswers(() => {
        clearTimeout(timer);
        resolve();
      });
      // Node does not count those as idle that have not said anything yet.
      this.#cut((socket) => socket.bytesRead === 0);
    });
  }

  #cut(which: (socket: Socket) => boolean): void {
    for (const socket of this.#accepted) if (which(socket)) socket.destroy();
  }

  #closeSparingAnswers(onClosed: () => void): void {
    const sending = this.#sparingAnswers(() => {
      this.#server.close(onClosed);
      this.#server.closeIdleConnections();
    });
    for (const answer of sending)
      answer.once('close', () =>
        setImmediate(() => this.#sparingAnswers(() => this.#server.closeIdleConnections())),
      );
  }

  /**
   * Node takes a connection for idle once all of an answer was handed to it, and would cut what a slow reader has not got yet.
   *
   * @returns the answers that were spared
   */
  #sparingAnswers(closeIdle: () => void): readonly ServerResponse[] {
    const sending = [...this.#answered].flatMap((socket) => {
      const answer = answerOn(socket);
      return answer?.finished === true ? [answer] : [];
    });
    for (const answer of sending) Object.assign(answer, { finished: false });
    closeIdle();
    for (const answer of sending) Object.assign(answer, { finished: true });
    return sending;
  }
}

/** Keeps a connection in a set for as long as it is open. */
function keep(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}
