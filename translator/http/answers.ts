import type { Server, ServerResponse } from 'node:http';

/** The answers of a server that are not sent to their end, and the end of connections that have none. */
export class Answers {
  readonly #server: Server;
  readonly #underWay = new Set<ServerResponse>();
  #isClosing = false;

  constructor(server: Server) {
    this.#server = server;
  }

  /** To be called with every answer. */
  follow(answer: ServerResponse): void {
    this.#underWay.add(answer);
    answer.once('close', () => {
      this.#underWay.delete(answer);
      // Its connection was kept when the others were closed.
      if (this.#isClosing) setImmediate(() => this.#sparing(() => this.#server.closeIdleConnections()));
    });
  }

  /** Closes the server and every connection without an answer under way; those with one are closed at its end. */
  close(onClosed: () => void): void {
    this.#isClosing = true;
    this.#sparing(() => {
      this.#server.close(onClosed);
      this.#server.closeIdleConnections();
    });
  }

  /** Node takes a connection for idle once all of an answer was handed to it, and would cut what a slow reader has not got yet. */
  #sparing(closeIdle: () => void): void {
    const sending = [...this.#underWay].filter(({ finished }) => finished);
    for (const answer of sending) Object.assign(answer, { finished: false });
    closeIdle();
    for (const answer of sending) Object.assign(answer, { finished: true });
  }
}
