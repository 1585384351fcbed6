import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection as node's server knows it, with the answer that is under way. */
type ServerSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** The answers of a server that are under way, for its end. */
export class Answers {
  readonly #server: Server;
  readonly #sockets = new Set<ServerSocket>();

  constructor(server: Server) {
    this.#server = server;
    // Under TLS it is the second one that answers are written to.
    for (const event of ['connection', 'secureConnection'])
      server.on(event, (socket: ServerSocket) => {
        this.#sockets.add(socket);
        socket.once('close', () => this.#sockets.delete(socket));
      });
  }

  /** Closes the server and every connection without an answer under way; those with one are closed at its end. */
  close(onClosed: () => void): void {
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
    const sending = [...this.#sockets].flatMap(({ _httpMessage: answer }) =>
      answer?.finished === true ? [answer] : [],
    );
    for (const answer of sending) Object.assign(answer, { finished: false });
    closeIdle();
    for (const answer of sending) Object.assign(answer, { finished: true });
    return sending;
  }
}
