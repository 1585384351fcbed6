// Whole runs of `configtxlator proto_decode` compared with an empty Node script, and the memory of the idle service.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median, row, type Row } from './report.js';
import { sizeOf } from './translator-inputs.js';
import { OURS, startService, type Command } from './translator-server.js';

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

/** The duration of a whole run of a program, in milliseconds. */
export function runTime([program, ...args]: Command): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(program, args, { maxBuffer: 1e9 });
  const time = performance.now() - start;
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.toString()}`);
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
  const { child } = await startService(OURS);
  await wait(SETTLED);
  const [bareMemory, memory] = [residentMemory(bare.pid), residentMemory(child.pid)];
  bare.kill();
  child.kill();
  const note = `${memory.toFixed(0)} MiB, of which bare node ${bareMemory.toFixed(0)}`;
  return row('idle configtxlator start, MiB above bare node', memory - bareMemory, '<=', 15, note);
}

/** Resident memory of a process in MiB. */
function residentMemory(pid: number | undefined): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
