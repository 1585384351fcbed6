// The engine in a worker, so that the page stays responsive: with hundreds of organisations, a review takes seconds. The worker runs the
// script of the page from a blob, because the page is one file that may be opened from a disk.

import { TranslateError, type TranslateErrorCode } from '#proto/errors.js';
import { readConfigFile, writeConfig, type ConfigFile } from '#translator/channel/index.js';
import type { Progress } from '#translator/long-call.js';
import type { Engine } from './engine.js';
import { sourceOf } from './files.js';
import { percentOf, type OnProgress } from './progress.js';

/** A request to the worker: the name of a function of the engine, and its arguments. */
interface Request {
  readonly id: number;
  readonly call: keyof Engine;
  readonly args: readonly unknown[];
  /** Whether the caller wants to know the progress. */
  readonly reports: boolean;
}

/** The answer of the worker. */
interface Answer {
  readonly id: number;
  /** The call has not ended. */
  readonly progress?: Progress;
  readonly result?: unknown;
  readonly error?: string;
  /** Of a `TranslateError`. */
  readonly code?: TranslateErrorCode;
}

/** A config among the arguments. `bytes` are there when it is sent for the first time. */
interface SentBase {
  readonly base: number;
  readonly bytes?: Uint8Array;
}

const isBase = (value: unknown): value is SentBase =>
  typeof value === 'object' && value !== null && 'base' in value;
const isConfigFile = (value: unknown): value is ConfigFile =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'config';

/** Where messages come from and go to. */
interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: never }) => void): void;
}

/** Answers the requests that come to the scope of a worker. */
export function serveEngine(port: Port, engine: Engine): void {
  const bases = new Map<number, ConfigFile>();
  const argumentOf = (value: unknown): unknown => {
    if (!isBase(value)) return value;
    if (value.bytes !== undefined) {
      // Only the newest config is kept.
      bases.clear();
      bases.set(value.base, readConfigFile(value.bytes));
    }
    return bases.get(value.base);
  };
  port.addEventListener('message', ({ data }) => {
    const { id, call, args, reports } = data as Request;
    const run = engine[call] as (...all: unknown[]) => Promise<unknown>;
    const all = args.map(argumentOf);
    if (reports) all.push(reportTo(port, id));
    void (async () => run(...all))().then(
      (result) => port.postMessage({ id, result } satisfies Answer),
      (error: Error) => port.postMessage(failureOf(id, error)),
    );
  });
  port.postMessage({ id: STARTED } satisfies Answer);
}

/** Sends the progress of a call, each time that it is one hundredth more. */
function reportTo(port: Port, id: number): OnProgress {
  let last = 0;
  return (progress) => {
    const percent = percentOf(progress);
    if (percent <= last) return;
    last = percent;
    port.postMessage({ id, progress } satisfies Answer);
  };
}

const failureOf = (id: number, error: Error): Answer => ({
  id,
  error: error.message,
  ...(error instanceof TranslateError && { code: error.code }),
});

/** The id of the first message of a worker, which is no answer. */
const STARTED = 0;

/** A call without an answer. */
interface Waiting {
  readonly done: (result: never) => void;
  readonly failed: (error: Error) => void;
  readonly onProgress: OnProgress | undefined;
}

/** The engine of a worker. @param port of the worker */
export function remoteEngine(port: Port): Engine {
  const waiting = new Map<number, Waiting>();
  let requests = 0;
  let bases = 0;
  let last: { readonly file: ConfigFile; readonly base: number } | undefined;
  const sent = (value: unknown): unknown => {
    if (!isConfigFile(value)) return value;
    if (last?.file === value) return { base: last.base } satisfies SentBase;
    last = { file: value, base: (bases += 1) };
    const bytes = sourceOf(value) ?? writeConfig(value.config);
    return { base: last.base, bytes } satisfies SentBase;
  };
  port.addEventListener('message', ({ data }) => {
    const { id, progress, result, error, code } = data as Answer;
    const call = waiting.get(id);
    if (progress !== undefined) return call?.onProgress?.(progress);
    waiting.delete(id);
    if (error === undefined) call?.done(result as never);
    else call?.failed(code === undefined ? new Error(error) : new TranslateError(code, error));
    return undefined;
  });
  const calling =
    (call: keyof Engine) =>
    (...args: readonly unknown[]): Promise<never> =>
      new Promise((done, failed) => {
        const id = (requests += 1);
        const tail = args.at(-1);
        const onProgress = typeof tail === 'function' ? (tail as OnProgress) : undefined;
        waiting.set(id, { done, failed, onProgress });
        // A function cannot be sent.
        const sendable = args.filter((each) => each !== tail || onProgress === undefined).map(sent);
        port.postMessage({ id, call, args: sendable, reports: onProgress !== undefined } satisfies Request);
      });
  return {
    baseOf: calling('baseOf'),
    reviewAll: calling('reviewAll'),
    explainAll: calling('explainAll'),
    powersOf: calling('powersOf'),
    gainsOf: calling('gainsOf'),
    organizationsOf: calling('organizationsOf'),
    pictureOf: calling('pictureOf'),
    mspIdsOf: calling('mspIdsOf'),
    standingsOf: calling('standingsOf'),
    futuresOf: calling('futuresOf'),
  };
}
