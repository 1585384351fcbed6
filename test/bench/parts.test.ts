import { fork } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { until } from '../helpers/until.js';
import { messageOf } from './message.js';
import { runMeasurements, runPart } from './parts.js';
import { rowWithoutBudget, type Row } from './report.js';
import { comparisons } from './translator-other.js';

const first = rowWithoutBudget('first', 1, '');
const last = rowWithoutBudget('last', 2, '');

/** Runs a script as the process of a part. @returns the rows that it reports */
async function rowsOfScript(t: ExecutionContext, script: string): Promise<readonly Row[]> {
  const file = join(temporaryFolder(t), 'part.cjs');
  writeFileSync(file, script);
  const rows: Row[] = [];
  await runPart('the part', [file], (measured) => rows.push(...measured));
  return rows;
}

test('each measurement reports its rows before the next one runs', async (t) => {
  const events: string[] = [];
  const measure = (name: string) => () => {
    events.push(`${name} runs`);
    return [rowWithoutBudget(name, 1, '')];
  };
  await runMeasurements({ one: measure('one'), two: measure('two') }, (rows) => {
    events.push(...rows.map(({ what }) => `${what} is reported`));
  });
  t.deepEqual(events, ['one runs', 'one is reported', 'two runs', 'two is reported']);
});

test('a measurement that fails is a row, and the others run', async (t) => {
  const rows: Row[] = [];
  const fail = (): never => {
    throw new Error('no chromium');
  };
  await runMeasurements(
    { one: () => [first], page: fail, 'other page': async () => fail(), two: async () => [last] },
    (measured) => void rows.push(...measured),
  );
  t.deepEqual(rows, [
    first,
    { what: 'page', note: 'no chromium' },
    { what: 'other page', note: 'no chromium' },
    last,
  ]);
});

test('a process of a part that ends with an error keeps the rows that it has sent, and its status is a row', async (t) => {
  const script = `process.send([${JSON.stringify(first)}], () => process.exit(3))`;
  t.deepEqual(await rowsOfScript(t, script), [first, { what: 'the part', note: 'its process ended with 3' }]);
});

test('a process of a part that a signal ends is a row with the signal', async (t) => {
  const rows = await rowsOfScript(t, `process.kill(process.pid, 'SIGKILL')`);
  t.deepEqual(rows, [{ what: 'the part', note: 'its process ended with SIGKILL' }]);
});

test('processes that a part leaves behind end with it', async (t) => {
  const rows = await rowsOfScript(
    t,
    `const { pid } = require('child_process').spawn('sleep', ['1000'], { stdio: 'ignore' });
    process.send([{ what: 'left', value: pid, note: '' }], () => process.exit(0));`,
  );
  const [{ value: pid = Number.NaN } = first] = rows;
  t.is(rows.length, 1);
  await until(() => !isRunning(pid));
});

/** Whether a process exists and has not ended: nobody may have waited for it. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

test('a process that ends without a message is an error, not a wait for ever', async (t) => {
  const file = join(temporaryFolder(t), 'silent.cjs');
  writeFileSync(file, 'process.exit(4)');
  await t.throwsAsync(messageOf(fork(file)), {
    message: /silent\.cjs ended with status 4 and sent nothing$/,
  });
});

/** The rows of the comparison with a program, for an empty block. */
async function compareWith(program: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const part = comparisons(program, [Buffer.alloc(0)]);
  await runMeasurements(part, (measured) => void rows.push(...measured));
  return rows;
}

/** A program whose commands are a shell script. */
function shellProgram(t: ExecutionContext, script: string): string {
  const program = join(temporaryFolder(t), 'other');
  writeFileSync(program, `#!/bin/sh\n${script}`);
  chmodSync(program, 0o755);
  return program;
}

test('whole runs of a configtxlator that opens /dev/stdout are measured', async (t) => {
  const [run] = await compareWith(shellProgram(t, '[ "$1" = proto_decode ] && echo {} >/dev/stdout'));
  t.is(run?.what, 'proto_decode of 0 KB, whole process, against CONFIGTXLATOR');
  t.is(typeof run?.value, 'number');
});

test('a configtxlator that fails is a row with its error, for each run and for the service', async (t) => {
  const program = shellProgram(t, 'echo "no $1 here" >&2; exit 7');
  t.deepEqual(await compareWith(program), [
    {
      what: 'proto_decode of 0 KB by CONFIGTXLATOR',
      note: `${program} proto_decode ended with 7: no proto_decode here\n`,
    },
    { what: 'CONFIGTXLATOR over HTTP', note: `${program} did not report its address: no start here\n` },
  ]);
});

test('a configtxlator that does not exist is a row for each measurement', async (t) => {
  t.deepEqual(
    (await compareWith('/no/such/program')).map(({ note }) => note),
    [
      'spawnSync /no/such/program ENOENT',
      '/no/such/program did not report its address: spawn /no/such/program ENOENT',
    ],
  );
});
