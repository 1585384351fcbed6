// Rehearsals that do not come to their end: signals in each phase, and a full disk. Nothing runs afterwards, and nothing is on the disk.

import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { startProgram, TRANSLATOR, type RunningProgram } from '../helpers/program.js';
import { until } from '../helpers/until.js';
import { findFabric } from './fabric/programs.js';

/** After which the channel goes on, so that all phases are reached. */
const CASE = 'SHA3_256';
const STEPS = [
  'making the copy',
  'starting 5 nodes',
  'before the update',
  'submitting .*',
  'after the update',
  'while orderer3 is stopped',
  'after a restart of all nodes',
];

interface Rehearsal {
  readonly program: RunningProgram;
  /** Where its directory for temporary files is. */
  readonly temporary: string;
}

/** Starts a rehearsal in a directory of its own. @param under a command that executes it, with the directory as its first argument */
function start(t: ExecutionContext, under: (directory: string) => readonly string[] = () => []): Rehearsal {
  const cases = JSON.parse(readFileSync('test/vectors/powers/cases.json', 'utf8')) as readonly {
    readonly name: string;
    readonly network: string;
    readonly update: string;
  }[];
  const { network, update } = cases.find(({ name }) => name === CASE)!;
  const file = join(temporaryFolder(t), 'update.pb');
  writeFileSync(file, Buffer.from(update, 'base64'));
  const temporary = temporaryFolder(t);
  const args = ['rehearse', file, '--block', `test/vectors/powers/${network}.block`];
  const program = startProgram(t, [...args, '--programs', findFabric('v3.1.5').bin], {
    program: TRANSLATOR,
    environment: { TMPDIR: temporary },
    under: under(temporary),
  });
  return { program, temporary };
}

/** The processes with a working directory in a directory. */
const runningIn = (directory: string): string[] =>
  readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`).startsWith(directory);
    } catch {
      return false;
    }
  });

for (const signal of ['SIGINT', 'SIGKILL'] as const)
  for (const step of STEPS)
    test.serial(`${signal} while it is ${step} ends a rehearsal, its nodes and its directory`, async (t) => {
      t.timeout(300_000);
      const { program, temporary } = start(t);
      await program.line(new RegExp(`^${step}$`, 'm'));
      program.child.kill(signal);
      const ended = await program.ended;
      t.is(ended.stdout, '');
      if (signal === 'SIGKILL') t.is(ended.signal, 'SIGKILL');
      else
        t.deepEqual(
          [ended.status, ended.stderr.trimEnd().split('\n').at(-1)],
          [1, 'configtxlator: error: interrupted'],
        );
      await until(() => runningIn(temporary).length === 0 && readdirSync(temporary).length === 0);
      t.true(existsSync(temporary));
    });

for (const [size, what, line] of [
  ['256k', 'its files do not fit on', /: no space left on device$/],
  ['3m', 'is full when its nodes start on', /: this host does not let a node run: .*no space left on device/],
  ['300m', 'becomes full on', /: this host does not let a node run: .*no space left on device/],
] as const)
  test.serial(`a disk of ${size} that ${what} is an error, and no loss`, async (t) => {
    t.timeout(300_000);
    const script = `mount -t tmpfs -o size=${size} tmpfs "$0" && exec "$@"`;
    const { program } = start(t, (directory) => ['unshare', '--mount', 'sh', '-c', script, directory]);
    const { status, stdout, stderr } = await program.ended;
    t.deepEqual([status, stdout], [1, '']);
    t.regex(stderr.trimEnd().split('\n').at(-1)!, line);
  });
