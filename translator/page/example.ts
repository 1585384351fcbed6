// The example of the page: a recorded channel, updates of it, and the MSP folder of an admin who can sign.

import { EXAMPLE } from './example-data.js';
import type { UnreadFile } from './files.js';

/** The recorded updates, and what they are. Only one of the addition and the removal can be accepted. */
export const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['takeover.pb', 'a takeover'],
  ['add-org3.pb', 'a new organisation'],
  ['remove-org2.pb', 'a removal'],
]);

/** The files of the example. @param updates the names of the updates */
export async function exampleFiles(
  updates: readonly string[] = ['takeover.pb', 'add-org3.pb'],
): Promise<readonly UnreadFile[]> {
  const packed = Uint8Array.from(atob(EXAMPLE), (each) => each.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = all.indexOf(LINE_BREAK) + 1;
  const files = JSON.parse(new TextDecoder().decode(all.subarray(0, at))) as readonly [string, number][];
  const read = files.map(([path, size]) => {
    const bytes = all.slice(at, (at += size));
    return { path, read: async () => ({ path, bytes, size }) };
  });
  return read.filter(({ path }) => !EXAMPLES.has(path) || updates.includes(path));
}

const LINE_BREAK = 10;
