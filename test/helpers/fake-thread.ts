// The module of a thread that translates with the fake operations. The first word of a text can be a command of this thread.

import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Bounds } from '../../proto/limits.js';
import { serveThread } from '../../translator/http/translation-thread.js';
import { createTranslations } from '../../translator/http/translations.js';
import { FAKES } from './translator.js';

/** In milliseconds. */
const PAUSE = 5;

let translated = 0;

/** The commands: `hold NAME` sends a message to the channel with this name and waits for one; the others end the thread. */
const COMMANDS: Readonly<Record<string, (argument: string) => void>> = {
  hold: (name) => {
    const channel = new BroadcastChannel(name);
    // The rule is about windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel.postMessage(undefined);
    const never = new Int32Array(new SharedArrayBuffer(4));
    // Node also takes a channel, but its types do not say so.
    while (receiveMessageOnPort(channel as unknown as MessagePort) === undefined)
      Atomics.wait(never, 0, 0, PAUSE);
    channel.close();
  },
  exit: () => process.exit(3),
  memory: () => {
    for (const all: unknown[] = []; ;) all.push(Array.from({ length: 1000 }, () => ({})));
  },
};

function obey(bytes: Uint8Array): void {
  translated += 1;
  const [command = '', argument = ''] = Buffer.from(bytes.subarray(0, 100)).toString().split(' ');
  COMMANDS[command]?.(argument);
}

const translations = createTranslations({
  decode: (type, bytes, bounds) => {
    obey(bytes);
    return FAKES.decode(type, bytes, bounds);
  },
  /** `count` is encoded as the number of translations of this thread. */
  encode: (type, json, bounds) => {
    obey(json);
    return json[0] === 'c'.charCodeAt(0) ? Buffer.from(String(translated)) : FAKES.encode(type, json, bounds);
  },
  computeUpdate: async (original, updated, channelId) => {
    obey(original);
    return FAKES.computeUpdate(original, updated, channelId);
  },
});
if (parentPort !== null) serveThread(parentPort, translations, workerData as Bounds);
