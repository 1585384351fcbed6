// `submit` with orderers on real sockets that accept the update.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readEnvelope } from '../../../translator/channel/index.js';
import { signEnvelope } from '../../../translator/sign/index.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { withoutTimeouts } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { freePort } from '../../helpers/free-port.js';
import { Consenters } from '../../helpers/made-chain.js';
import { listeningOrderer, type ListeningOrderer } from '../../helpers/stand-in-orderer.js';

for (const lost of [0, 1])
  test.serial(
    `submit prints the block with the update and the orderers that have it: ${lost} of 4 orderers cannot be reached`,
    async (t) => {
      const orderers = await Promise.all(Array.from({ length: 4 - lost }, async () => listeningOrderer(t)));
      const closed = await Promise.all(
        Array.from({ length: lost }, async () => `127.0.0.1:${await freePort()}`),
      );
      const consenters = new Consenters([...orderers.map(({ address }) => address), ...closed]);
      const chain = consenters.chain(3);
      const received: Uint8Array[] = [];
      for (const orderer of orderers) {
        orderer.blocks = chain.slice(0, 2);
        orderer.accept = (envelope) => {
          received.push(envelope);
          for (const each of orderers) each.blocks = chain;
        };
      }
      const folder = temporaryFolder(t);
      const { certificate, key } = consenters.adminFiles();
      for (const [name, pem] of [
        ['signcerts', certificate],
        ['keystore', key],
      ] as const) {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, 'file.pem'), pem);
      }
      const update = join(folder, 'update.pb');
      writeFileSync(update, await signEnvelope(consenters.update(2n), await consenters.admin(), new Date()));
      const to = `grpc://${orderers[0]!.address}/ch1`;
      const identity = ['--msp', folder, '--mspid', 'OrdererMSP', '--timeout', '10m'];
      const { status, stdout, stderr } = await withoutTimeouts(() =>
        runCommand(t, ['submit', update, '--to', to, ...(lost === 0 ? [] : ['--quiet']), ...identity]),
      );
      t.deepEqual(
        [status, stdout],
        [
          0,
          [
            `the update is in block 2, on ${4 - lost} of 4 orderers`,
            ...closed.map((address) => `  not on ${address}: connection refused`),
            '',
          ].join('\n'),
        ],
        stderr,
      );
      t.is(received.length, 1);
      // The review, without --quiet.
      t.is(stderr.includes('channel ch1, block 1; the update fits this block; '), lost === 0, stderr);
      for (const line of ['sent to ', `block 2 is on ${4 - lost} of 4 orderers`])
        t.true(stderr.includes(`configtxlator: note: ${line}`), stderr);
    },
  );

/** Three orderers of four consenters, and the arguments to submit an update with a key elsewhere, whose command writes a log. */
async function elsewhere(t: ExecutionContext): Promise<{
  readonly orderers: readonly ListeningOrderer[];
  readonly at: (name: string) => string;
  readonly submit: (command: string) => Promise<CommandOutcome>;
}> {
  const orderers = await Promise.all(Array.from({ length: 3 }, async () => listeningOrderer(t)));
  const consenters = new Consenters(orderers.map(({ address }) => address));
  const chain = consenters.chain(4);
  for (const orderer of orderers) {
    orderer.blocks = chain.slice(0, 3);
    orderer.accept = () => {
      writeFileSync(at('sent'), '');
      for (const each of orderers) each.blocks = chain;
    };
  }
  const folder = temporaryFolder(t);
  const at = (name: string): string => join(folder, name);
  const { certificate, key } = consenters.adminFiles();
  mkdirSync(at('signcerts'));
  writeFileSync(at('signcerts/file.pem'), certificate);
  writeFileSync(at('key.pem'), key);
  writeFileSync(
    at('update.pb'),
    await signEnvelope(consenters.update(3n), await consenters.admin(), new Date()),
  );
  const to = `grpc://${orderers[0]!.address}/ch1`;
  const identity = ['--msp', folder, '--mspid', 'OrdererMSP', '--timeout', '10m', '--quiet'];
  const submit = async (command: string): Promise<CommandOutcome> =>
    withoutTimeouts(() =>
      runCommand(t, ['submit', at('update.pb'), '--to', to, ...identity, '--sign-with', command]),
    );
  return { orderers, at, submit };
}

