// Verifies that a snapshot is unchanged since the peer made it (Fabric: core/ledger/kvledger/snapshot.go).

import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularFile, readRegularFile } from '../common/files/regular-file.js';
import { parseForeignJson } from '../common/text/foreign-json.js';
import { onOneLine } from '../common/text/one-line.js';
import { describeSystemError } from '../common/text/system-error.js';
import { AgentError } from '../contract/index.js';
import { readArguments } from '../cli/arguments.js';
import { EXIT, type Command } from '../cli/command.js';

/** The metadata files: the first describes the snapshot and has the hashes of its files; the second has the hash of the first, the snapshot hash. */
const SIGNABLE = '_snapshot_signable_metadata.json';
const ADDITIONAL = '_snapshot_additional_metadata.json';
/** Maximum size of each of them, in bytes. A peer writes fewer than ten file names. */
const MAX_METADATA = 1024 * 1024;
/** Size of one read, in bytes. */
const READ_SIZE = 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/i;

/** Verifies the files of a snapshot. */
export const snapshot: Command = {
  help: `Usage: fabric-ops-agent snapshot verify DIR

Compares the files of a snapshot with the hashes in
${SIGNABLE}, and that file with its hash in
${ADDITIONAL}, as a peer does before it joins a
channel with the snapshot. Also reports files that are not in the metadata. The
exit status is 0 if all files are as the peer made them, otherwise 1, with one
line for each fault on standard output.

Anyone who can change a file can also change the hashes: compare the printed
snapshot hash with the hash from a peer of another organisation for the same
block.
`,
  async run(args, process) {
    const { positionals } = readArguments(args, {}, true);
    const [action, directory, ...rest] = positionals;
    if (action !== 'verify' || directory === undefined || rest.length > 0)
      throw new AgentError('USAGE', `snapshot requires verify DIR: found '${positionals.join(' ')}'`);
    const { summary, faults } = await verifySnapshot(directory);
    const [title, lines] =
      faults.length === 0
        ? [`${directory}: the snapshot${summary.title} is complete and unchanged`, summary.lines]
        : [`${directory}: the snapshot${summary.title} is incomplete or changed`, faults];
    process.out([title, ...lines.map((line) => `  ${line}`)].map((line) => `${onOneLine(line)}\n`).join(''));
    return faults.length === 0 ? EXIT.ok : EXIT.failed;
  },
};

/** A summary of the metadata, and the faults. */
interface Verdict {
  readonly summary: SnapshotSummary;
  readonly faults: readonly string[];
}

interface SnapshotSummary {
  /** ` of the channel mychannel at block 7`; empty if the metadata cannot be read. */
  readonly title: string;
  readonly lines: readonly string[];
}

/** The content of a metadata file. */
type Metadata = Readonly<Record<string, unknown>>;

async function verifySnapshot(directory: string): Promise<Verdict> {
  const faults: string[] = [];
  const names = onFault(faults, directory, () => readdirSync(directory)) ?? [];
  if (faults.length > 0) return { summary: { title: '', lines: [] }, faults };
  const additional = readMetadata(directory, ADDITIONAL, faults);
  const signable = readMetadata(directory, SIGNABLE, faults);
  const hashes = hashesIn(signable?.content, faults);
  const snapshotHash = additional?.content.snapshot_hash;
  if (additional !== undefined && (typeof snapshotHash !== 'string' || !HASH.test(snapshotHash)))
    faults.push(`${ADDITIONAL}: snapshot_hash is not a SHA-256 in hexadecimal: found ${shown(snapshotHash)}`);
  const expected = new Map(hashes);
  if (typeof snapshotHash === 'string' && signable !== undefined) expected.set(SIGNABLE, snapshotHash);
  for (const [name, hash] of expected) await verifyFile(directory, name, hash, faults);
  // Without the list of files, none can be extra.
  const extra = names.filter((name) => ![SIGNABLE, ADDITIONAL].includes(name) && !hashes.has(name));
  if (hashes.size > 0)
    faults.push(...extra.map((name) => `${name}: is not in ${SIGNABLE}; the peer did not make it`));
  return { summary: summaryOf(signable, additional?.content, hashes.size), faults };
}

