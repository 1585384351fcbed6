// Starts the worker of the page from the script of the page.

import { ENGINE, type Engine } from './engine.js';
import { remoteEngine } from './worker-engine.js';

/** The components of the page need these when their modules are loaded; a worker has none of them. */
const PRELUDE = `globalThis.HTMLElement=class{};globalThis.window=globalThis;
globalThis.document={createTreeWalker:()=>({}),createComment:()=>({})};\n`;

/** The longest wait for the start of the worker, in milliseconds. */
const START = 10_000;

/** Whether this script runs in the worker. */
export const isInWorker = (): boolean => 'DedicatedWorkerGlobalScope' in globalThis;

interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string };
}

/** The engine in a worker, or in the page itself if the browser starts no worker. @param script of the page */
export async function startEngine(script: string): Promise<Engine> {
  const worker = workerOf(script);
  if (worker === undefined) return ENGINE;
  return new Promise((done) => {
    const timer = setTimeout(() => done(ENGINE), START);
    const end = (engine: Engine): void => {
      clearTimeout(timer);
      done(engine);
    };
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      end(ENGINE);
    });
    const isStarted = (): void => end(remoteEngine(worker));
    worker.addEventListener('message', isStarted, { once: true });
  });
}

function workerOf(script: string): Worker | undefined {
  try {
    const blob = URL.createObjectURL(new Blob([PRELUDE, script], { type: 'text/javascript' }));
    const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
    const policy = types?.createPolicy('channel-worker', { createScriptURL: (url) => url });
    return new Worker(policy?.createScriptURL(blob) ?? blob);
  } catch {
    return undefined;
  }
}

/** An engine that waits for its start. */
export const sharedEngine = (starting: Promise<Engine>): Engine => ({
  baseOf: async (...args) => (await starting).baseOf(...args),
  reviewAll: async (...args) => (await starting).reviewAll(...args),
  explainAll: async (...args) => (await starting).explainAll(...args),
  powersOf: async (...args) => (await starting).powersOf(...args),
  gainsOf: async (...args) => (await starting).gainsOf(...args),
  organizationsOf: async (...args) => (await starting).organizationsOf(...args),
  pictureOf: async (...args) => (await starting).pictureOf(...args),
  mspIdsOf: async (...args) => (await starting).mspIdsOf(...args),
  standingsOf: async (...args) => (await starting).standingsOf(...args),
  futuresOf: async (...args) => (await starting).futuresOf(...args),
});
