// Whole runs of `configtxlator edit`: the config of a large channel against a time, and a small block against an empty Node script.

import { largeConfig } from '../helpers/large-config.js';
import { median, row, type Row } from './report.js';
import { sizeOf } from './translator-inputs.js';
import { runTime, withFile } from './translator-process.js';
import { OURS } from './translator-server.js';

const ROUNDS = 15;
const ORGANISATIONS = 250;
/** In milliseconds. */
const BUDGET = 500;

/** The arguments of an edit; the output is beside the input. */
const editFile = (file: string, setting: string): string[] => [
  'edit',
  file,
  '--channel_id=ch',
  `--set=${setting}`,
  `--output=${file}.out`,
];

/** Time of processes. */
export async function benchEdit(block: Buffer): Promise<Row[]> {
  const large = largeConfig(ORGANISATIONS);
  const times = await withFile(large, (file) =>
    Array.from({ length: ROUNDS }, () =>
      runTime([...OURS, ...editFile(file, 'Org0007.policies.Admins=ANY Readers')]),
    ),
  );
  const ratios = await withFile(block, (file) =>
    Array.from({ length: ROUNDS }, () => {
      const editing = runTime([
        ...OURS,
        ...editFile(file, 'batchTimeout=77s').filter((arg) => !arg.startsWith('--channel')),
      ]);
      return editing / runTime([process.execPath, '-e', '0']);
    }),
  );
  return [
    row(
      `configtxlator edit of ${ORGANISATIONS} organisations, ${sizeOf(large)}, ms`,
      median(times),
      '<=',
      BUDGET,
      '',
    ),
    row(
      `configtxlator edit of ${sizeOf(block)}, whole process, against node -e 0`,
      median(ratios),
      '<=',
      2.5,
      '',
    ),
  ];
}
