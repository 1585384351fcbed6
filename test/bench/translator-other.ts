// Compares the configtxlator in the variable CONFIGTXLATOR with ours on the same inputs.

import type { Measurement, Part } from './parts.js';
import { rowWithoutBudget, median, type Row } from './report.js';
import { requestRate } from './translator-http.js';
import { sizeOf } from './translator-inputs.js';
import { decodeFile, runTime, withFile } from './translator-process.js';
import { OURS, withServices, type Command } from './translator-server.js';

const ROUNDS = 5;
const SECONDS = 1;
const CLIENTS = [1, 8];

/**
 * Measurements of whole runs and of HTTP.
 *
 * @param program another configtxlator; undefined or empty: no measurements
 * @param blocks of the type `common.Block`; the service decodes the first one
 */
export function comparisons(program: string | undefined, blocks: readonly [Buffer, ...Buffer[]]): Part {
  if (program === undefined || program === '') return {};
  const other: Command = [program];
  const runs = blocks.map((block): [string, Measurement] => [
    `proto_decode of ${sizeOf(block)} by CONFIGTXLATOR`,
    async () => [await compareRuns(other, block)],
  ]);
  return {
    ...Object.fromEntries(runs),
    'CONFIGTXLATOR over HTTP': () => compareServices(other, blocks[0]),
  };
}

function compareRuns(other: Command, block: Buffer): Promise<Row> {
  return withFile(block, (file) => {
    const rounds = Array.from({ length: ROUNDS }, () => ({
      theirs: runTime([...other, ...decodeFile(file)]),
      ours: runTime([...OURS, ...decodeFile(file)]),
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

function compareServices(other: Command, block: Buffer): Promise<Row[]> {
  return withServices([[other], [OURS]], async (theirs, ours) => {
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
    return rows;
  });
}
