// Signing files in place: only unchanged files are replaced, links are not followed, and no signature is lost.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readEnvelope } from '../../../translator/channel/index.js';
import { certificateOf, IDENTITIES, readVectors } from '../../helpers/channel-vectors.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';

const UPDATE = Buffer.from(readVectors<readonly { before: string }[]>('sign-cases')[0]!.before, 'base64');

interface Files {
  readonly at: (name: string) => string;
  /** @param args words in which DIR is the folder of the test */
  readonly run: (args: string, onError?: (text: string) => void) => Promise<CommandOutcome>;
  readonly signatures: (name: string) => number;
}

/** A folder `updates` with the updates `a.pb` and `b.pb`, and the MSPs of two people. */
function makeFiles(t: ExecutionContext): Files {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  for (const [msp, name] of [
    ['one', 'Org1/admin'],
    ['two', 'Org2/admin'],
  ] as const) {
    for (const folder of ['signcerts', 'keystore']) mkdirSync(at(`${msp}/${folder}`), { recursive: true });
    writeFileSync(at(`${msp}/signcerts/cert.pem`), certificateOf(name));
    writeFileSync(at(`${msp}/keystore/key`), IDENTITIES[name]!.key);
  }
  mkdirSync(at('updates'));
  for (const name of ['a.pb', 'b.pb']) writeFileSync(at(`updates/${name}`), UPDATE);
  return {
    at,
    run: async (args, onError) => {
      const outcome = await runCommand(
        t,
        args.split(' ').map((word) => word.replace('DIR', directory)),
        '',
        onError,
      );
      return { ...outcome, stderr: outcome.stderr.replaceAll(directory, 'DIR') };
    },
    signatures: (name) => readEnvelope(readFileSync(at(name))).signatures.length,
  };
}

const FOLDER = 'sign DIR/updates --unreviewed --msp DIR/one --mspid Org1MSP';

/** What happens to b.pb while the folder is signed. */
const CHANGES: readonly (readonly [what: string, change: (files: Files) => void, error: string])[] = [
  [
    'is replaced by a link to another file',
    ({ at }) => {
      writeFileSync(at('victim'), 'precious');
      symlinkSync('../victim', at('updates/link'));
      renameSync(at('updates/link'), at('updates/b.pb'));
    },
    'DIR/updates/b.pb was replaced by a symbolic link after it was found',
  ],
  [
    'is replaced by a link to another update',
    ({ at }) => {
      writeFileSync(at('victim'), UPDATE);
      symlinkSync('../victim', at('updates/link'));
      renameSync(at('updates/link'), at('updates/b.pb'));
    },
    'DIR/updates/b.pb was replaced by a symbolic link after it was found',
  ],
  [
    'is replaced by a copy',
    ({ at }) => {
      writeFileSync(at('updates/copy'), UPDATE);
      renameSync(at('updates/copy'), at('updates/b.pb'));
    },
    'DIR/updates/b.pb was changed after it was read, perhaps by another signer: sign it again',
  ],
  [
    'is written to',
    ({ at }) => writeFileSync(at('updates/b.pb'), Buffer.concat([UPDATE, Buffer.from('1200', 'hex')])),
    'DIR/updates/b.pb was changed after it was read, perhaps by another signer: sign it again',
  ],
  ['is removed', ({ at }) => rmSync(at('updates/b.pb')), 'DIR/updates/b.pb was removed after it was read'],
];

for (const [what, change, error] of CHANGES)
  test(`a file that ${what} while its folder is signed: no file is signed`, async (t) => {
    const files = makeFiles(t);
    const { at, run, signatures } = files;
    let shown = 0;
    // After the update is shown, b.pb was read and signed, and not yet written.
    const { status, stderr } = await run(FOLDER, () => {
      if (++shown === 2) change(files);
    });
    const [found] = stderr.split('\n').slice(-2);
    t.deepEqual([status, found], [1, `configtxlator: error: ${error}; no file of DIR/updates was signed`]);
    t.is(signatures('updates/a.pb'), 0);
    const victim = lstatSync(at('victim'), { throwIfNoEntry: false });
    if (victim !== undefined)
      t.true(['precious', UPDATE.toString()].includes(readFileSync(at('victim'), 'utf8')));
    t.deepEqual(
      readdirSync(at('updates')).filter((name) => name.startsWith('.')),
      [],
    );
  });

