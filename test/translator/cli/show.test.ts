// The commands show and verify, in the test process.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { applyUpdate, readConfig, readConfigUpdate } from '../../../translator/channel/index.js';
import { writeConfig } from '../../../translator/channel/write.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { runCommand } from '../../helpers/cli.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { networkBlock } from '../../helpers/network-block.js';
import { temporaryFolder } from '../../helpers/folder.js';

const { configs, cases } = readChannelCases();
const CASE = cases.find(({ id }) => id === 'versions-001')!;
const BEFORE = configs.get(CASE.config)!;
const AFTER = writeConfig(applyUpdate(readConfig(BEFORE), readConfigUpdate(CASE.update)).config);

/** A directory with a block, a config before and after an update, the update, and files of other kinds. */
function makeFiles(t: ExecutionContext): (name: string) => string {
  const directory = temporaryFolder(t, {
    'a.json': '{"a":1}',
    'empty.pb': '',
    'cert.pem': '-----BEGIN X-----\n',
  });
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('block.pb'), networkBlock());
  writeFileSync(at('before.pb'), BEFORE);
  writeFileSync(at('after.pb'), AFTER);
  writeFileSync(at('update.pb'), CASE.update);
  return at;
}

test('show prints the channel of a block', async (t) => {
  const at = makeFiles(t);
  const { status, stdout, stderr } = await runCommand(t, ['show', at('block.pb')]);
  t.deepEqual([status, stderr], [0, '']);
  t.regex(stdout, /^channel mychannel, block 0, sequence 0\n {2}capabilities {2}channel V2_0; /);
});

test('show --json prints the same as data', async (t) => {
  const at = makeFiles(t);
  const { stdout } = await runCommand(t, ['show', '--json', at('block.pb')]);
  const { kind, form, channel, block } = JSON.parse(stdout) as Record<string, unknown>;
  t.deepEqual(
    { kind, form, channel, block },
    { kind: 'channel', form: 'block', channel: 'mychannel', block: '0' },
  );
});

/** The config with unknown fields in the batch size of the orderers. */
function withUnknown(count: number): Uint8Array {
  const { sequence, channelGroup } = readConfig(BEFORE);
  const orderer = channelGroup.groups.get('Orderer')!;
  const size = orderer.values.get('BatchSize')!;
  const unknown = Array.from({ length: count }, () => Buffer.from([0x98, 0x06, 0x01]));
  const value = Buffer.concat([size.value, ...unknown]);
  const values = new Map([...orderer.values, ['BatchSize', { ...size, value }]]);
  const groups = new Map([...channelGroup.groups, ['Orderer', { ...orderer, values }]]);
  return writeConfig({ sequence, channelGroup: { ...channelGroup, groups } });
}

for (const [added, note] of [
  [1, 'configtxlator: note: 1 unknown field was left out\n'],
  [2, 'configtxlator: note: 2 unknown fields were left out\n'],
] as const)
  for (const [what, bytes] of [
    ['a config', withUnknown(added)],
    ['an update', computeUpdate(BEFORE, withUnknown(added), 'testchannel')],
  ] as const)
    for (const flags of [[], ['--json']])
      test(`show of ${what} with ${added} unknown fields ${flags.join('')} notes their number on standard error`, async (t) => {
        const file = join(temporaryFolder(t), 'file.pb');
        writeFileSync(file, bytes);
        const { status, stdout, stderr } = await runCommand(t, ['show', ...flags, file]);
        t.deepEqual([status, stderr], [0, note]);
        t.notRegex(stdout, /left out/);
      });

test('show prints a config update', async (t) => {
  const at = makeFiles(t);
  const { status, stdout } = await runCommand(t, ['show', at('update.pb')]);
  t.is(status, 0);
  t.regex(
    stdout,
    /^config update of channel testchannel\nchanges\n {2}~ \/Channel\/Orderer\/BatchSize {2}changed, /,
  );
});

test('verify: the update is in the config, status 0', async (t) => {
  const at = makeFiles(t);
  t.deepEqual(await runCommand(t, ['verify', at('update.pb'), '--block', at('after.pb')]), {
    status: 0,
    stdout: `the update is in ${at('after.pb')}\n  /Channel/Orderer/BatchSize  present, version 5\n`,
    stderr: '',
  });
});

test('verify: the update is not in the config, status 3', async (t) => {
  const at = makeFiles(t);
  t.deepEqual(await runCommand(t, ['verify', at('update.pb'), '--block', at('before.pb')]), {
    status: 3,
    stdout: `the update is not in ${at('before.pb')}\n  /Channel/Orderer/BatchSize  is not there: version 4, the update sets 5\n`,
    stderr: '',
  });
});

const ERRORS: readonly (readonly [what: string, args: readonly string[], error: string])[] = [
  [
    'show without a file',
    ['show'],
    "required argument 'file' not provided, and no network in configtxlator.yaml, try --help",
  ],
  [
    'show of an empty file',
    ['show', 'DIR/empty.pb'],
    'DIR/empty.pb: this is an empty file; a config block or a config update is needed',
  ],
  [
    'show of a certificate',
    ['show', 'DIR/cert.pem'],
    'DIR/cert.pem: this is a PEM file (X); a config block or a config update is needed',
  ],
  [
    'show of other JSON',
    ['show', 'DIR/a.json'],
    'DIR/a.json: this is a JSON object of another kind; a config block or a config update is needed',
  ],
  [
    'verify without a block',
    ['verify', 'DIR/update.pb'],
    'required flag --block not provided, and no network in configtxlator.yaml, try --help',
  ],
  [
    'verify of a config',
    ['verify', 'DIR/before.pb', '--block', 'DIR/after.pb'],
    'DIR/before.pb: this is a config; a config update is needed',
  ],
  [
    'verify with an update as block',
    ['verify', 'DIR/update.pb', '--block', 'DIR/update.pb'],
    'DIR/update.pb: this is a config update; a config block is needed',
  ],
  [
    'verify with the block of another channel',
    ['verify', 'DIR/update.pb', '--block', 'DIR/block.pb'],
    'DIR/update.pb is for channel "testchannel", DIR/block.pb is of channel "mychannel"',
  ],
];

for (const [what, args, error] of ERRORS)
  test(`${what}: ${error}`, async (t) => {
    const at = makeFiles(t);
    const directory = `${at('')}/`;
    const replaced = args.map((arg) => arg.replace('DIR/', directory));
    const { status, stdout, stderr } = await runCommand(t, replaced);
    t.is(stderr.replaceAll(directory, 'DIR/'), `configtxlator: error: ${error}\n`);
    t.deepEqual([status, stdout], [1, '']);
  });
