// The commands that edit a channel config, in the test process.

import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  applyUpdate,
  readConfigFile,
  readUpdateFile,
  writeConfig,
} from '../../../translator/channel/index.js';
import { decode } from '../../../translator/index.js';
import { review } from '../../../translator/review/index.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { certificateOf, IDENTITIES } from '../../helpers/channel-vectors.js';
import { BLOCK, CONFIG, OTHER_PEM, PEM, writeMsp } from '../../helpers/edits.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { recordedRequest } from '../../helpers/network-block.js';

/** A directory with the files that the commands need. */
function makeFiles(t: ExecutionContext): (name: string) => string {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('block.pb'), BLOCK);
  writeFileSync(at('block.json'), decode('common.Block', BLOCK));
  writeFileSync(at('config.pb'), writeConfig(CONFIG));
  writeFileSync(at('modified.json'), decode('common.Config', writeConfig(CONFIG)).replace('"2s"', '"3s"'));
  const modifiedBlock = decode('common.Block', BLOCK).replace('"2s"', '"3s"');
  writeFileSync(at('modified-block.json'), modifiedBlock);
  writeFileSync(at('other-channel.json'), modifiedBlock.replaceAll('"edits"', '"other"'));
  writeFileSync(at('tls.pem'), PEM);
  writeFileSync(at('other.pem'), OTHER_PEM);
  writeFileSync(at('new-org.json'), recordedRequest('encode.printorg.as-group'));
  writeFileSync(at('text'), 'hello');
  symlinkSync(writeMsp(t, 'units'), at('msp'));
  return at;
}

const run = (t: ExecutionContext, args: readonly string[]): Promise<CommandOutcome> => runCommand(t, args);

/** The changed elements of each command, without their group `/Channel`. */
const COMMANDS: readonly (readonly [
  args: string,
  more: (at: (name: string) => string) => readonly string[],
  changes: readonly string[],
])[] = [
  [
    'edit',
    () => ['--set', 'batchTimeout=1s', '--set=batchSize.maxMessageCount=7'],
    ['Orderer/BatchSize', 'Orderer/BatchTimeout'],
  ],
  ['edit', (at) => ['--with', at('modified.json')], ['Orderer/BatchTimeout']],
  ['edit', (at) => ['--with', at('modified-block.json')], ['Orderer/BatchTimeout']],
  [
    'edit',
    (at) => ['--with', at('modified.json'), '--set', 'batchSize.maxMessageCount=7'],
    ['Orderer/BatchSize', 'Orderer/BatchTimeout'],
  ],
  ['org remove', () => ['full'], ['Application']],
  ['org set-msp', (at) => ['plain', '--msp', at('msp')], ['Application/plain/MSP']],
  ['anchor-peers set', () => ['units', 'a:1', 'b:2'], ['Application/units', 'Application/units/AnchorPeers']],
  ['anchor-peers add', () => ['units', 'a:1'], ['Application/units', 'Application/units/AnchorPeers']],
  ['endpoints set', () => ['orderer', 'a:1', 'b:2'], ['Orderer/orderer/Endpoints']],
  [
    'consenter add',
    (at) => ['p:1', '--tls-cert', at('tls.pem')],
    ['Orderer/ConsensusType', 'Orderer/orderer/Endpoints'],
  ],
  [
    'consenter rotate',
    (at) => ['o.ord.test:7050', '--server-tls-cert', at('tls.pem')],
    ['Orderer/ConsensusType'],
  ],
  ['capabilities set', () => ['Application', 'V2_0'], ['Application/Capabilities']],
  ['acl set', () => ['peer/Propose', 'Writers'], ['Application', 'Application/ACLs']],
  ['policy set', () => ['Application/Admins', 'ALL Admins'], ['Application/Admins']],
  ['policy remove', () => ['Application/Endorsement'], ['Application']],
  ['mod-policy set', () => ['Orderer/BatchSize', '/Channel/Admins'], ['Orderer/BatchSize']],
];

