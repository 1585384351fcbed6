// What receivers were told and have not been told the end of, in a file: an agent that restarts tells them the end.

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callFile, readForeignBytes } from '../common/files/file-call.js';
import { parseForeignJson } from '../common/text/foreign-json.js';
import { onOneLine } from '../common/text/one-line.js';
import { reasonOf, type AgentEvent, type Logger } from '../contract/index.js';

/** The name of the file in the state directory. */
const NAME = 'told-failures.json';
/** Largest file, in bytes. */
const MAX_SIZE = 8 * 1024 * 1024;
/** Most failures of one notifier in the file. */
const MAX_FAILURES = 1_000;
/** Longest text of a failure, in UTF-16 units, and most fields. */
const [MAX_TEXT, MAX_FIELDS] = [512, 20];

/** Where the file is. Another program can replace it. */
export interface StateFile {
  /** @returns undefined if there is none @throws Error if it cannot be read */
  read(): Promise<string | undefined>;
  /** Replaces the file as a whole. @throws Error */
  write(text: string): Promise<void>;
}

/** Opens the file in a directory. */
export type OpenStateFile = (directory: string) => StateFile;

/** The file in a directory of this host. The directory is created; only the user of the agent can read the file. */
export const openStateFile: OpenStateFile = (directory) => {
  const path = join(directory, NAME);
  return {
    async read() {
      try {
        return (await readForeignBytes(path, MAX_SIZE)).toString('utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    write: (text) =>
      callFile(path, async () => {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        const next = `${path}.new`;
        await writeFile(next, text, { mode: 0o600, flush: true });
        await rename(next, path);
      }),
  };
};

/** The failures that the receiver of each notifier was told, or may have been told, and not their ends. */
export class ToldFailures {
  readonly #file: StateFile | undefined;
  readonly #log: Logger;
  /** By the component of the notifier. */
  readonly #told = new Map<string, readonly AgentEvent[]>();
  #written = '';
  #writing: Promise<void> | undefined;
  #isFailing = false;

  /** @param file undefined: nothing is kept over a restart */
  constructor(file: StateFile | undefined, log: Logger) {
    this.#file = file;
    this.#log = log;
  }

  /** Reads the file. A file that cannot be used is a warning. @param notifiers the components of the notifiers; others are forgotten */
  async read(notifiers: readonly string[]): Promise<void> {
    try {
      const text = await this.#file?.read();
      if (text === undefined) return;
      const document = parseForeignJson(text, MAX_SIZE);
      if (!isObject(document)) throw new Error('it is not a JSON object');
      for (const name of notifiers) {
        const list = memberOf(document, name);
        if (Array.isArray(list)) this.#told.set(name, list.slice(0, MAX_FAILURES).flatMap(failureIn));
      }
    } catch (error) {
      this.#log.warn(
        `failures that receivers were told before the start are not known, their ends are not sent: ${NAME}: ${reasonOf(error)}`,
      );
    }
  }

  /** The failures of a notifier. */
  of(notifier: string): readonly AgentEvent[] {
    return this.#told.get(notifier) ?? [];
  }

  /** Replaces the failures of a notifier, and writes the file soon. */
  record(notifier: string, failures: readonly AgentEvent[]): void {
    this.#told.set(notifier, failures.slice(-MAX_FAILURES));
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** Resolves when everything is written, or could not be written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    for (let text = this.#text(); text !== this.#written; text = this.#text()) {
      this.#written = text;
      try {
        await file.write(text);
        if (this.#isFailing) this.#log.info(`${NAME} is written again`);
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing)
          this.#log.warn(
            `${NAME} cannot be written, a restart forgets what receivers were told: ${reasonOf(error)}`,
          );
        this.#isFailing = true;
      }
    }
  }

  #text(): string {
    return JSON.stringify(
      Object.fromEntries([...this.#told].map(([name, failures]) => [name, failures.map(shortened)])),
    );
  }
}

/** A failure without what its recovery does not need. */
const shortened = ({ headline: _headline, steps: _steps, reason, ...event }: AgentEvent): AgentEvent => ({
  ...event,
  reason: reasonOf(reason, MAX_TEXT - 1),
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The failure in a value; empty if it is invalid. */
function failureIn(value: unknown): AgentEvent[] {
  const [id, component, reason] = ['id', 'component', 'reason'].map((key) => textIn(memberOf(value, key)));
  const [state, since] = [memberOf(value, 'state'), memberOf(value, 'since')];
  if (id === undefined || component === undefined || reason === undefined) return [];
  if ((state !== 'failed' && state !== 'warning') || !isTime(since)) return [];
  const severity = state === 'failed' ? 'critical' : 'warning';
  return [
    {
      id,
      component,
      state,
      severity,
      since,
      reason: onOneLine(reason),
      ...textsIn({ node: memberOf(value, 'node'), runbook: memberOf(value, 'runbook') }),
      fields: textsIn(memberOf(value, 'fields')),
    },
  ];
}

/** The members of an object that are texts. */
function textsIn(value: unknown): Record<string, string> {
  const members = isObject(value) ? Object.entries(value).slice(0, MAX_FIELDS) : [];
  return Object.fromEntries(
    members.flatMap(([name, member]) => {
      const text = textIn(member);
      return text === undefined || textIn(name) === undefined ? [] : [[name, text] as const];
    }),
  );
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : undefined;

/** Returns true for milliseconds since the epoch. */
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
