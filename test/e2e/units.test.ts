// Checks the systemd units with systemd-analyze.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { PROGRAM, runProgram, TRANSLATOR } from '../helpers/program.js';
import { findProgram } from './provision.js';

const DIRECTORY = fileURLToPath(new URL('../../../config/deploy/systemd/', import.meta.url));
/** The highest accepted exposure, on a scale to 10. The rest is the network, sockets, and JIT-compiled code. */
const MAX_EXPOSURE = 2;

/** The program of each unit. */
const UNITS = {
  'fabric-ops-agent': 'fabric-ops-agent',
  'fabric-ops-agent-check': 'fabric-ops-agent',
  configtxlator: 'configtxlator',
} as const;
const PROGRAMS = { 'fabric-ops-agent': PROGRAM, configtxlator: TRANSLATOR };

for (const [name, command] of Object.entries(UNITS)) {
  const program = PROGRAMS[command];
  const unit = readFileSync(join(DIRECTORY, `${name}.service`), 'utf8');

  test(`the systemd unit of ${name} is valid`, (t) => {
    // The programs are not installed here, but systemd-analyze checks that they exist.
    const changed = unit.replace(`/usr/local/bin/${command}`, `${process.execPath} ${program}`);
    t.not(changed, unit);
    const file = join(temporaryFolder(t, { [`${name}.service`]: changed }), `${name}.service`);
    const { status, output } = analyze('verify', file);
    t.is(status, 0, output);
    // It also reports problems of other units of this machine.
    t.deepEqual(
      output.split('\n').filter((line) => line.includes(`${name}.service`)),
      [],
    );
  });

  test(`the systemd unit of ${name} has a low exposure level`, (t) => {
    const threshold = `--threshold=${MAX_EXPOSURE * 10}`;
    const { status, output } = analyze(
      'security',
      '--offline=true',
      threshold,
      join(DIRECTORY, `${name}.service`),
    );
    t.is(status, 0, output);
  });

  test(`${command} accepts the arguments in the systemd unit ${name}`, async (t) => {
    await checkArguments(t, program, commandIn(unit, command));
  });
}

test('the timer of the checks is valid', (t) => {
  const [service, timer] = ['service', 'timer'].map((kind) => `fabric-ops-agent-check.${kind}`) as [
    string,
    string,
  ];
  const texts = [service, timer].map((name) => readFileSync(join(DIRECTORY, name), 'utf8'));
  const folder = temporaryFolder(t, {
    [service]: texts[0]!.replace('/usr/local/bin/fabric-ops-agent', `${process.execPath} ${PROGRAM}`),
    [timer]: texts[1]!,
  });
  const { status, output } = analyze('verify', join(folder, timer));
  t.is(status, 0, output);
  t.deepEqual(
    output.split('\n').filter((line) => line.includes(timer)),
    [],
  );
});

test('systemd restarts the agent whenever it ends, unless its settings are invalid, and lets it end by itself', (t) => {
  const unit = readFileSync(join(DIRECTORY, 'fabric-ops-agent.service'), 'utf8');
  for (const line of ['Restart=always', 'RestartPreventExitStatus=2', 'TimeoutStopSec=35'])
    t.true(unit.split('\n').includes(line), line);
});

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

/** Starts a program with the arguments and an unknown flag. The error must only name that flag. */
async function checkArguments(t: ExecutionContext, program: string, args: readonly string[]): Promise<void> {
  t.true(['start', 'check'].includes(args[0] ?? ''), args.join(' '));
  const { stderr } = await runProgram(t, [...args, '--no-such-flag'], { program });
  t.regex(stderr, /no-such-flag/);
}