for (const [name, more, changes] of COMMANDS)
  test(`${[name, ...more((file) => file)].join(' ')} writes an unsigned update that changes ${changes.join(', ')}`, async (t) => {
    const at = makeFiles(t);
    const { status, stdout, stderr } = await run(t, [
      ...name.split(' '),
      at('block.pb'),
      ...more(at),
      '-o',
      at('update.pb'),
    ]);
    t.deepEqual([status, stdout], [0, ''], stderr);
    t.regex(stderr, /^(?:configtxlator: note: .+\n)+$/);
    const { channel, form, update, signatures } = readUpdateFile(readFileSync(at('update.pb')));
    t.deepEqual([channel, form, signatures.length], ['edits', 'envelope', 0]);
    const applied = applyUpdate(CONFIG, update, 'edits');
    t.deepEqual(applied.faults, []);
    t.deepEqual(applied.changes.map(({ path }) => path.slice('/Channel/'.length)).toSorted(), changes);
  });

/** Before any certificate of the block expires. */
const NOW = new Date('2026-11-25T00:00:00Z');

// Another organisation's MSP, as in the table, gives that organisation control.
for (const [name, more] of COMMANDS.filter(([command]) => command !== 'org set-msp'))
  test(`${[name, ...more((file) => file)].join(' ')} gives nobody control`, async (t) => {
    const at = makeFiles(t);
    await run(t, [...name.split(' '), at('block.pb'), ...more(at), '-o', at('update.pb')]);
    const update = readUpdateFile(readFileSync(at('update.pb')));
    const { findings } = await review(update, readConfigFile(BLOCK), { now: NOW });
    t.deepEqual(
      findings.filter(({ id }) => /^policy-(?:weakened|not-compared)$|^control-/.test(id)),
      [],
    );
  });

test('org add and org remove say how the majorities change', async (t) => {
  const at = makeFiles(t);
  const to = ['-o', at('update.pb')];
  const added = await run(t, [
    'org',
    'add',
    at('block.pb'),
    '--json',
    at('new-org.json'),
    '--name',
    'New',
    ...to,
  ]);
  t.is(
    added.stderr.split('\n')[1],
    'configtxlator: note: Application/Admins, Application/Endorsement, Application/LifecycleEndorsement: 2 of 3 becomes 3 of 4',
  );
  const removed = await run(t, ['org', 'remove', at('block.pb'), 'full', ...to]);
  t.is(
    removed.stderr.split('\n')[1],
    'configtxlator: note: Application/Admins, Application/Endorsement, Application/LifecycleEndorsement: 2 of 3 becomes 2 of 2; each of the 2 can refuse alone',
  );
});

test('edits of one block are combined with --onto, and notes explain them', async (t) => {
  const at = makeFiles(t);
  const to = ['-o', at('update.pb')];
  await run(t, ['org', 'add', at('block.pb'), '--json', at('new-org.json'), '--name', 'New', ...to]);
  const second = await run(t, [
    'consenter',
    'add',
    at('block.json'),
    'p:1',
    '--tls-cert',
    at('tls.pem'),
    '--onto',
    at('update.pb'),
    ...to,
  ]);
  t.deepEqual(second.stderr.split('\n').slice(0, 4), [
    'configtxlator: note: consenter p:1 added',
    'configtxlator: note: p:1 added to the endpoints of /Channel/Orderer/orderer',
    'configtxlator: note: 2 consenters: 2 of them must be running',
    'configtxlator: note: after the update, join p:1 to the channel: osnadmin channel join with the new config block',
  ]);
  t.regex(
    second.stderr,
    /unsigned update of the channel edits: .*new group \/Channel\/Application\/New, .*\n$/,
  );
  const third = await run(t, [
    'consenter',
    'remove',
    at('block.pb'),
    'p:1',
    '--onto',
    at('update.pb'),
    ...to,
  ]);
  t.is(third.status, 0, third.stderr);
  const { update } = readUpdateFile(readFileSync(at('update.pb')));
  const { config, faults } = applyUpdate(CONFIG, update, 'edits');
  t.deepEqual(faults, []);
  const { groups } = config.channelGroup;
  t.true(groups.get('Application')!.groups.has('New'));
  t.is(groups.get('Orderer')!.values.get('ConsensusType')!.version, 0n);
});

test('the envelope is written to standard output, also for a config with --channel_id', async (t) => {
  const at = makeFiles(t);
  const { status, stdout } = await run(t, [
    'edit',
    at('config.pb'),
    '--channel_id=edits',
    '--set=batchTimeout=1s',
  ]);
  t.is(status, 0);
  await run(t, ['edit', at('block.pb'), '--set=batchTimeout=1s', '-o', at('same.pb')]);
  t.is(stdout, readFileSync(at('same.pb'), 'utf8'));
  t.is(readConfigFile(readFileSync(at('block.pb'))).channel, 'edits');
});

