// Finds the connection.json files in the output of external builders.

import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { createYielder, type FailedPart } from '../../../core/contract/index.js';
import {
  callFile,
  describeUnreadable,
  FileNotResponding,
  onOneLine,
  quote,
  readForeignBytes,
} from '../../../core/kit/index.js';
import { isForbidden, shortNames } from '../../../core/kit/internal/index.js';

/** In the directory of a package (core/container/externalbuilder, `Instance.ChaincodeServerReleaseDir`). */
const CONNECTION_FILE = 'release/chaincode/server/connection.json';
/** Largest file, in bytes. */
const MAX_SIZE = 64 * 1024;
/** Most files that are read. */
const MAX_FILES = 1_000;
/** Most packages that are examined; not all of them are chaincode that runs as a service. */
const MAX_PACKAGES = 10_000;

/** A peer creates its directories for its own user alone (core/container/externalbuilder/externalbuilder.go, `CreateContext`). */
const ADVICE =
  'run the agent as the user of the peer, or switch this check off with node.checks: {ccaas: false}';

/** The content of the connection.json of a package, or why it cannot be read. */
type FoundConnection = { readonly component: string; readonly text: string } | FailedPart;

/** Finds the files in directories that contain a directory for each package. */
export async function* findConnections(paths: readonly string[]): AsyncGenerator<FoundConnection, void> {
  const yieldIfDue = createYielder(64);
  let packages = 0;
  let files = 0;
  const names = shortNames(paths);
  for await (const { path, name, problem } of entriesOf(paths)) {
    const nextTurn = yieldIfDue();
    if (nextTurn !== undefined) await nextTurn;
    packages += 1;
    const component = names.get(path) ?? path;
    const found = problem === undefined ? await readConnection(path, name) : { component, ...problem };
    if (found !== undefined) files += 1;
    const isLast = packages > MAX_PACKAGES || files > MAX_FILES;
    if (packages > MAX_PACKAGES) yield tooMany(component, MAX_PACKAGES, 'packages');
    else if (files > MAX_FILES) yield tooMany(component, MAX_FILES, 'connection.json files');
    else if (found !== undefined) yield found;
    if (isLast) break;
  }
}

/** The name of a package in a directory, or why the directory cannot be read. */
interface PackageFile {
  readonly path: string;
  readonly name: string;
  readonly problem?: UnnamedFailure;
}

type UnnamedFailure = Omit<FailedPart, 'component'>;

/** Whether nothing is known about a file or directory: a permission is missing, or it did not respond in time. */
const isUnknown = (error: unknown): boolean => isForbidden(error) || error instanceof FileNotResponding;

/** @param what the file, for the reason; empty: the part names it */
function fileProblem(error: unknown, what: string): UnnamedFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOfFile = code !== undefined || isUnknown(error);
  const reason = isOfFile ? describeUnreadable(error, ADVICE) : quote(message);
  return { reason: `${what}${reason}`, ...(isUnknown(error) && { severity: 'warning' }) };
}

async function* entriesOf(paths: readonly string[]): AsyncGenerator<PackageFile, void> {
  for (const path of paths) {
    try {
      for (const name of await callFile(path, () => namesIn(path))) yield { path, name };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A peer creates the directory when it starts, and a sidecar may not have its volume.
      if (code === 'ENOENT') continue;
      const { reason, ...severity } = fileProblem(error, '');
      const text = code === 'ENOTDIR' ? 'it is not a directory' : reason;
      yield { path, name: '', problem: { reason: `${text} (${path})`, ...severity } };
    }
  }
}

/** The first names in a directory: one more than are examined. */
async function namesIn(path: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(path, { bufferSize: 512 })) {
    names.push(name);
    if (names.length > MAX_PACKAGES) break;
  }
  return names;
}

const tooMany = (component: string, limit: number, what: string): FailedPart => ({
  component,
  reason: `there are more than ${limit} ${what}; the others are not checked`,
});

/** Undefined if the package has no such file: the builder starts its chaincode. */
async function readConnection(path: string, name: string): Promise<FoundConnection | undefined> {
  const component = onOneLine(name);
  try {
    return {
      component,
      text: (await readForeignBytes(join(path, name, CONNECTION_FILE), MAX_SIZE)).toString('utf8'),
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? undefined
      : { component, ...fileProblem(error, 'connection.json: ') };
  }
}
