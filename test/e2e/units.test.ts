// The systemd units, by systemd's own tool.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { PROGRAM, runProgram, TRANSLATOR } from '../helpers/program.js';
import { findProgram } from './provision.js';

const FOLDER = fileURLToPath(new URL('../../../config/deploy/systemd/', import.meta.url));
/** Of 10, the most exposed; what is left is the network, sockets, and code made at run time. */
const MOST_EXPOSED = 2;

for (const [name, program] of Object.entries({ 'fabric-ops-agent': PROGRAM, configtxlator: TRANSLATOR })) {
  const unit = readFileSync(join(FOLDER, `${name}.service`), 'utf8');

  test(`systemd understands the unit of ${name}`, (t) => {
    // The programs are not installed here, and systemd looks whether they are.
    const changed = unit.replace(`/usr/local/bin/${name}`, `${process.execPath} ${program}`);
    t.not(changed, unit);
    const file = join(temporaryFolder(t, { [`${name}.service`]: changed }), `${name}.service`);
    const { status, output } = analyze('verify', file);
    t.is(status, 0, output);
    // It loads the units of this machine too, and has its opinion on them.
    t.deepEqual(
      output.split('\n').filter((line) => line.includes(`${name}.service`)),
      [],
    );
  });

  test(`the unit of ${name} exposes little`, (t) => {
    const most = `--threshold=${MOST_EXPOSED * 10}`;
    const { status, output } = analyze('security', '--offline=true', most, join(FOLDER, `${name}.service`));
    t.is(status, 0, output);
  });

  test(`${name} understands the arguments in its unit`, async (t) => {
    const [command = '', ...flags] = commandIn(unit, name);
    await checkArguments(t, program, [command, ...flags]);
  });
}

function analyze(...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    findProgram('systemd-analyze') ?? '',
    ['--no-pager', ...args],
    {
      encoding: 'utf8',
    },
  );
  return { status, output: stdout + stderr };
}

function commandIn(unit: string, name: string): string[] {
  return new RegExp(`^ExecStart=/usr/local/bin/${name} (.*)$`, 'm').exec(unit)?.[1]?.split(' ') ?? [];
}

/** Starts a program with the arguments, and one more that it must refuse: nothing else is wrong with them. */
async function checkArguments(t: ExecutionContext, program: string, args: readonly string[]): Promise<void> {
  t.is(args[0], 'start');
  const { stderr } = await runProgram(t, [...args, '--no-such-flag'], { program });
  t.regex(stderr, /no-such-flag/);
}