const ERRORS: readonly (readonly [args: string, message: string])[] = [
  ['edit', "required argument 'block' not provided, try --help"],
  ['edit BLOCK', 'an edit is needed: --set PATH=VALUE or --with FILE, try --help'],
  ['edit BLOCK --set batchTimeout', '--set "batchTimeout" has no value, expected PATH=VALUE, try --help'],
  ['edit BLOCK --set batchTimeout=2s', 'the edit changes nothing: the channel has this config already'],
  [
    'edit BLOCK --set batchTimeot=2s',
    '--set batchTimeot: /Channel has no "batchTimeot"; expected one of Admins, Application, BlockDataHashingStructure, Capabilities, Consortium, HashingAlgorithm, Orderer, OrdererAddresses, Readers, Writers',
  ],
  ['edit BLOCK extra --set batchTimeout=1s', 'unexpected extra, try --help'],
  [
    'edit text --set batchTimeout=1s',
    'text: this is no block, envelope, config or config update; a config block is needed',
  ],
  [
    'edit tls.pem --set batchTimeout=1s',
    'tls.pem: this is a PEM file (CERTIFICATE); a config block is needed',
  ],
  [
    'edit config.pb --set batchTimeout=1s',
    'config.pb is a config without a header, so its channel is unknown: give a config block, or --channel_id CHANNEL',
  ],
  [
    'edit BLOCK --channel_id=other --set batchTimeout=1s',
    'BLOCK is of the channel edits, --channel_id is other',
  ],
  [
    'edit BLOCK --onto BLOCK --set batchTimeout=1s',
    '--onto BLOCK: this is a config block; a config update is needed',
  ],
  [
    'edit BLOCK --onto BLOCK --with modified.json',
    '--with replaces the whole config and cannot be combined with --onto',
  ],
  [
    'edit BLOCK --with other-channel.json',
    '--with other-channel.json: it is of the channel "other", the block is of "edits"',
  ],
  [
    'edit BLOCK --with text',
    '--with text: this is no block, envelope, config or config update; a config block is needed',
  ],
  [
    'edit BLOCK --with new-org.json',
    '--with new-org.json: this is a config group in JSON, for example an organisation; a config block is needed',
  ],
  ['org', 'expected list, add, remove, set-msp, revoke after org, try --help'],
  [
    'org ad',
    'expected list, add, remove, set-msp, revoke after org but got "ad" (did you mean add?), try --help',
  ],
  ['org add BLOCK', 'either --msp DIR or --json FILE is needed, try --help'],
  ['org add BLOCK --msp x --json text', 'either --msp DIR or --json FILE is needed, try --help'],
  ['org add BLOCK --msp x', 'the id of the MSP is needed: --mspid ID, try --help'],
  ['org add BLOCK --msp nowhere --mspid X', 'open nowhere: no such file'],
  ['org add BLOCK --msp text --mspid X', '--msp text is a file, an MSP directory is needed'],
  [
    'org add BLOCK --json text',
    '--json text: this is not an organisation: the JSON that configtxgen -printOrg writes is needed, with values and policies',
  ],
  [
    'org add BLOCK --json new-org.json --group peers',
    '--group is "peers", expected application or orderer, try --help',
  ],
  ['org remove BLOCK', "required argument 'org' not provided, try --help"],
  ['anchor-peers set BLOCK units', "required argument 'host:port' not provided, try --help"],
  ['consenter add BLOCK a:1', 'the TLS certificate is needed: --tls-cert FILE, try --help'],
  [
    'consenter add BLOCK a:1 --tls-cert tls.pem --id 0',
    '--id is "0", expected a number of 1 to 4294967295, try --help',
  ],
  [
    'consenter rotate BLOCK b:1 --tls-cert tls.pem',
    'b:1 is not a consenter; the consenters are o.ord.test:7050',
  ],
  [
    'capabilities set BLOCK peers V2_0',
    'level is "peers", expected channel, orderer, application, try --help',
  ],
  ['acl set BLOCK peer/Propose', "required argument 'policy' not provided, try --help"],
];

