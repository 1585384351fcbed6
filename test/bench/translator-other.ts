// The configtxlator that the variable CONFIGTXLATOR names, side by side with ours on the same inputs.

import { median, row, type Row } from './report.js';
import { requestRate } from './translator-http.js';
import { sizeOf, type Inputs } from './translator-inputs.js';
import { decodeFile, runTime, withFile } from './translator-process.js';
import { OURS, startService, type Command } from './translator-server.js';

const ROUNDS = 7;
const CLIENTS = [1, 8];

/** Rows for whole runs and for HTTP; none where the variable is not set. The design has no budget for them. */
export async function benchOther(inputs: Inputs): Promise<Row[]> {
  const program = process.env.CONFIGTXLATOR;
  if (program === undefined || program === '') return [];
  const other: Command = [program];
  const rows: Row[] = [];
  for (const block of [inputs.small, inputs.medium, inputs.large]) rows.push(await compareRuns(other, block));
  return [...rows, ...(await compareServices(other, inputs.small))];
}

function compareRuns(other: Command, block: Buffer): Promise<Row> {
  return withFile(block, (file) => {
    const rounds = Array.from({ length: ROUNDS }, () => ({
      ours: runTime([...OURS, ...decodeFile(file)]),
      theirs: runTime([...other, ...decodeFile(file)]),
    }));
    const ratio = median(rounds.map(({ ours, theirs }) => ours / theirs));
    const [ours, theirs] = [rounds.map((each) => each.ours), rounds.map((each) => each.theirs)].map(median);
    const note = `${ours!.toFixed(0)} ms, theirs ${theirs!.toFixed(0)} ms; no budget`;
    return row(
      `proto_decode of ${sizeOf(block)}, whole process, against CONFIGTXLATOR`,
      ratio,
      '<=',
      Infinity,
      note,
    );
  });
}

async function compareServices(other: Command, block: Buffer): Promise<Row[]> {
  const [ours, theirs] = await Promise.all([startService(OURS), startService(other)]);
  for (const { port } of [ours, theirs]) await requestRate(port, block, 1);
  const rows: Row[] = [];
  for (const clients of CLIENTS) {
    const rates = [
      await requestRate(ours.port, block, clients),
      await requestRate(theirs.port, block, clients),
    ] as const;
    const what = `decode of ${sizeOf(block)} over HTTP, clients: ${clients}, against CONFIGTXLATOR`;
    const note = `${Math.round(rates[0])} requests/s, theirs ${Math.round(rates[1])}; no budget`;
    rows.push(row(what, rates[0] / rates[1], '>=', 0, note));
  }
  ours.child.kill();
  theirs.child.kill();
  return rows;
}
