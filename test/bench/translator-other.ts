// Compares the configtxlator in the variable CONFIGTXLATOR with ours on the same inputs.

import { rowWithoutBudget, median, type Row } from './report.js';
import { requestRate } from './translator-http.js';
import { sizeOf, type Inputs } from './translator-inputs.js';
import { decodeFile, runTime, withFile } from './translator-process.js';
import { OURS, startService, type Command } from './translator-server.js';

const ROUNDS = 5;
const SECONDS = 1;
const CLIENTS = [1, 8];

/** Rows for whole runs and for HTTP; none if the variable is not set. */
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
    const note = `${ours!.toFixed(0)} ms, theirs ${theirs!.toFixed(0)} ms`;
    return rowWithoutBudget(
      `proto_decode of ${sizeOf(block)}, whole process, against CONFIGTXLATOR`,
      ratio,
      note,
    );
  });
}

async function compareServices(other: Command, block: Buffer): Promise<Row[]> {
  const [ours, theirs] = await Promise.all([startService(OURS), startService(other)]);
  const rows: Row[] = [];
  for (const clients of CLIENTS) {
    const rounds: [ours: number, theirs: number][] = [];
    // Alternating, because the machine's speed varies; the first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const rate = await requestRate(ours.port, block, clients, SECONDS);
      const theirRate = await requestRate(theirs.port, block, clients, SECONDS);
      if (round > 0) rounds.push([rate, theirRate]);
    }
    const what = `decode of ${sizeOf(block)} over HTTP, clients: ${clients}, against CONFIGTXLATOR`;
    const [rate, theirRate] = [0, 1].map((at) => Math.round(median(rounds.map((each) => each[at]!))));
    const ratio = median(rounds.map((each) => each[0] / each[1]));
    rows.push(rowWithoutBudget(what, ratio, `${rate} requests/s, theirs ${theirRate}`));
  }
  ours.child.kill();
  theirs.child.kill();
  return rows;
}