for (const [args, message] of ERRORS)
  test(`${args}: ${message}`, async (t) => {
    const at = makeFiles(t);
    const files = new Set([
      'text',
      'tls.pem',
      'config.pb',
      'modified.json',
      'new-org.json',
      'other-channel.json',
    ]);
    const words = args
      .split(' ')
      .map((word) => (word === 'BLOCK' ? at('block.pb') : files.has(word) ? at(word) : word));
    const { status, stdout, stderr } = await run(t, [
      ...words,
      ...(words.length > 2 ? ['-o', at('never.pb')] : []),
    ]);
    const shown = stderr.replaceAll(`${at('')}/`, '').replaceAll('block.pb', 'BLOCK');
    t.deepEqual([status, stdout, shown], [1, '', `configtxlator: error: ${message}\n`]);
    t.throws(() => readFileSync(at('never.pb')), { code: 'ENOENT' });
  });

test('an MSP directory without certificates or with a broken config.yaml is refused', async (t) => {
  const at = makeFiles(t);
  const empty = writeMsp(t, '', { 'cacerts/key.pem': 'no PEM' });
  const broken = writeMsp(t, 'plain', { 'config.yaml': 'NodeOUs: [' });
  const missing = writeMsp(t, 'plain', {
    'config.yaml': 'OrganizationalUnitIdentifiers: [{Certificate: no.pem, OrganizationalUnitIdentifier: x}]',
  });
  const add = (directory: string) =>
    run(t, ['org', 'add', at('block.pb'), '--msp', directory, '--mspid', 'X', '-o', at('u.pb')]);
  t.is(
    (await add(empty)).stderr,
    `configtxlator: error: ${empty}: cacerts contains no certificate in PEM; the MSP directory of an organisation is needed\n`,
  );
  t.regex((await add(broken)).stderr, /^configtxlator: error: .*config\.yaml: Flow sequence .*\n$/);
  t.is(
    (await add(missing)).stderr,
    `configtxlator: error: ${missing}: "no.pem" of OrganizationalUnitIdentifiers in config.yaml is missing\n`,
  );
});

test('org add refuses a private key and the certificate of a person among the CAs', async (t) => {
  const at = makeFiles(t);
  const { key } = IDENTITIES['Org1/admin']!;
  const person = certificateOf('Org1/admin').toString();
  for (const [file, text, error] of [
    ['cacerts/z.pem', key, 'contains a private key (PRIVATE KEY), which must not get into a channel'],
    ['cacerts/z.pem', person, 'is the certificate of CN=Admin@org1.example.com, which is not a CA'],
    ['tlscacerts/z.pem', person, 'is the certificate of CN=Admin@org1.example.com, which is not a CA'],
  ] as const) {
    const directory = writeMsp(t, 'full', { [file]: text });
    const args = ['org', 'add', at('block.pb'), '--msp', directory, '--mspid', 'X', '-o', at('u.pb')];
    const { status, stderr } = await run(t, args);
    t.deepEqual([status, stderr], [1, `configtxlator: error: ${join(directory, file)} ${error}\n`]);
  }
});

test('org add notes an MSP directory of a person, and one without admins', async (t) => {
  const at = makeFiles(t);
  const directory = writeMsp(t, 'plain', { 'config.yaml': '', 'keystore/x': '' });
  rmSync(join(directory, 'admincerts'), { recursive: true, force: true });
  const args = ['org', 'add', at('block.pb'), '--msp', directory, '--mspid', 'X', '-o', at('u.pb')];
  const { stderr } = await run(t, args);
  t.deepEqual(stderr.split('\n').slice(0, 2), [
    `configtxlator: note: ${directory} has a keystore: it is the MSP directory of a person or node, not of an organisation`,
    `configtxlator: note: ${directory} has neither NodeOUs in config.yaml nor certificates in admincerts: orderers refuse an MSP without admins`,
  ]);
});

test('the consensus type cannot be changed alone', async (t) => {
  const at = makeFiles(t);
  const set = ['edit', at('block.pb'), '--set', 'orderer.consensusType.type=BFT', '-o', at('u.pb')];
  t.is(
    (await run(t, set)).stderr,
    'configtxlator: error: --set orderer.consensusType.type: /Channel/Orderer/ConsensusType: the type cannot be changed alone; a migration to BFT changes, in maintenance mode, the type, its metadata, the value Orderers and the policy BlockValidation in one update: edit the whole config\n',
  );
});
