// `org list`, `consenter list`, `policy list` and `acl list`; commands that take the network of the profile.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { BLOCKS } from '../../helpers/migration.js';
import { networkBlock } from '../../helpers/network-block.js';

for (const [name, expected] of [
  [
    'org list',
    `channel mychannel, block 0
  ORGANISATION         MSP         ANCHOR PEERS OR ENDPOINTS
`,
  ],
  [
    'acl list',
    `channel mychannel, block 0
  RESOURCE  POLICY
`,
  ],
  ['policy list', ''],
  ['consenter list', ''],
] as const)
  test(`${name} prints one part of a channel`, async (t) => {
    const directory = temporaryFolder(t);
    const block = join(directory, 'block.pb');
    writeFileSync(block, networkBlock());
    const { status, stdout, stderr } = await runCommand(t, [...name.split(' '), block]);
    t.deepEqual([status, stderr], [0, '']);
    t.is(stdout, expected);
    const json = await runCommand(t, [...name.split(' '), block, '--json']);
    t.true(Array.isArray(JSON.parse(json.stdout)));
  });

test('consenter list names the identities of a BFT channel', async (t) => {
  const directory = temporaryFolder(t);
  const block = join(directory, 'block.pb');
  writeFileSync(block, BLOCKS[5]!);
  t.is((await runCommand(t, ['consenter', 'list', block])).stdout, '');
});

for (const [command, argument] of [
  ['show', 'file'],
  ['check', 'block'],
  ['log', 'source'],
  ['fetch', 'source'],
  ['powers', 'source'],
  ['policy list', 'source'],
] as const)
  test(`${command} without an argument uses the network of the profile`, async (t) => {
    const directory = temporaryFolder(t, {
      'profile.yaml': 'network: grpc://127.0.0.1:1/mychannel\n',
      'empty.yaml': 'msp: x\n',
    });
    const run = async (profile: string): Promise<string> =>
      (await runCommand(t, [...command.split(' '), '--profile', join(directory, profile)])).stderr;
    t.is(
      await run('profile.yaml'),
      'configtxlator: error: orderers respond to members of the channel only: --msp DIR --mspid ID, try --help\n',
    );
    t.is(
      await run('empty.yaml'),
      `configtxlator: error: required argument '${argument}' not provided, and no network in ${directory}/empty.yaml, try --help\n`,
    );
  });
