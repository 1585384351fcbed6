// The example of the page: a channel, a new organisation, a takeover, and the MSP folder of an admin who can sign.

import { EXAMPLE } from './example-data.js';
import type { UnreadFile } from './files.js';

/** The files of the example. */
export async function exampleFiles(): Promise<readonly UnreadFile[]> {
  const packed = Uint8Array.from(atob(EXAMPLE), (each) => each.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = all.indexOf(LINE_BREAK) + 1;
  const files = JSON.parse(new TextDecoder().decode(all.subarray(0, at))) as readonly [string, number][];
  return files.map(([path, size]) => {
    const bytes = all.slice(at, (at += size));
    return { path, read: async () => ({ path, bytes, size }) };
  });
}

const LINE_BREAK = 10;
