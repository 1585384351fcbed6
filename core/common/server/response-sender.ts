// Sends response bodies in pieces, within a budget of bytes.

import type { ServerResponse } from 'node:http';
import { ByteBudget } from './byte-budget.js';

/** A body; the same object for several responses is counted once. */
export type Body = Uint8Array | readonly Uint8Array[];

/** Bytes that are passed to a connection at a time. TLS encrypts them at once, which makes a copy for each connection. */
const PIECE_SIZE = 256 * 1024;
/** A body up to this size, in bytes, fits into the send buffer of a connection, however slow its client is. */
const SMALL_BODY = 16 * 1024;

/** Sends bodies. While clients do not read, the bodies take at most the bytes of the budget. */
export class ResponseSender {
  readonly #budget: ByteBudget;
  /** The number of responses that need each body. */
  readonly #users = new Map<Body, number>();

  /** @param budget when it is used up, the connection without progress for the longest time is closed */
  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /**
   * Sends a body after the header and ends the response once all of it was passed to the operating system. Node counts the
   * connection of an ended response as idle, even if a slow client has not received all of it, and would close it during shutdown.
   */
  send(response: ServerResponse, body: Body): void {
    const size = sizeOf(body);
    if (size <= SMALL_BODY) {
      response.end(body instanceof Uint8Array ? body : Buffer.concat(body, size));
      return;
    }
    const release = this.#hold(response, body, size);
    response.once('close', release.end);
    const pieces = piecesOf(body);
    const next = (error?: Error | null): void => {
      // The connection is closed.
      if (error) return;
      release.touch();
      const { value, done } = pieces.next();
      if (done === true) response.end();
      else response.write(value, next);
    };
    next();
  }

  #hold(response: ServerResponse, body: Body, size: number): { touch: () => void; end: () => void } {
    let isHeld = true;
    const end = (): void => {
      if (!isHeld) return;
      isHeld = false;
      share.close();
      const users = (this.#users.get(body) ?? 1) - 1;
      if (users > 0) this.#users.set(body, users);
      else {
        this.#users.delete(body);
        this.#budget.remove(size);
      }
    };
    const share = this.#budget.open(() => {
      end();
      response.destroy();
    });
    share.add(Math.min(size, PIECE_SIZE));
    const users = this.#users.get(body) ?? 0;
    this.#users.set(body, users + 1);
    if (users === 0) this.#budget.add(size, share);
    return { touch: () => this.#budget.touch(share), end };
  }
}

/** The size of a body in bytes. */
export function sizeOf(body: Body): number {
  return body instanceof Uint8Array ? body.length : body.reduce((size, part) => size + part.length, 0);
}

function* piecesOf(body: Body): Generator<Uint8Array, void> {
  for (const part of body instanceof Uint8Array ? [body] : body)
    for (let start = 0; start < part.length; start += PIECE_SIZE)
      yield part.subarray(start, start + PIECE_SIZE);
}
