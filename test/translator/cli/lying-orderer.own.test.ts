// Commands with orderers on real sockets; one of them lies or was removed.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { blockBytes, blockHash, type StoredBlock } from '../../../translator/ledger/index.js';
import { certificateOf, IDENTITIES } from '../../helpers/channel-vectors.js';
import { withoutTimeouts } from '../../helpers/clock.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { freePort } from '../../helpers/free-port.js';
import { Consenters } from '../../helpers/made-chain.js';
import { listeningOrderer, type ListeningOrderer } from '../../helpers/stand-in-orderer.js';

/** A BFT channel with four orderers that have blocks 0 to 3, and an orderer that was removed and has blocks 0 to 1. */
interface Stage {
  readonly consenters: Consenters;
  readonly chain: readonly StoredBlock[];
  readonly orderers: readonly ListeningOrderer[];
  readonly removed: ListeningOrderer;
  readonly folder: string;
  readonly run: (...args: readonly string[]) => Promise<CommandOutcome>;
}

async function stage(t: ExecutionContext): Promise<Stage> {
  const all = await Promise.all(Array.from({ length: 5 }, async () => listeningOrderer(t)));
  const orderers = all.slice(0, 4);
  const removed = all[4]!;
  const consenters = new Consenters(orderers.map(({ address }) => address));
  const chain = consenters.chain(4);
  for (const orderer of orderers) orderer.blocks = chain;
  removed.blocks = chain.slice(0, 2);
  const folder = temporaryFolder(t);
  for (const [name, text] of [
    ['signcerts', certificateOf('Org1/admin')],
    ['keystore', IDENTITIES['Org1/admin']!.key],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'file.pem'), text);
  }
  const own = ['--msp', folder, '--mspid', 'Org1MSP', '--timeout', '10m'];
  const run: Stage['run'] = (...args) => withoutTimeouts(() => runCommand(t, [...args, ...own]));
  return { consenters, chain, orderers, removed, folder, run };
}

const addressOf = (...orderers: readonly ListeningOrderer[]): string =>
  `grpc://${orderers.map(({ address }) => address).join(',')}/ch1`;
const hexOf = (block: StoredBlock): string => Buffer.from(blockHash(block)).toString('hex');
const errorOf = ({ stderr }: CommandOutcome): string =>
  stderr.trimEnd().split('\n').at(-1)!.replace('configtxlator: error: ', '');

test.serial('all orderers are asked, a line says how the block is anchored, and JSON has it', async (t) => {
  const { orderers, run } = await stage(t);
  const shown = await run('show', addressOf(orderers[0]!), '--json');
  t.deepEqual(
    [shown.status, shown.stderr],
    [0, 'configtxlator: note: config block 3 is on 4 of 4 consenters\n'],
  );
  const { block, anchored } = JSON.parse(shown.stdout) as { block: string; anchored: string };
  t.deepEqual([block, anchored], ['3', 'majority']);
});

test.serial('orderers that cannot be reached are a warning', async (t) => {
  const { orderers, run } = await stage(t);
  const [first] = orderers;
  const closed = await Promise.all([freePort(), freePort(), freePort()]);
  const addresses = [first!.address, ...closed.map((port) => `127.0.0.1:${port}`)];
  first!.blocks = new Consenters(addresses).chain(1);
  const { status, stdout, stderr } = await run('check', addressOf(first!), '--json');
  t.true(status === 0 || status === 4 || status === 2, stderr);
  t.is((JSON.parse(stdout) as { anchored: string }).anchored, 'no');
  t.deepEqual(stderr.split('\n').slice(0, 2), [
    'configtxlator: warning: not-anchored: config block 0 is from 1 of 4 consenters; name a block that you trust to be sure',
    `configtxlator: note: config block 0 is the newest one and is on 1 of 4 orderers; ${addresses
      .slice(1)
      .map((address) => `${address}: connection refused`)
      .join('; ')}`,
  ]);
});

