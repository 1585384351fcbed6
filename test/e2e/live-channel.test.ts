// Real networks: configs are fetched from orderers, updates are submitted to them, with our commands alone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { parseBlock } from '../../translator/ledger/index.js';
import { check, eventually } from './daemon.js';
import { broadcasts, channelAt, translatorAs, untilServed } from './fabric/live-channel.js';
import { blockFile, fetchBlock } from './fabric/channel-edits.js';
import { startNetwork } from './fabric/network.js';
import { CHANNEL } from './fabric/network-files.js';
import { NEWEST } from './fabric/programs.js';

for (const version of NEWEST)
  test.serial(`${version}: fetch writes what the peer program writes`, async (t) => {
    const network = await startNetwork(t, { version });
    const { directory, orderers } = network;
    const admin = translatorAs(t, network, orderers[0].identity);
    await untilServed(admin, orderers[0]);
    await fetchBlock(network);
    const expected = readFileSync(blockFile(network));
    for (const flags of [[], ['--number', 'newest'], ['--number', 'oldest'], ['--number', '0']]) {
      const { status, stderr } = await admin.run(
        'fetch',
        channelAt(...orderers),
        ...flags,
        '-o',
        'fetched.pb',
      );
      t.is(status, 0, stderr);
      t.deepEqual(readFileSync(join(directory, 'fetched.pb')), expected);
    }
  });

test.serial('three orderers with mutual TLS: what goes wrong is named', async (t) => {
  const network = await startNetwork(t, { orderers: 3 });
  const { orderers, peers } = network;
  const [first, second, third] = orderers;
  const { tls } = first.identity;
  const plain = translatorAs(t, network, first.identity);
  for (const orderer of orderers) {
    await orderer.stop();
    await orderer.start({
      ORDERER_GENERAL_TLS_CLIENTAUTHREQUIRED: 'true',
      ORDERER_GENERAL_TLS_CLIENTROOTCAS: `[${tls.ca}]`,
    });
  }
  const own = { 'client-cert': tls.cert, 'client-key': tls.key };
  const admin = translatorAs(t, network, first.identity, own);
  await Promise.all(orderers.map((orderer) => untilServed(admin, orderer)));

  const [org1] = peers;
  const at = first.address;
  const name = channelAt(first).replace('127.0.0.1', 'localhost');
  const ERRORS: readonly (readonly [
    what: string,
    translator: typeof admin,
    network: string,
    flags: readonly string[],
    error: string,
  ])[] = [
    [
      'wrong CA',
      admin,
      channelAt(first),
      ['--tls-ca', org1.identity.tls.ca],
      `orderer ${at}: its TLS certificate is not issued by a trusted CA; give its CA with --tls-ca`,
    ],
    [
      'wrong name',
      admin,
      name,
      ['--tls-server-name', 'orderer9.example.com'],
      `orderer ${name.slice(8).split('/')[0]}: its TLS certificate is for another name; --tls-server-name names it`,
    ],
    [
      'no client certificate',
      plain,
      channelAt(first),
      [],
      `orderer ${at}: it requires a client certificate that it trusts`,
    ],
    [
      'not a member',
      admin,
      channelAt(first),
      ['--mspid', 'Org1MSP'],
      `orderer ${at}: forbidden: the identity is not valid for the channel, or may not read it (403)`,
    ],
    [
      'unknown channel',
      admin,
      `grpcs://${at}/other`,
      [],
      `orderer ${at}: the channel or the block does not exist there (404)`,
    ],
    [
      'a block of the future',
      admin,
      channelAt(first),
      ['--number', '99'],
      `no orderer serves the channel ${CHANNEL}: ${orderers.map(({ address }) => `orderer ${address}: the channel or the block does not exist there (404)`).join('; ')}`,
    ],
    [
      'without TLS',
      admin,
      channelAt(first).replace('grpcs', 'grpc'),
      [],
      `orderer ${at}: it closed the connection, probably because it uses TLS; write grpcs:// in place of grpc://`,
    ],
  ];
  for (const [what, translator, network_, flags, error] of ERRORS) {
    const { status, stderr } = await translator.run('fetch', network_, ...flags, '-o', 'fetched.pb');
    t.is(status, 1, what);
    t.is(stderr.trimEnd().split('\n').at(-1), `configtxlator: error: ${error}`, what);
  }
  await third!.stop('SIGKILL');
  // It may have been the leader.
  await eventually(async () => {
    const { status, stderr } = await admin.run('fetch', channelAt(third!, second!), '-o', 'fetched.pb');
    check(status === 0, stderr);
  });
  await second!.stop('SIGKILL');
  const none = await admin.run('fetch', channelAt(third!, second!), '-o', 'fetched.pb');
  t.is(
    none.stderr.trimEnd().split('\n').at(-1),
    `configtxlator: error: no orderer serves the channel ${CHANNEL}: orderer ${third!.address}: connection refused; orderer ${second!.address}: connection refused`,
  );
});

