// Reads a stream in pieces, so that a fast sender does not block the event loop.

import type { Readable } from 'node:stream';

/** Most pieces in a row. */
const MAX_PIECES = 500;

/**
 * Calls back for each piece of a stream, with a pause after many pieces, so that other code can run: libuv reads up to 2 MiB of a fast
 * connection in one turn of the event loop, which are 350,000 chunks of one byte.
 *
 * @returns removes the listener
 */
export function onPieces(stream: Readable, onPiece: (piece: Buffer) => void): () => void {
  let count = 0;
  const listener = (piece: Buffer): void => {
    count += 1;
    if (count % MAX_PIECES === 0) {
      stream.pause();
      setImmediate(() => stream.resume());
    }
    onPiece(piece);
  };
  stream.on('data', listener);
  return () => void stream.off('data', listener);
}
