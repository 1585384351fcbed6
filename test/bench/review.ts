// Reviews as whole processes: a large update, also with `powers`, a small one, and updates as large as a review takes.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crowdedUpdate, type Crowd } from '../helpers/crowded-update.js';
import { largeChannel } from '../helpers/large-channel.js';
import { runWithPeak } from './peak.js';
import { median, row, type Row } from './report.js';
import { sizeOf } from './translator-inputs.js';
import { runTime } from './translator-process.js';
import { OURS } from './translator-server.js';

const ROUNDS = 7;
const ORGANISATIONS = 250;
const SIGNATURES = 130;
/** Updates at the bounds of a review, and one of 16 MB that is beyond them. */
const CROWDS: readonly (readonly [crowd: Crowd, count: number])[] = [
  ['signatures', 800_000],
  ['signatures', 1000],
  ['values', 4997],
  ['policies', 4997],
  ['certificates', 5000],
  ['consenters', 5000],
  ['addresses', 5000],
  ['ACLs', 5000],
];
/** Calls of the library that yield, and the longest CPU time that is allowed in one turn of the event loop, in milliseconds. */
const CALLS = ['review', 'powersOf', 'explainIdentities'] as const;
const TURN = 50;
const TURN_ROUNDS = 3;

/** Rows of the command `review`. */
export function benchReview(): Row[] {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const large = filesOf(directory, 'large', ORGANISATIONS, SIGNATURES);
    const small = filesOf(directory, 'small', 3, 3);
    const rounds = Array.from({ length: ROUNDS }, () => ({
      large: runTime([...OURS, 'review', ...large.args]),
      powers: runTime([...OURS, 'powers', large.block, large.args[0]!]),
      small: runTime([...OURS, 'review', ...small.args]),
      nothing: runTime([process.execPath, '-e', '0']),
    }));
    const seconds = median(rounds.map((each) => each.large)) / 1000;
    const ratio = median(rounds.map((each) => each.small / each.nothing));
    const what = `review of a ${sizeOf(large.envelope)} update of ${ORGANISATIONS} organisations with ${SIGNATURES} signatures, in s`;
    return [
      row(what, seconds, '<=', 1.5, 'whole process'),
      row('powers with it, in s', median(rounds.map((each) => each.powers)) / 1000, '<=', 3, 'whole process'),
      row(
        `review of a ${sizeOf(small.envelope)} update of 3 organisations, whole process, against node -e 0`,
        ratio,
        '<=',
        2.2,
        `${median(rounds.map((each) => each.small)).toFixed(0)} ms`,
      ),
      ...CALLS.map((call) => turnRow(call, large.block, large.args[0]!)),
      ...benchCrowds(directory, small.block),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The CPU time of the longest turn of a call on the large channel; the least of several runs, because garbage collection adds to it. */
function turnRow(call: (typeof CALLS)[number], block: string, update: string): Row {
  const program = fileURLToPath(new URL('review-stalls.js', import.meta.url));
  const turns = Array.from({ length: TURN_ROUNDS }, () =>
    Number(execFileSync(process.execPath, [program, call, block, update])),
  );
  const what = `${call} of ${ORGANISATIONS} organisations with ${SIGNATURES} signatures: CPU time of the longest turn, in ms`;
  return row(what, Math.min(...turns), '<=', TURN, '');
}

/** The slowest of the crowded updates, and the one that takes most memory. */
function benchCrowds(directory: string, block: string): Row[] {
  const update = join(directory, 'crowded.pb');
  const [, ...program] = OURS;
  const runs = CROWDS.map(([crowd, count]) => {
    writeFileSync(update, crowdedUpdate(crowd, count));
    return { what: `${count} ${crowd}`, ...runWithPeak([...program, 'review', update, '--block', block]) };
  });
  const slowest = runs.reduce((one, other) => (other.seconds > one.seconds ? other : one));
  const largest = runs.reduce((one, other) => (other.megabytes > one.megabytes ? other : one));
  return [
    row('review of the slowest of 8 crowded updates, in s', slowest.seconds, '<=', 2, slowest.what),
    row('memory of a review of crowded updates, in MB', largest.megabytes, '<=', 300, largest.what),
  ];
}

function filesOf(
  directory: string,
  name: string,
  organisations: number,
  signatures: number,
): { readonly args: readonly string[]; readonly block: string; readonly envelope: Buffer } {
  const { config, envelope } = largeChannel(organisations, signatures);
  const [block, update] = [join(directory, `${name}-config.pb`), join(directory, `${name}.pb`)];
  writeFileSync(block, config);
  writeFileSync(update, envelope);
  // The changed MSPs differ in an empty field, which has no words.
  return {
    block,
    args: [update, '--block', block, '--allow', 'change-not-shown'],
    envelope: Buffer.from(envelope),
  };
}