test.serial('an orderer that was removed hides no update from verify, log, edit and rebase', async (t) => {
  const { consenters, removed, folder, run } = await stage(t);
  const channel = addressOf(removed);
  const [update, edited] = [join(folder, 'update.pb'), join(folder, 'edited.pb')];
  writeFileSync(update, consenters.update(3n));
  const verified = await run('verify', update, '--block', channel);
  t.deepEqual([verified.status, verified.stdout.split('\n')[0]], [0, 'the update is in block 3']);
  t.true(
    verified.stderr.endsWith(
      `config block 3 is the newest one and is on 4 of 5 orderers; ${removed.address} has config block 1 and block 1\n`,
    ),
  );
  const log = await run('log', channel, '--json');
  t.deepEqual(
    (JSON.parse(log.stdout) as { block: string; anchored: string }[]).map(({ block, anchored }) => [
      block,
      anchored,
    ]),
    [
      ['3', 'majority'],
      ['2', 'majority'],
      ['1', 'majority'],
      ['0', 'majority'],
    ],
  );
  const edit = await run('edit', channel, '--set', 'orderer.batchTimeout=9s', '-o', edited);
  t.is(edit.status, 0, edit.stderr);
  t.is((await run('verify', edited, '--block', channel)).status, 3);
  const fits = await run('rebase', edited, '--block', channel, '-o', '/dev/null');
  t.is(errorOf(fits), `${edited} fits the newest config: no rebase is needed`);
  const outdated = join(folder, 'outdated.pb');
  writeFileSync(outdated, consenters.update(1n, 'm'));
  const rebased = await run('rebase', outdated, '--block', channel, '-o', '/dev/null');
  t.regex(errorOf(rebased), /it conflicts with later changes: \/Channel\/Orderer\/BatchTimeout was changed$/);
});

test.serial('with a removed orderer, submit still recognises an accepted update', async (t) => {
  const { consenters, removed, folder, run } = await stage(t);
  const update = join(folder, 'update.pb');
  writeFileSync(update, consenters.update(3n));
  const { status, stdout } = await run('submit', update, '--to', addressOf(removed));
  t.deepEqual([status, stdout], [0, `${update}: already in block 3, nothing is sent\n`]);
});

test.serial('one liar of four changes nothing', async (t) => {
  const { orderers, run } = await stage(t);
  const liar = orderers[2]!;
  liar.blocks = new Consenters([liar.address]).chain(9);
  const shown = await run('show', addressOf(...orderers));
  t.is(shown.status, 0, shown.stderr);
  t.regex(shown.stdout, /^channel ch1, block 3, sequence 3\n/);
  const [first, second] = shown.stderr.split('\n');
  t.is(first, 'configtxlator: note: config block 3 is on 3 of 4 consenters');
  t.true(
    second!.startsWith(
      `configtxlator: note: config block 3 is the newest one and is on 3 of 4 orderers; ${liar.address}: orderers have different configs with the sequence 3: block 3 with the hash `,
    ),
    second,
  );
});

test.serial(
  'one liar and one honest orderer end a command with both hashes, and nothing is signed',
  async (t) => {
    const { consenters, orderers, chain, removed: liar, folder, run } = await stage(t);
    const made = new Consenters([liar.address]).chain(4);
    liar.blocks = made;
    for (const orderer of orderers.slice(1)) orderer.blocks = [];
    const update = join(folder, 'update.pb');
    const signed = join(folder, 'signed.pb');
    writeFileSync(update, consenters.update(4n));
    const outcome = await run('sign', update, '--block', addressOf(liar, orderers[0]!), '-o', signed);
    t.is(
      errorOf(outcome),
      `orderers have different configs with the sequence 3: block 3 with the hash ${hexOf(made[3]!)} at ${liar.address} (newest block 3); block 3 with the hash ${hexOf(chain[3]!)} at ${orderers[0]!.address} (newest block 3); find out which of them are wrong, or name a block that you trust`,
    );
    t.is(outcome.status, 1);
  },
);

