// `migrate bft` and `migrate status` on the blocks of a recorded migration.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { BLOCKS, configBlock, IDENTITIES } from '../../helpers/migration.js';
import { readMessage, replaceFields, writeMessage } from '../../../proto/typed.js';
import {
  CommonBlock,
  CommonChannelHeader,
  CommonConfigEnvelope,
  CommonEnvelope,
  CommonHeader,
  CommonPayload,
  MspFabricMSPConfig,
  MspMSPConfig,
} from '../../../proto/messages.js';
import { readEnvelope, writeConfig } from '../../../translator/channel/index.js';
import { changeGroup, withValue } from '../../../translator/edit/index.js';

interface Files {
  readonly folder: string;
  /** The block of a number. */
  readonly block: (number: number) => string;
  /** The flags with all identities. */
  readonly identities: readonly string[];
}

function files(t: ExecutionContext): Files {
  const folder = temporaryFolder(t);
  const block = (number: number): string => join(folder, `b${number}.pb`);
  for (const [number, bytes] of BLOCKS.entries()) writeFileSync(block(number), bytes);
  const identities = IDENTITIES.flatMap(({ consenter, certificate }, index) => {
    const file = join(folder, `${index}.pem`);
    writeFileSync(file, certificate);
    return ['--identity', `${consenter}=${file}`];
  });
  return { folder, block, identities };
}

const run = (t: ExecutionContext, ...args: readonly string[]): Promise<CommandOutcome> =>
  runCommand(t, ['migrate', ...args]);

test('migrate bft writes a folder for each step, and prints the commands', async (t) => {
  const { folder, block, identities } = files(t);
  const plan = join(folder, 'plan');
  const { status, stdout, stderr } = await run(t, 'bft', block(0), ...identities, '-o', plan);
  t.is(status, 0, stderr);
  t.is(
    stdout,
    `from Raft to BFT: ch1
  check: all orderers and all peers run Fabric 3.0 or newer: older ones stop at V3_0
  signatures: an administrator of each further organisation runs configtxlator sign ${plan}/1-capability
  configtxlator submit ${plan}/1-capability
  check: all clients have stopped sending transactions
  configtxlator submit ${plan}/2-maintenance
  check: all orderers and peers are backed up: after this step, only the backups allow a return to Raft
  configtxlator submit ${plan}/3-bft
  check: all orderers are restarted: one that still runs Raft would accept this step, and stop all peers
  configtxlator submit ${plan}/4-normal --allow bft-not-restarted
  configtxlator migrate status CHANNEL shows the next step at any time
`,
  );
  t.deepEqual(readdirSync(plan, { recursive: true, encoding: 'utf8' }).toSorted(), [
    '1-capability',
    '1-capability/ch1.pb',
    '2-maintenance',
    '2-maintenance/ch1.pb',
    '3-bft',
    '3-bft/ch1.pb',
    '4-normal',
    '4-normal/ch1.pb',
  ]);
});

test('migrate status of files, which contain no state of orderers', async (t) => {
  const { block } = files(t);
  const { stdout } = await run(t, 'status', block(2), block(5));
  t.is(
    stdout,
    `channel ch1, block 2: Raft, in maintenance
next
  back up all orderers and peers: after the step bft, only the backups allow a return to Raft
  submit the step bft
  then restart all orderers

channel ch1, block 5: BFT
next
  start the clients again
`,
  );
});

test('an identity without a consenter is a wrong argument', async (t) => {
  const { folder, block } = files(t);
  const { status, stderr } = await run(
    t,
    'bft',
    block(0),
    '--identity',
    'o1.pem',
    '-o',
    join(folder, 'plan'),
  );
  t.deepEqual(
    [status, stderr],
    [1, 'configtxlator: error: --identity "o1.pem" must be CONSENTER=FILE, try --help\n'],
  );
});

test('the error of an impossible plan names the file, and nothing is written', async (t) => {
  const { folder, block } = files(t);
  const { status, stderr } = await run(t, 'bft', block(0), '-o', join(folder, 'plan'));
  t.is(status, 1);
  t.is(
    stderr,
    `configtxlator: error: ${block(0)}: no identity is given for 127.0.0.1:27070, 127.0.0.1:27073, 127.0.0.1:27076, 127.0.0.1:27079\n`,
  );
  t.false(readdirSync(folder).includes('plan'));
});

/** The first block, with a header that names another channel. */
function blockOfChannel(channelId: string): Uint8Array {
  const block = BLOCKS[0]!;
  const [envelope] = readMessage(CommonBlock, block).data!.data;
  const { payload } = readMessage(CommonEnvelope, envelope!);
  const header = readMessage(CommonPayload, payload, ['header']).header!;
  const { channelHeader, signatureHeader } = readMessage(CommonHeader, header);
  const changed = replaceFields(CommonPayload, payload, {
    header: {
      channelHeader: replaceFields(CommonChannelHeader, channelHeader, { channelId }),
      signatureHeader,
    },
  });
  return replaceFields(CommonBlock, block, {
    data: { data: [replaceFields(CommonEnvelope, envelope!, { payload: changed })] },
  });
}

for (const channel of [
  '../../../escaped/ch1',
  '/tmp/ch1',
  '..',
  '',
  'CH1',
  'ch1\n',
  'ch1\0',
  '1ch',
  'c'.repeat(250),
])
  test(`migrate bft writes nothing for a channel called ${JSON.stringify(channel)}`, async (t) => {
    const { folder, block, identities } = files(t);
    const named = join(folder, 'named.pb');
    writeFileSync(named, blockOfChannel(channel));
    const plan = join(folder, 'a', 'b', 'plan');
    const { status, stderr } = await run(t, 'bft', block(0), named, ...identities, '-o', plan);
    t.is(status, 1);
    t.true(stderr.startsWith(`configtxlator: error: ${named}: the channel name "`));
    t.false(readdirSync(folder).includes('a'));
  });