test('a file that becomes a link before it is read is an error', async (t) => {
  const files = makeFiles(t);
  const { at, run, signatures } = files;
  writeFileSync(at('victim'), UPDATE);
  let shown = 0;
  const { status, stderr } = await run(FOLDER, () => {
    // The folder was listed, and a.pb was signed.
    if (++shown !== 1) return;
    rmSync(at('updates/b.pb'));
    symlinkSync('../victim', at('updates/b.pb'));
  });
  t.is(status, 1);
  t.true(
    stderr.endsWith(
      `DIR/updates/b.pb was replaced by a symbolic link after it was found; no file of DIR/updates was signed\n`,
    ),
    stderr,
  );
  t.deepEqual([signatures('updates/a.pb'), signatures('victim')], [0, 0]);
});

test('if two people sign one folder at once, one gets an error, and the signatures of the other are kept', async (t) => {
  const { at, run, signatures } = makeFiles(t);
  const outcomes = await Promise.all([
    run('sign DIR/updates --unreviewed --msp DIR/one --mspid Org1MSP --quiet'),
    run('sign DIR/updates --unreviewed --msp DIR/two --mspid Org2MSP --quiet'),
  ]);
  t.deepEqual(
    outcomes.map(({ status }) => status).toSorted((a, b) => a - b),
    [0, 1],
  );
  const failed = outcomes.find(({ status }) => status === 1)!;
  t.true(failed.stderr.endsWith('; no file of DIR/updates was signed\n'), failed.stderr);
  t.deepEqual([signatures('updates/a.pb'), signatures('updates/b.pb')], [1, 1]);
  t.is(
    (
      await run(
        `sign DIR/updates --unreviewed --msp DIR/${outcomes[0].status === 1 ? 'one' : 'two'} --mspid Org1MSP --quiet`,
      )
    ).status,
    0,
  );
  t.deepEqual([signatures('updates/a.pb'), signatures('updates/b.pb')], [2, 2]);
  t.deepEqual(readdirSync(at('updates')).toSorted(), ['a.pb', 'b.pb']);
});

for (const output of ['DIR/updates/b.pb', 'DIR/link.pb'])
  for (const [what, change, error] of CHANGES)
    test(`b.pb is signed in place, with the output ${output}, and ${what} meanwhile: an error`, async (t) => {
      const files = makeFiles(t);
      const { at, run } = files;
      symlinkSync('updates/b.pb', at('link.pb'));
      const sign = `sign DIR/updates/b.pb --unreviewed --msp DIR/one --mspid Org1MSP -o ${output}`;
      let shown = 0;
      const { status, stderr } = await run(sign, () => {
        if (++shown === 1) change(files);
      });
      t.is(status, 1);
      t.true(stderr.endsWith(`configtxlator: error: ${error}\n`), stderr);
      const victim = lstatSync(at('victim'), { throwIfNoEntry: false });
      if (victim !== undefined)
        t.true(['precious', UPDATE.toString()].includes(readFileSync(at('victim'), 'utf8')));
    });

test('a file is signed in place, by its name and by a link to it, and keeps its mode', async (t) => {
  const { at, run, signatures } = makeFiles(t);
  symlinkSync('updates/a.pb', at('link.pb'));
  chmodSync(at('updates/a.pb'), 0o640);
  const sign = '--unreviewed --msp DIR/one --mspid Org1MSP --quiet -o';
  t.is((await run(`sign DIR/updates/a.pb ${sign} DIR/updates/a.pb`)).status, 0);
  t.is((await run(`sign DIR/link.pb ${sign} DIR/link.pb`)).status, 0);
  t.is(signatures('updates/a.pb'), 2);
  t.true(lstatSync(at('link.pb')).isSymbolicLink());
  t.is(statSync(at('updates/a.pb')).mode & 0o777, 0o640);
});

test('files with two hard links are signed in place, and keep both', async (t) => {
  const { at, run, signatures } = makeFiles(t);
  linkSync(at('updates/a.pb'), at('other.pb'));
  t.is((await run(`${FOLDER} --quiet`)).status, 0);
  t.deepEqual([signatures('other.pb'), signatures('updates/b.pb')], [1, 1]);
  t.deepEqual(readdirSync(at('updates')).toSorted(), ['a.pb', 'b.pb']);
});

test('two files are merged into one of them', async (t) => {
  const { at, run, signatures } = makeFiles(t);
  copyFileSync(at('updates/a.pb'), at('c.pb'));
  t.is((await run('sign DIR/c.pb --unreviewed --msp DIR/two --mspid Org2MSP --quiet -o DIR/c.pb')).status, 0);
  t.is((await run('merge DIR/updates DIR/c.pb -o DIR/c.pb')).status, 0);
  t.is(signatures('c.pb'), 1);
});

