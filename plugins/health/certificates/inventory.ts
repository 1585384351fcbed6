// All certificates of the configured paths. Files are read again when they change.

import { stat } from 'node:fs/promises';
import { createYielder, type FailedPart } from '../../../core/contract/index.js';
import { callFile, describeUnreadable } from '../../../core/kit/index.js';
import { versionOf } from '../../../core/kit/internal/index.js';
import { issuerProblem } from './chain.js';
import type { CertificateEntry } from './entry.js';
import { isKeystore, readBlock, readFile, readKey, type ReadFile } from './read-file.js';
import { casBySubject, faultsOf } from './rules.js';
import { ADVICE, findFiles } from './walk.js';

/** The paths to check, which are absolute. */
interface CertificatePaths {
  readonly paths: readonly string[];
  readonly blocks: readonly string[];
  readonly keys: readonly string[];
}

/** The certificates and problems that were found. */
interface Snapshot {
  /** The same array as in the last snapshot if nothing has changed. */
  readonly entries: readonly CertificateEntry[];
  /** Problems with files, apart from the certificates in them. */
  readonly problems: readonly FailedPart[];
  /** How many of the problems are files or directories that could not be read. */
  readonly errors: number;
  /** When the last of the files was written, in milliseconds since the epoch; -Infinity: there is none. */
  readonly written: number;
}

/** The certificates of one instance. */
export class Inventory {
  readonly #sources: CertificatePaths;
  #files = new Map<string, ReadFile>();
  #entries: readonly CertificateEntry[] = [];
  #faults: readonly FailedPart[] = [];
  #isStale = true;

  constructor(sources: CertificatePaths) {
    this.#sources = sources;
  }

  /** Examines all paths. Calls must not overlap. */
  async read(): Promise<Snapshot> {
    const { files, problems } = await findFiles(this.#sources.paths);
    const unreadable = [...problems];
    const before = this.#files;
    const next = new Map<string, ReadFile>();
    const yieldIfDue = createYielder(1);
    const keep = async (key: string, stamp: string, load: () => Promise<ReadFile>): Promise<void> => {
      const known = before.get(key);
      if (known?.stamp !== stamp) this.#isStale = true;
      const read = known?.stamp === stamp ? known : await load();
      next.set(key, read.content.isUnread === true ? { ...read, stamp: '' } : read);
      const nextTurn = known?.stamp === stamp ? undefined : yieldIfDue();
      if (nextTurn !== undefined) await nextTurn;
    };
    for (const file of files) {
      const stamp = versionOf(file.stats);
      const known = before.get(file.path);
      // No promises for thousands of files that have not changed.
      if (known?.stamp === stamp) next.set(file.path, known);
      else await keep(file.path, stamp, () => readFile(file, stamp));
    }
    for (const path of this.#sources.keys)
      await this.#readNamed(path, unreadable, (stamp) =>
        keep(`key ${path}`, stamp, () => readKey(path, stamp)),
      );
    for (const path of this.#sources.blocks)
      await this.#readNamed(path, unreadable, (stamp) =>
        keep(`block ${path}`, stamp, () => readBlock(path, stamp)),
      );
    if (next.size !== before.size) this.#isStale = true;
    this.#files = next;
    if (this.#isStale) await this.#rebuild();
    for (const { file, content } of next.values())
      if (content.problem !== undefined && !isKeystore(file))
        unreadable.push({ component: file.path, reason: content.problem });
    return {
      entries: this.#entries,
      problems: [...unreadable, ...this.#faults],
      errors: unreadable.length,
      written: files.reduce((last, { stats }) => Math.max(last, stats.mtimeMs), -Infinity),
    };
  }

  async #readNamed(
    path: string,
    unreadable: FailedPart[],
    read: (stamp: string) => Promise<void>,
  ): Promise<void> {
    let stamp: string;
    try {
      stamp = versionOf(await callFile(path, () => stat(path)));
    } catch (error) {
      unreadable.push({ component: path, reason: describeUnreadable(error, ADVICE) });
      return;
    }
    await read(stamp);
  }

  /** Finds the problems apart from validity periods: chains, keys, and organizational units of MSPs. */
  async #rebuild(): Promise<void> {
    const files = [...this.#files.values()];
    this.#entries = files.flatMap(({ entries }) => entries);
    const cas = casBySubject(this.#entries);
    const yieldIfDue = createYielder(1);
    for (const { entries, file } of files)
      for (const entry of entries) {
        const problem = file.msp === undefined ? issuerProblem(entry, cas) : undefined;
        setProblem(entry, problem);
        const nextTurn = yieldIfDue();
        if (nextTurn !== undefined) await nextTurn;
      }
    this.#faults = faultsOf(files);
    this.#isStale = false;
  }
}

function setProblem(entry: CertificateEntry, problem: string | undefined): void {
  if (problem === undefined) delete entry.problem;
  else entry.problem = problem;
}