test('the error about a channel name that cannot be a file name says what is allowed', async (t) => {
  const { folder, identities } = files(t);
  const named = join(folder, 'named.pb');
  writeFileSync(named, blockOfChannel('../ch1'));
  const { stderr } = await run(t, 'bft', named, ...identities, '-o', join(folder, 'plan'));
  t.is(
    stderr,
    `configtxlator: error: ${named}: the channel name "../ch1" cannot be a file name: Fabric allows 1 to 249 lower-case letters, digits, '.' and '-', with a letter at the beginning\n`,
  );
});

test('migrate bft writes a channel with the longest name that Fabric allows', async (t) => {
  const { folder, identities } = files(t);
  const named = join(folder, 'named.pb');
  const channel = `c${'.-1'.repeat(82)}aa`;
  t.is(channel.length, 249);
  writeFileSync(named, blockOfChannel(channel));
  const { status, stderr } = await run(t, 'bft', named, ...identities, '-o', join(folder, 'plan'));
  t.is(status, 0, stderr);
  t.deepEqual(readdirSync(join(folder, 'plan', '4-normal')), [`${channel}.pb`]);
});

test('migrate bft takes each channel once, and writes nothing otherwise', async (t) => {
  const { folder, block, identities } = files(t);
  const again = join(folder, 'again.pb');
  writeFileSync(again, BLOCKS[1]!);
  const { status, stderr } = await run(t, 'bft', block(0), again, ...identities, '-o', join(folder, 'plan'));
  t.is(status, 1);
  t.is(stderr, `configtxlator: error: ${block(0)} and ${again} are the same channel, ch1: give it once\n`);
  t.false(readdirSync(folder).includes('plan'));
});

/** A channel with Raft of an orderer organisation whose keys the test has: the block, and the MSP directory of its administrator. */
function ownChannel(t: ExecutionContext): { readonly folder: string; readonly args: readonly string[] } {
  const folder = temporaryFolder(t);
  const ca = makeCertificate({ commonName: 'ca' });
  const admin = makeCertificate({ commonName: 'admin', issuer: ca });
  const { config } = configBlock(0);
  const channelGroup = changeGroup(config.channelGroup, ['Orderer', 'OrdererOrg'], (group) => {
    const msp = readMessage(MspMSPConfig, group.values.get('MSP')!.value);
    const { tlsRootCerts, name, cryptoConfig } = readMessage(MspFabricMSPConfig, msp.config);
    const own = { name, cryptoConfig, tlsRootCerts, rootCerts: [ca.pem], admins: [admin.pem] };
    return withValue(
      group,
      'MSP',
      writeMessage(MspMSPConfig, { config: writeMessage(MspFabricMSPConfig, own) }),
    );
  });
  const data = writeMessage(CommonConfigEnvelope, { config: writeConfig({ ...config, channelGroup }) });
  const channelHeader = writeMessage(CommonChannelHeader, { type: 1, channelId: 'ch1' });
  const payload = writeMessage(CommonPayload, { header: { channelHeader }, data });
  const envelope = writeMessage(CommonEnvelope, { payload });
  writeFileSync(
    join(folder, 'block.pb'),
    writeMessage(CommonBlock, { header: {}, data: { data: [envelope] } }),
  );
  for (const [name, pem] of [
    ['signcerts', admin.pem],
    ['keystore', Buffer.from(admin.key.export({ type: 'pkcs8', format: 'pem' }))],
  ] as const) {
    mkdirSync(join(folder, 'msp', name), { recursive: true });
    writeFileSync(join(folder, 'msp', name, 'file.pem'), pem);
  }
  const identities = IDENTITIES.flatMap(({ consenter }, index) => {
    const file = join(folder, `${index}.pem`);
    writeFileSync(file, makeCertificate({ commonName: `orderer${index}`, issuer: ca }).pem);
    return ['--identity', `${consenter}=${file}`];
  });
  // Orderers of 2.5 stop at the capability V3_0, and those of 3.1 do not.
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'fabric: 2.5.12,3.1.5\nmspid: OrdererMSP\nmsp: msp\n');
  const args = [join(folder, 'block.pb'), ...identities, '--profile', profile, '-o', join(folder, 'plan')];
  return { folder, args };
}

test('migrate bft --sign reviews each step, and writes nothing if a step is dangerous', async (t) => {
  const { folder, args } = ownChannel(t);
  const { status, stderr } = await run(t, 'bft', '--sign', ...args);
  t.is(status, 4, stderr);
  t.regex(
    stderr,
    /\nconfigtxlator: error: step capability of ch1: the update was not signed: it is dangerous; if that is wanted: --allow \S+\n$/,
  );
  t.false(readdirSync(folder).includes('plan'));
});

test('migrate bft --sign signs the steps whose dangers are allowed', async (t) => {
  const { folder, args } = ownChannel(t);
  const { stderr: advice } = await run(t, 'bft', '--sign', ...args);
  const [, allow = ''] = /wanted: (--allow \S+)\n$/.exec(advice) ?? [];
  const { status, stderr } = await run(t, 'bft', '--sign', ...allow.split(' '), ...args);
  t.is(status, 0, stderr);
  for (const step of ['1-capability', '2-maintenance', '3-bft', '4-normal'])
    t.is(readEnvelope(readFileSync(join(folder, 'plan', step, 'ch1.pb'))).signatures.length, 1);
});