/** Reads a metadata file and the object in it; undefined and a fault if it cannot be read. */
function readMetadata(
  directory: string,
  name: string,
  faults: string[],
): { readonly text: string; readonly content: Metadata } | undefined {
  return onFault(faults, name, () => {
    const text = readRegularFile(join(directory, name), MAX_METADATA);
    let content: unknown;
    try {
      content = parseForeignJson(text, MAX_METADATA);
    } catch {
      throw new Error('is not JSON');
    }
    if (typeof content !== 'object' || content === null || Array.isArray(content))
      throw new Error('is not a JSON object');
    return { text, content: content as Metadata };
  });
}

/** The hashes of the files, by name. */
function hashesIn(content: Metadata | undefined, faults: string[]): ReadonlyMap<string, string> {
  if (content === undefined) return new Map();
  const files = content.snapshot_files_raw_hashes;
  const fault = (text: string): void => void faults.push(`${SIGNABLE}: ${text}`);
  if (
    typeof files !== 'object' ||
    files === null ||
    Array.isArray(files) ||
    Object.keys(files).length === 0
  ) {
    fault(`snapshot_files_raw_hashes has no hashes of files: found ${shown(files)}`);
    return new Map();
  }
  const found = new Map<string, string>();
  for (const [name, hash] of Object.entries(files)) {
    if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name))
      fault(`${shown(name)} is not the name of a file`);
    else if (typeof hash !== 'string' || !HASH.test(hash))
      fault(`the hash of ${shown(name)} is not a SHA-256 in hexadecimal: found ${shown(hash)}`);
    else found.set(name, hash);
  }
  return found;
}

/** Compares a file with its hash. Files can be larger than the memory. */
async function verifyFile(
  directory: string,
  name: string,
  expected: string,
  faults: string[],
): Promise<void> {
  try {
    const path = join(directory, name);
    // A peer follows the link, to a file that can change after this.
    if (lstatSync(path).isSymbolicLink()) throw new Error('it is a symbolic link');
    const hash = createHash('sha256');
    const fd = openRegularFile(path);
    for await (const chunk of createReadStream('', { fd, highWaterMark: READ_SIZE }))
      hash.update(chunk as Buffer);
    const actual = hash.digest('hex');
    if (actual !== expected.toLowerCase())
      faults.push(`${name}: its SHA-256 is ${actual}; the metadata have ${expected}`);
  } catch (error) {
    faults.push(faultText(name, error));
  }
}

function summaryOf(
  signable: { readonly text: string; readonly content: Metadata } | undefined,
  additional: Metadata | undefined,
  files: number,
): SnapshotSummary {
  if (signable === undefined) return { title: '', lines: [] };
  const { text, content } = signable;
  // The number has up to 64 bits, which JSON.parse would round.
  const [, block = 'unknown'] = /"last_block_number"\s*:\s*(\d{1,20})\b/.exec(text) ?? [];
  return {
    title: ` of the channel ${shown(content.channel_name)} at block ${block}`,
    lines: [
      `snapshot hash   ${shown(additional?.snapshot_hash)}`,
      `block hash      ${shown(content.last_block_hash)}`,
      `commit hash     ${shown(additional?.last_block_commit_hash)} (not verified: stored nowhere else)`,
      `state database  ${shown(content.state_db_type)}`,
      `files           ${files}`,
    ],
  };
}

/** A value of the metadata, in at most 100 characters. */
const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).slice(0, 100);

/** Calls a function; undefined and a fault if it throws. */
function onFault<Result>(faults: string[], name: string, call: () => Result): Result | undefined {
  try {
    return call();
  } catch (error) {
    faults.push(faultText(name, error));
    return undefined;
  }
}

const faultText = (name: string, error: unknown): string =>
  `${name}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is missing' : describeSystemError(error)}`;