test.serial(
  'submit runs the command of --sign-with once at a time, and once for each distinct request',
  async (t) => {
    const { at, submit } = await elsewhere(t);
    const command = `echo begin >>${at('log')}; cat >${at('in')}; openssl pkeyutl -sign -inkey ${at('key.pem')} -in ${at('in')}; echo end >>${at('log')}`;
    const { status, stderr } = await submit(command);
    t.is(status, 0, stderr);
    const lines = readFileSync(at('log'), 'utf8').trim().split('\n');
    t.deepEqual(
      lines,
      lines.map((_, index) => (index % 2 === 0 ? 'begin' : 'end')),
    );
    // The newest block, block 1 before it, the submission, block 3 of each orderer, and block 2 before it.
    t.is(lines.length / 2, 5);
  },
);

for (const [what, ending] of [
  ['ends with an error', 'exit 5'],
  ['prints no signature', 'echo x'],
] as const)
  test.serial(
    `submit says that the update was sent when the command of --sign-with ${what} after that`,
    async (t) => {
      const { at, submit } = await elsewhere(t);
      const command = `[ -e ${at('sent')} ] && { echo again >>${at('log')}; ${ending}; exit; }; cat >${at('in')}; openssl pkeyutl -sign -inkey ${at('key.pem')} -in ${at('in')}`;
      const { status, stdout, stderr } = await submit(command);
      t.is(status, 1);
      t.is(stdout, '');
      t.regex(
        stderr,
        /: accepted by \S+ at \S+, but it was not seen: --sign-with: .*; it was sent and may be in a block, check with: configtxlator verify /,
      );
      t.notRegex(stderr, /fail/);
      t.is(readFileSync(at('log'), 'utf8'), 'again\n');
    },
  );

test.serial(
  'after an error of the command of --sign-with nothing more is signed, and nothing is sent',
  async (t) => {
    const { at, submit } = await elsewhere(t);
    const { status } = await submit(`echo run >>${at('log')}; exit 5`);
    t.is(status, 1);
    t.is(readFileSync(at('log'), 'utf8'), 'run\n');
    t.false(existsSync(at('sent')));
  },
);

test.serial('sign reviews against the network of the profile, as review and submit do', async (t) => {
  const orderer = await listeningOrderer(t);
  const consenters = new Consenters([orderer.address]);
  orderer.blocks = consenters.chain(3);
  const folder = temporaryFolder(t);
  const at = (name: string): string => join(folder, name);
  const { certificate, key } = consenters.adminFiles();
  for (const [name, pem] of [
    ['signcerts', certificate],
    ['keystore', key],
  ] as const) {
    mkdirSync(at(name));
    writeFileSync(at(`${name}/file.pem`), pem);
  }
  const settings = {
    network: `grpc://${orderer.address}/ch1`,
    msp: folder,
    mspid: 'OrdererMSP',
    timeout: '10m',
  };
  writeFileSync(at('profile.yaml'), JSON.stringify(settings));
  mkdirSync(at('folder'));
  for (const name of ['update.pb', 'folder/update.pb']) writeFileSync(at(name), consenters.update(3n));
  for (const args of [[at('update.pb'), '-o', at('update.pb')], [at('folder')]]) {
    const { status, stderr } = await withoutTimeouts(() =>
      runCommand(t, ['sign', ...args, '--profile', at('profile.yaml')]),
    );
    t.is(status, 0, stderr);
    t.regex(stderr, /^channel ch1, block 2; the update fits this block; /m);
  }
  for (const name of ['update.pb', 'folder/update.pb'])
    t.is(readEnvelope(readFileSync(at(name))).signatures.length, 1);
});