for (const { title, options } of [
  { title: 'Raft, three orderers', options: { orderers: 3, organisations: 2 } },
  { title: 'Raft of v2.5.16', options: { orderers: 3, organisations: 2, version: 'v2.5.16' } },
  { title: 'BFT, four orderers', options: { orderers: 4, organisations: 2, consensus: 'BFT' } },
] as const)
  test.serial(`${title}: an update of two organisations, and a second one`, async (t) => {
    const network = await startNetwork(t, options);
    const { orderers, peers } = network;
    const [first] = orderers;
    const [one, two] = peers.map(({ identity }) => translatorAs(t, network, identity));
    const admin = translatorAs(t, network, first.identity);
    await untilServed(admin, first);
    const channel = channelAt(...orderers);

    const edit = await one!.run(
      'acl',
      'set',
      channel,
      'qscc/GetChainInfo',
      'Writers',
      '--sign',
      '-o',
      'acl.pb',
    );
    t.is(edit.status, 0, edit.stderr);
    const early = await one!.run('submit', 'acl.pb', '--quiet');
    t.deepEqual([early.status, early.stdout], [3, '']);
    t.regex(early.stderr, /acl\.pb was not sent: unsigned: signatures are missing\n$/);
    t.is(broadcasts(network), 0);
    const signed = await two!.run('sign', 'acl.pb', '--block', channel, '--quiet', '-o', 'acl.pb');
    t.is(signed.status, 0, signed.stderr);
    const submitted = await two!.run('submit', 'acl.pb', '--quiet');
    t.is(submitted.status, 0, submitted.stderr);
    // With BFT one of four orderers may miss the first block, and gets it with a later one.
    t.regex(submitted.stdout, /^the update is in block 1, on (?:3 of 3|[34] of 4) orderers\n/);

    // BFT takes minutes to replace a leader that was killed.
    const isKilled = !('consensus' in options);
    if (isKilled) await first.stop('SIGKILL');
    const next = await admin.run(
      'edit',
      channel,
      '--set',
      'orderer.batchSize.maxMessageCount=50',
      '--sign',
      '-o',
      'next.pb',
    );
    t.is(next.status, 0, next.stderr);
    const second = await admin.run('submit', 'next.pb', '--quiet');
    t.is(second.status, 0, second.stderr);
    t.true(second.stdout.startsWith('the update is in block 2, on '), second.stdout);
    t.is(second.stdout.includes(`\n  not on ${first.address}: connection refused\n`), isKilled);
    const history = await admin.run('log', channel, '--json');
    const entries = JSON.parse(history.stdout) as { block: string; signers: { mspid: string }[] }[];
    t.deepEqual(
      entries.map(({ block, signers }) => [block, ...signers.map(({ mspid }) => mspid)]),
      [['2', 'OrdererMSP'], ['1', 'Org1MSP', 'Org2MSP'], ['0']],
    );
  });

