// A review of a large update, as a whole process, and the start of the command.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { largeChannel } from '../helpers/large-channel.js';
import { median, row, type Row } from './report.js';
import { sizeOf } from './translator-inputs.js';
import { runTime } from './translator-process.js';
import { OURS } from './translator-server.js';

const ROUNDS = 7;
const ORGANISATIONS = 250;
const SIGNATURES = 130;

/** Rows of the command `review`. */
export function benchReview(): Row[] {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const large = filesOf(directory, 'large', ORGANISATIONS, SIGNATURES);
    const small = filesOf(directory, 'small', 3, 3);
    const rounds = Array.from({ length: ROUNDS }, () => ({
      large: runTime([...OURS, 'review', ...large.args]),
      small: runTime([...OURS, 'review', ...small.args]),
      nothing: runTime([process.execPath, '-e', '0']),
    }));
    const seconds = median(rounds.map((each) => each.large)) / 1000;
    const ratio = median(rounds.map((each) => each.small / each.nothing));
    const what = `review of a ${sizeOf(large.envelope)} update of ${ORGANISATIONS} organisations with ${SIGNATURES} signatures, in s`;
    return [
      row(what, seconds, '<=', 1.5, 'whole process'),
      row(
        `review of a ${sizeOf(small.envelope)} update of 3 organisations, whole process, against node -e 0`,
        ratio,
        '<=',
        2.2,
        `${median(rounds.map((each) => each.small)).toFixed(0)} ms`,
      ),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function filesOf(
  directory: string,
  name: string,
  organisations: number,
  signatures: number,
): { readonly args: readonly string[]; readonly envelope: Buffer } {
  const { config, envelope } = largeChannel(organisations, signatures);
  const [block, update] = [join(directory, `${name}-config.pb`), join(directory, `${name}.pb`)];
  writeFileSync(block, config);
  writeFileSync(update, envelope);
  // The changed MSPs differ in an empty field, which has no words.
  return { args: [update, '--block', block, '--allow', 'change-not-shown'], envelope: Buffer.from(envelope) };
}
