// Runs the parts of the benchmark, each in a process of its own, and reports rows as soon as they are measured. A part that fails is a row, and
// costs no other part its rows.

import { fork } from 'node:child_process';
import { failedRow, type Row } from './report.js';

/** Measures something. */
export type Measurement = () => readonly Row[] | Promise<readonly Row[]>;

/** The measurements of a part by their names. The other measurements run when one of them fails. */
export type Part = Readonly<Record<string, Measurement>>;

/** Runs the measurements of a part one after the other. @param report gets the rows of each, or one row with its error */
export async function runMeasurements(
  part: Part,
  report: (rows: readonly Row[]) => void | Promise<void>,
): Promise<void> {
  for (const [name, measure] of Object.entries(part)) await report(await rowsOf(name, measure));
}

async function rowsOf(name: string, measure: Measurement): Promise<readonly Row[]> {
  try {
    return await measure();
  } catch (error) {
    return [failedRow(name, error instanceof Error ? error.message : String(error))];
  }
}

/**
 * Runs a part in a new process, because garbage collection takes longer in a process with the large heap of other parts. The process leads a
 * process group. What it leaves behind is killed.
 *
 * @param command the program that runs the part and sends its rows as messages, and its arguments
 * @param report gets rows as they arrive; one row with the exit status when the process fails
 */
export async function runPart(
  name: string,
  [program, ...args]: readonly [program: string, ...args: string[]],
  report: (rows: readonly Row[]) => void,
): Promise<void> {
  const child = fork(program, args, { detached: true });
  const killGroup = (): void => void (child.pid !== undefined && kill(-child.pid));
  const interrupt = (): void => {
    killGroup();
    process.exit(1);
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  child.on('message', (rows) => report(rows as readonly Row[]));
  // After 'close' no more messages arrive.
  const end = await new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (status, signal) => resolve(signal ?? String(status)));
  });
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  killGroup();
  if (end !== '0') report([failedRow(name, `its process ended with ${end}`)]);
}

/** Kills a process or a group that may have ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