test.serial('refused and dangerous updates are not sent, and outdated ones are made again', async (t) => {
  const network = await startNetwork(t, { orderers: 3 });
  const { orderers } = network;
  const admin = translatorAs(t, network, orderers[0].identity);
  await untilServed(admin, orderers[0]);
  const channel = channelAt(...orderers);
  const make = async (file: string, setting: string, ...flags: readonly string[]): Promise<void> => {
    const made = await admin.run('edit', channel, '--set', setting, ...flags, '-o', file);
    t.is(made.status, 0, made.stderr);
  };

  await make('dangerous.pb', 'orderer.consensusType.metadata.options.tickInterval=1h');
  t.regex((await admin.run('sign', 'dangerous.pb', '--quiet', '-o', 'dangerous.pb')).stderr, /profile|^$/);
  const dangerous = await admin.run('submit', 'dangerous.pb', '--quiet');
  t.is(dangerous.status, 4, dangerous.stderr);
  t.regex(
    dangerous.stderr,
    /dangerous\.pb was not sent: it is dangerous; if that is wanted: --allow raft-election-timeout\n$/,
  );

  await make('outdated.pb', 'orderer.batchTimeout=3s', '--sign');
  await make('proposal.pb', 'orderer.batchTimeout=4s');
  await make('other.pb', 'orderer.batchSize.maxMessageCount=50');
  t.is(broadcasts(network), 0);
  const first = await admin.run('submit', 'outdated.pb', '--quiet');
  t.is(first.status, 0, first.stderr);
  const again = await admin.run('submit', 'outdated.pb', '--quiet');
  t.is(again.status, 0);
  t.is(again.stdout, 'outdated.pb: already in block 1, nothing is sent\n');
  const late = await admin.run('submit', 'proposal.pb', '--quiet');
  t.is(late.status, 2);
  t.regex(late.stderr, /proposal\.pb was not sent: orderers would refuse it\n$/);
  t.is(broadcasts(network), 1);

  const conflict = await admin.run('rebase', 'proposal.pb', '-o', 'rebased.pb');
  t.is(conflict.status, 1);
  t.regex(
    conflict.stderr,
    /proposal\.pb: it conflicts with later changes: \/Channel\/Orderer\/BatchTimeout was changed\n$/,
  );
  const fits = await admin.run('rebase', 'other.pb', '-o', 'rebased.pb');
  t.regex(fits.stderr, /other\.pb fits the newest config: no rebase is needed\n$/);

  for (const name of ['Auditors', 'Clerks']) {
    const made = await admin.run(
      'policy',
      'set',
      channel,
      `Orderer/${name}`,
      'ANY Readers',
      '-o',
      `${name}.pb`,
    );
    t.is(made.status, 0, made.stderr);
  }
  const signed = await admin.run('sign', 'Auditors.pb', '--quiet', '-o', 'Auditors.pb');
  t.is(signed.status, 0, signed.stderr);
  const accepted = await admin.run('submit', 'Auditors.pb', '--quiet');
  t.is(accepted.status, 0, accepted.stderr);
  const stale = await admin.run('submit', 'Clerks.pb', '--quiet');
  t.is(stale.status, 2, stale.stderr);
  const rebased = await admin.run('rebase', 'Clerks.pb', '-o', 'Clerks.pb');
  t.is(rebased.status, 0, rebased.stderr);
  const complete = await admin.run('sign', 'Clerks.pb', '--quiet', '-o', 'Clerks.pb');
  t.is(complete.status, 0, complete.stderr);
  const last = await admin.run('submit', 'Clerks.pb', '--quiet');
  t.is(last.status, 0, last.stderr);
});

test.serial(
  'without a quorum a submission ends with what is known, and succeeds once it is back',
  async (t) => {
    const network = await startNetwork(t, { orderers: 3 });
    const { orderers } = network;
    const [first, second, third] = orderers;
    const admin = translatorAs(t, network, first.identity);
    await untilServed(admin, first);
    const made = await admin.run(
      'edit',
      channelAt(...orderers),
      '--set',
      'orderer.batchTimeout=3s',
      '--sign',
      '-o',
      'update.pb',
    );
    t.is(made.status, 0, made.stderr);
    // The leader knows for some seconds that it is one.
    await Promise.all([second!.stop('SIGKILL'), third!.stop('SIGKILL')]);
    const lost = await admin.run('submit', 'update.pb', '--quiet', '--wait', '5s');
    t.is(lost.status, 1);
    t.regex(
      lost.stderr.trimEnd().split('\n').at(-1)!,
      /^configtxlator: error: (?:update\.pb: (?:no orderer accepted the update|accepted by|it is unclear)|no orderer serves the channel)/,
    );
    const waiting = admin.start('submit', 'update.pb', '--quiet', '--wait', '5m');
    await sleep(500);
    await Promise.all([second!.start(), third!.start()]);
    const { status, stdout, stderr } = await waiting.ended;
    if (status !== 0) {
      // Without a leader the config cannot be fetched: the submission has not begun.
      t.regex(stderr, /no orderer serves the channel|the update is not sent/);
      await untilServed(admin, first);
      const last = await admin.run('submit', 'update.pb', '--quiet');
      t.is(last.status, 0, last.stderr);
      return;
    }
    t.regex(stdout, /^the update is in block 1, on [23] of 3 orderers\n/);
  },
);

