// Whole runs of `configtxlator proto_decode` compared with an empty Node script, and the memory of the idle service.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median, row, type Row } from './report.js';
import { sizeOf } from './translator-inputs.js';
import { OURS, withServices, type Command } from './translator-server.js';

const ROUNDS = 25;
/** Time until memory use is stable, in milliseconds. */
const SETTLED = 1500;

/** Calls a function with a temporary file of some content. */
export async function withFile<T>(content: Uint8Array, work: (file: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const file = join(folder, 'input.pb');
    writeFileSync(file, content);
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The duration of a whole run of a program, in milliseconds. @throws Error when it cannot be started, or ends with another status than 0 */
export function runTime([program, ...args]: Command): number {
  const start = performance.now();
  // Not a pipe as standard output: Node.js makes a socket, and a program that opens /dev/stdout cannot open a socket (ENXIO).
  const { status, signal, stderr, error } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const time = performance.now() - start;
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(`${program} ${args[0]} ended with ${signal ?? status}: ${stderr.toString()}`);
  return time;
}

/** The arguments that decode a block from a file to standard output. */
export const decodeFile = (file: string): string[] => [
  'proto_decode',
  '--type=common.Block',
  `--input=${file}`,
];

/** Time and memory of processes. */
export async function benchTranslatorProcess(block: Buffer): Promise<Row[]> {
  const rounds = await withFile(block, (file) =>
    Array.from({ length: ROUNDS }, () => {
      const decoding = runTime([...OURS, ...decodeFile(file)]);
      const nothing = runTime([process.execPath, '-e', '0']);
      return { decoding, nothing };
    }),
  );
  const ratio = median(rounds.map(({ decoding, nothing }) => decoding / nothing));
  const time = median(rounds.map(({ decoding }) => decoding));
  const what = `configtxlator proto_decode of ${sizeOf(block)}, whole process, against node -e 0`;
  return [row(what, ratio, '<=', 1.6, `${time.toFixed(0)} ms`), await idleMemory()];
}

async function idleMemory(): Promise<Row> {
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  const [bareMemory, memory] = await withServices([[OURS]], async (service) => {
    await wait(SETTLED);
    return [residentMemory(bare.pid), residentMemory(service.child.pid)] as const;
  }).finally(() => bare.kill());
  const note = `${memory.toFixed(0)} MiB, of which bare node ${bareMemory.toFixed(0)}`;
  return row('idle configtxlator start, MiB above bare node', memory - bareMemory, '<=', 15, note);
}

/** Resident memory of a process in MiB. */
function residentMemory(pid: number | undefined): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