test.serial('--trust and the profile: a liar is refused, an honest orderer is enough', async (t) => {
  const { orderers, chain, removed: liar, folder, run } = await stage(t);
  liar.blocks = new Consenters([liar.address]).chain(4);
  for (const orderer of orderers.slice(1)) orderer.blocks = [];
  const genesis = join(folder, 'genesis.pb');
  writeFileSync(genesis, blockBytes(chain[0]!));
  writeFileSync(join(folder, 'profile.yaml'), 'trust: genesis.pb\n');
  writeFileSync(join(folder, 'hash.yaml'), `trust: ${hexOf(chain[0]!).toUpperCase()}\n`);
  for (const flags of [
    ['--trust', genesis],
    ['--trust', hexOf(chain[0]!)],
    ['--profile', join(folder, 'profile.yaml')],
    ['--profile', join(folder, 'hash.yaml')],
  ]) {
    const refused = await run('fetch', addressOf(liar), '-o', '/dev/null', ...flags);
    t.is(refused.status, 1);
    t.regex(
      errorOf(refused),
      /block 3 is not used: it (?:leads back to block 0 with|does not lead back to the trusted block with) the hash /,
    );
    const honest = await run('show', addressOf(orderers[0]!, liar), '--json', ...flags);
    t.is(honest.status, 0, honest.stderr);
    t.is((JSON.parse(honest.stdout) as { anchored: string }).anchored, 'trust');
    t.true(honest.stderr.includes('note: config block 3 leads back to the trusted block\n'), honest.stderr);
  }
  const fetched = join(folder, 'fetched.pb');
  t.is(
    (await run('fetch', addressOf(orderers[0]!), '--number', '1', '-o', fetched, '--trust', genesis)).status,
    0,
  );
});

test.serial('an unusable trusted block', async (t) => {
  const { orderers, removed, chain, folder, run } = await stage(t);
  const [text, genesis, newest] = ['text', 'genesis.pb', 'newest.pb'].map((name) => join(folder, name));
  writeFileSync(text!, 'x');
  writeFileSync(genesis!, blockBytes(chain[0]!));
  writeFileSync(newest!, blockBytes(chain[3]!));
  const channel = addressOf(orderers[0]!);
  const trust = async (file: string, at = channel): Promise<string> =>
    errorOf(await run('show', at, '--trust', file));
  t.is(
    await trust(text!),
    `--trust ${text}: this is no block, envelope, config or config update; a config block is needed`,
  );
  t.is(await trust(`${folder}/none`), `open ${folder}/none: no such file, try --help`);
  t.is(
    await trust(genesis!, channel.replace('ch1', 'ch2')),
    `--trust ${genesis}: block 0 is not used: it is of the channel "ch1", not of "ch2"`,
  );
  for (const orderer of orderers) orderer.blocks = removed.blocks;
  t.is(
    await trust(newest!),
    'the trusted block 3 is newer than config block 1, the newest one of the orderers',
  );
});

test.serial('a channel that does not exist', async (t) => {
  const { orderers, run } = await stage(t);
  const other = await run('show', addressOf(orderers[0]!).replace('ch1', 'ch2'));
  t.is(
    errorOf(other),
    `orderer ${orderers[0]!.address}: block 3 is not used: it is of the channel "ch1", not of "ch2"`,
  );
});

test.serial(
  'fetch --number writes a block of transactions, and not one that is not in the chain',
  async (t) => {
    const { consenters, orderers, folder, run } = await stage(t);
    const chain = consenters.sparseChain(3);
    for (const orderer of orderers) orderer.blocks = chain;
    const file = join(folder, 'block.pb');
    const fetched = await run('fetch', addressOf(orderers[0]!), '--number', '3', '-o', file);
    t.is(fetched.status, 0, fetched.stderr);
    t.deepEqual(readFileSync(file), Buffer.from(blockBytes(chain[3]!)));
    const forged = new Consenters(orderers.map(({ address }) => address)).sparseChain(2)[3]!;
    const lying = chain.map((block, index) => (index === 3 ? forged : block));
    for (const orderer of orderers) orderer.blocks = lying;
    const refused = await run('fetch', addressOf(orderers[0]!), '--number', '3', '-o', file);
    t.is(refused.status, 1);
    t.is(
      errorOf(refused),
      `orderer ${orderers[0]!.address}: block 4 is not used: it does not follow block 3`,
    );
  },
);

test.serial('diff --json says how the config of a network is anchored', async (t) => {
  const { chain, orderers, folder, run } = await stage(t);
  const file = join(folder, 'old.pb');
  writeFileSync(file, blockBytes(chain[1]!));
  const { stdout } = await run('diff', file, addressOf(orderers[0]!), '--json');
  const entries = JSON.parse(stdout) as { anchored: unknown }[];
  t.deepEqual(
    entries.map(({ anchored }) => anchored),
    [{ after: 'majority' }],
  );
  const powers = await run('diff', addressOf(orderers[0]!), file, '--powers', '--json');
  const { before, after } = JSON.parse(powers.stdout) as Record<string, { anchored?: string }>;
  t.deepEqual([before!.anchored, after!.anchored], ['majority', undefined]);
});