test.serial('BFT: an orderer that was removed and still responds does not decide', async (t) => {
  t.timeout(600_000);
  const network = await startNetwork(t, { orderers: 5, consensus: 'BFT' });
  const { orderers } = network;
  const admin = translatorAs(t, network, orderers[0].identity);
  await untilServed(admin, orderers[0]);
  const removed = orderers[4]!;
  const edit = async (file: string, ...args: readonly string[]): Promise<void> => {
    const made = await admin.run(...args, '--sign', '-o', file);
    t.is(made.status, 0, made.stderr);
  };
  const submit = async (file: string, ...flags: readonly string[]): Promise<void> => {
    const submitted = await admin.run('submit', file, '--quiet', '--wait', '2m', ...flags);
    t.is(submitted.status, 0, submitted.stderr);
  };
  await edit('remove.pb', 'consenter', 'remove', channelAt(orderers[0]), removed.address);
  await submit('remove.pb');
  await edit('next.pb', 'edit', channelAt(orderers[0]), '--set', 'orderer.batchSize.maxMessageCount=50');
  await submit('next.pb');

  const at = channelAt(removed);
  const note = (number: number): string =>
    `configtxlator: note: config block ${number} is on 4 of 4 consenters\nconfigtxlator: note: config block ${number} is the newest one and is on 4 of 5 orderers; ${removed.address} has config block 1 and block 1\n`;
  const verified = await admin.run('verify', 'next.pb', '--block', at);
  t.is(verified.status, 0, verified.stderr);
  t.regex(verified.stdout, /^the update is in block 2\n/);
  t.true(verified.stderr.endsWith(note(2)), verified.stderr);
  await edit('last.pb', 'edit', at, '--set', 'orderer.batchSize.maxMessageCount=60');
  await submit('last.pb', '--to', at);
  const history = await admin.run('log', at, '--json');
  t.deepEqual(
    (JSON.parse(history.stdout) as { block: string }[]).map(({ block }) => block),
    ['3', '2', '1', '0'],
  );
  t.true(history.stderr.endsWith(note(3)), history.stderr);
});

test.serial(
  'a trusted block: the genesis block, its hash, a later block, and one of another network',
  async (t) => {
    const network = await startNetwork(t, { orderers: 3 });
    const { directory, orderers } = network;
    const [first] = orderers;
    const admin = translatorAs(t, network, first.identity);
    await untilServed(admin, first);
    const channel = channelAt(...orderers);
    for (const [number, timeout] of [
      [1, '3s'],
      [2, '4s'],
    ] as const) {
      const file = `update-${number}.pb`;
      const made = await admin.run(
        'edit',
        channel,
        '--set',
        `orderer.batchTimeout=${timeout}`,
        '--sign',
        '-o',
        file,
      );
      t.is(made.status, 0, made.stderr);
      const submitted = await admin.run('submit', file, '--quiet');
      t.is(submitted.status, 0, submitted.stderr);
    }
    for (const number of ['0', '1', '2']) {
      const fetched = await admin.run('fetch', channel, '--number', number, '-o', `block-${number}.pb`);
      t.is(fetched.status, 0, fetched.stderr);
    }
    // The hash that the next block has of the one before is the one that Fabric computes.
    const { previousHash } = parseBlock(readFileSync(join(directory, 'block-1.pb')));
    const hash = Buffer.from(previousHash).toString('hex');
    for (const trust of ['block-0.pb', 'block-1.pb', 'block-2.pb', hash]) {
      const shown = await admin.run('show', channelAt(first), '--json', '--trust', trust);
      t.is(shown.status, 0, shown.stderr);
      t.is((JSON.parse(shown.stdout) as { anchored: string }).anchored, 'trust', trust);
      t.regex(shown.stderr, /note: config block 2 leads back to the trusted block\n/);
    }
    const majority = await admin.run('show', channel, '--json');
    t.is((JSON.parse(majority.stdout) as { anchored: string }).anchored, 'majority');

    const other = await startNetwork(t, { orderers: 1 });
    const otherAdmin = translatorAs(t, other, other.orderers[0].identity);
    await untilServed(otherAdmin, other.orderers[0]);
    const genesis = join(other.directory, 'genesis.pb');
    const fetched = await otherAdmin.run('fetch', channelAt(other.orderers[0]), '-o', genesis);
    t.is(fetched.status, 0, fetched.stderr);
    t.regex(fetched.stderr, /note: config block 0 is on 1 of 1 consenters\n/);
    const refused = await admin.run('show', channelAt(first), '--trust', genesis);
    t.is(refused.status, 1);
    t.regex(
      refused.stderr,
      /block 2 is not used: it leads back to block 0 with the hash [0-9a-f]{64}, the trusted one has the hash/,
    );
    t.is(directory === other.directory, false);

    // The others respond to nobody: one orderer is not enough, and it is said.
    await Promise.all(orderers.slice(1).map(async (each) => each.stop('SIGKILL')));
    const last = await admin.run('verify', 'update-2.pb', '--block', channelAt(first), '--timeout', '20s');
    // Without a quorum the leader steps down, and the orderer that is left serves nobody.
    if (last.status === 0)
      t.regex(
        last.stderr,
        /warning: not-anchored: config block 2 is from 1 of 3 consenters; name a block that you trust to be sure\n/,
      );
    else t.regex(last.stderr, /unavailable: it does not serve the channel now \(503\)/);
  },
);
