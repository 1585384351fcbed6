// Finds the files to check: the configured files, all files below the configured directories, and the known contents of MSP directories.

import type { Stats } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createYielder, type FailedPart } from '../../../core/contract/index.js';
import { callFile, describeUnreadable } from '../../../core/kit/index.js';
import { throwIfTooManyOpen } from './open-files.js';

/** The directories of an MSP that contain certificates, with the kind of the certificates. */
const MSP_DIRECTORIES = new Map<string, CertificateKind>([
  ['signcerts', 'signing'],
  ['admincerts', 'admin'],
  ['cacerts', 'ca'],
  ['intermediatecerts', 'intermediate_ca'],
  ['tlscacerts', 'tls_ca'],
  ['tlsintermediatecerts', 'tls_intermediate_ca'],
]);
/** A directory that contains one of these is an MSP. */
const OF_EVERY_MSP = ['cacerts', 'signcerts'];

/** The advice for a file or directory without read permission. */
export const ADVICE = 'let the user of the agent read it';

/** Extensions of files with certificates, outside an MSP. */
const EXTENSIONS = new Set(['.pem', '.crt', '.cer', '.cert', '.der']);

/** Most files and directories that are examined. */
const MAX_ENTRIES = 50_000;
/** Most levels of directories below a path. */
const MAX_DEPTH = 10;

/** The use of a certificate; the value of the label `kind`. */
export type CertificateKind =
  | 'signing'
  | 'admin'
  | 'ca'
  | 'intermediate_ca'
  | 'tls'
  | 'tls_ca'
  | 'tls_intermediate_ca'
  | 'signing_identity'
  | 'consenter_identity'
  | 'consenter_client_tls'
  | 'consenter_server_tls';

/** The content of a file of an MSP. */
type MspRole = CertificateKind | 'key' | 'units';

/** A file to check. */
export interface FoundFile {
  readonly path: string;
  readonly stats: Stats;
  /** Undefined outside an MSP. */
  readonly msp?: { readonly path: string; readonly role: MspRole };
}

/** The files that were found, and the paths that cannot be examined. */
interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly problems: readonly FailedPart[];
}

/** Finds the files of all paths. Names that begin with a dot and directories that were already examined are skipped. */
export async function findFiles(paths: readonly string[]): Promise<FoundFiles> {
  const walk = new Walk();
  for (const path of paths) {
    await walk.examineNamed(path);
  }
  return { files: [...walk.files.values()], problems: walk.problems };
}

class Walk {
  readonly files = new Map<string, FoundFile>();
  readonly problems: FailedPart[] = [];
  readonly #directories = new Set<string>();
  readonly #yieldIfDue = createYielder(64);
  #entries = 0;
  #isFull = false;

  report(component: string, reason: string): void {
    this.problems.push({ component, reason });
  }

  async examineNamed(path: string): Promise<void> {
    const stats = await this.#stat(path);
    if (stats === undefined) return;
    if (!stats.isDirectory()) return this.#add({ path, stats });
    const before = this.files.size + this.problems.length;
    await this.#examineDirectory(path, stats, 0);
    if (!this.#isFull && this.files.size + this.problems.length === before)
      this.report(path, 'contains no certificates that are not already checked under another path');
  }

  async #examineDirectory(path: string, stats: Stats, depth: number): Promise<void> {
    // A loop of symbolic links ends here.
    const identity = `${stats.dev}:${stats.ino}`;
    if (this.#directories.has(identity)) return;
    this.#directories.add(identity);
    if (depth > MAX_DEPTH)
      return this.report(path, `is more than ${MAX_DEPTH} levels deep and is not checked`);
    const names = await this.#namesIn(path);
    const isMsp = OF_EVERY_MSP.some((name) => names.includes(name));
    for (const name of names) {
      const nextTurn = this.#yieldIfDue();
      if (nextTurn !== undefined) await nextTurn;
      const inner = join(path, name);
      if (isMsp) await this.#examineMspEntry(path, name);
      else await this.#examineEntry(inner, depth + 1);
    }
  }

  async #examineEntry(path: string, depth: number): Promise<void> {
    const stats = await this.#stat(path);
    if (stats?.isDirectory() === true) await this.#examineDirectory(path, stats, depth);
    else if (stats?.isFile() === true && EXTENSIONS.has(extname(path).toLowerCase()))
      this.#add({ path, stats });
  }

  async #examineMspEntry(msp: string, name: string): Promise<void> {
    const path = join(msp, name);
    const role = name === 'keystore' ? 'key' : name === 'config.yaml' ? 'units' : MSP_DIRECTORIES.get(name);
    if (role === undefined) return;
    const stats = await this.#stat(path);
    if (role === 'units' && stats?.isFile() === true) this.#add({ path, stats, msp: { path: msp, role } });
    if (role === 'units' || stats?.isDirectory() !== true) return;
    for (const inner of await this.#namesIn(path, role === 'key')) {
      const file = join(path, inner);
      const found = await this.#stat(file);
      if (found?.isFile() === true) this.#add({ path: file, stats: found, msp: { path: msp, role } });
    }
  }

  #add(file: FoundFile): void {
    if (!this.files.has(file.path)) this.files.set(file.path, file);
  }

  /** @param isOptional whether a directory that may not be read is skipped */
  async #namesIn(path: string, isOptional = false): Promise<readonly string[]> {
    try {
      return await callFile(path, () => this.#readNames(path));
    } catch (error) {
      throwIfTooManyOpen(error);
      if (!isOptional) this.report(path, describeUnreadable(error, ADVICE));
      return [];
    }
  }

  async #readNames(path: string): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const { name } of await opendir(path, { bufferSize: 512 })) {
      if (name.startsWith('.')) continue;
      this.#entries += 1;
      if (this.#entries > MAX_ENTRIES) {
        this.#reportFull(path);
        break;
      }
      names.push(name);
    }
    return names.sort();
  }

  #reportFull(path: string): void {
    if (!this.#isFull)
      this.report(path, `there are more than ${MAX_ENTRIES} files; the others are not checked`);
    this.#isFull = true;
  }

  async #stat(path: string): Promise<Stats | undefined> {
    try {
      return await callFile(path, () => stat(path));
    } catch (error) {
      this.report(path, describeUnreadable(error, ADVICE));
      return undefined;
    }
  }
}

/** The name of a file in its MSP: `cacerts/ca.pem`. */
export function nameInMsp(path: string, directory: string): string {
  return `${directory}/${basename(path)}`;
}