test('a lock without a process is an error that names it', async (t) => {
  const { at, run, signatures } = makeFiles(t);
  writeFileSync(at('updates/.b.pb.lock'), '');
  const { status, stderr } = await run(`${FOLDER} --quiet`);
  t.deepEqual(
    [status, stderr],
    [
      1,
      'configtxlator: error: another process is writing DIR/updates/b.pb; if there is none, a process was interrupted: delete DIR/updates/.b.pb.lock; no file of DIR/updates was signed\n',
    ],
  );
  t.deepEqual([signatures('updates/a.pb'), signatures('updates/b.pb')], [0, 0]);
  t.deepEqual(readdirSync(at('updates')).toSorted(), ['.b.pb.lock', 'a.pb', 'b.pb']);
});

/** The lock of a process in the folder `updates`, and the new content that it has written. */
function leaveLock(at: (name: string) => string, owner: object, content: string): void {
  writeFileSync(at('updates/.a.pb.lock'), JSON.stringify(owner));
  writeFileSync(at(`updates/.a.pb.lock.${content}`), UPDATE);
}

/** The host in the locks of this process. */
const HOST = [
  readFileSync('/proc/sys/kernel/hostname', 'utf8').trim(),
  readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
  readlinkSync('/proc/self/ns/pid'),
].join(' ');
const START = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ')[19]!;

test('a process that is killed while it signs a folder leaves locks, which the next process removes', async (t) => {
  const { at, run, signatures } = makeFiles(t);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const start = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19]!;
  leaveLock(at, { pid: child.pid, start, host: HOST }, `${child.pid}-${start}`);
  const { status, stderr } = await run(`${FOLDER} --quiet`);
  t.is(status, 1);
  t.is(
    stderr,
    `configtxlator: error: process ${child.pid} is writing DIR/updates/a.pb; no file of DIR/updates was signed\n`,
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.deepEqual(await run(`${FOLDER} --quiet`), { status: 0, stdout: '', stderr: '' });
  t.deepEqual([signatures('updates/a.pb'), signatures('updates/b.pb')], [1, 1]);
  t.deepEqual(readdirSync(at('updates')).toSorted(), ['a.pb', 'b.pb']);
});

test('a stale lock of a single file is removed', async (t) => {
  const { at, run, signatures } = makeFiles(t);
  leaveLock(at, { pid: process.pid, start: `${START}0`, host: HOST }, `${process.pid}-${START}0`);
  const sign = 'sign DIR/updates/a.pb --unreviewed --msp DIR/one --mspid Org1MSP --quiet -o DIR/updates/a.pb';
  t.deepEqual(await run(sign), { status: 0, stdout: '', stderr: '' });
  t.is(signatures('updates/a.pb'), 1);
  t.deepEqual(readdirSync(at('updates')).toSorted(), ['a.pb', 'b.pb']);
});

for (const [what, owner, isStale] of [
  ['this process', { pid: process.pid, start: START, host: HOST }, false],
  ['a process that had its id before', { pid: process.pid, start: `${START}0`, host: HOST }, true],
  ['a process of another host', { pid: process.pid, start: `${START}0`, host: `other ${HOST}` }, false],
  ['a process without a start', { pid: process.pid, host: HOST }, false],
  ['a process whose id is no number', { pid: '1', start: START, host: HOST }, false],
  ['a process whose start is a path', { pid: process.pid, start: '../x', host: HOST }, false],
  ['a list', [], false],
] as const)
  test(`a lock of ${what} is ${isStale ? 'stale' : 'kept'}`, async (t) => {
    const { at, run } = makeFiles(t);
    leaveLock(at, owner, 'new');
    rmSync(at('updates/.a.pb.lock.new'));
    const { status } = await run(`${FOLDER} --quiet`);
    t.is(status, isStale ? 0 : 1);
    t.is(readdirSync(at('updates')).includes('.a.pb.lock'), !isStale);
  });

test('two names of one file in a folder: no file is signed, because the second one has changed, and the first one is restored', async (t) => {
  const { at, run } = makeFiles(t);
  rmSync(at('updates/b.pb'));
  linkSync(at('updates/a.pb'), at('updates/b.pb'));
  const { status, stderr } = await run(`${FOLDER} --quiet`);
  t.deepEqual(
    [status, stderr],
    [
      1,
      'configtxlator: error: DIR/updates/b.pb was changed after it was read, perhaps by another signer: sign it again; no file of DIR/updates was signed\n',
    ],
  );
  t.deepEqual(readFileSync(at('updates/a.pb')), UPDATE);
  t.deepEqual(readdirSync(at('updates')).toSorted(), ['a.pb', 'b.pb']);
});
