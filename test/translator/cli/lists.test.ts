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
    /^channel mychannel, block 0\n {2}ORGANISATION {9}MSP {9}ANCHOR PEERS OR ENDPOINTS\n {2}Orderer\/OrdererOrg {3}OrdererMSP {2}orderer\.example\.com:7050\n {2}Application\/Org1MSP {2}Org1MSP {5}-\n/,
  ],
  ['acl list', /^ {2}event\/Block +\/Channel\/Application\/Readers {2}default$/m],
  ['policy list', /^ {2}\/Channel\/Application\/Org1MSP\/Admins +OR\('Org1MSP\.admin'\)$/m],
  [
    'consenter list',
    /^ {2}CONSENTER +MSP {2}TLS UNTIL {3}IDENTITY\n {2}orderer\.example\.com:7050 {2}- {4}\d{4}-\d\d-\d\d {2}-$/m,
  ],
] as const)
  test(`${name} prints one part of a channel`, async (t) => {
    const directory = temporaryFolder(t);
    const block = join(directory, 'block.pb');
    writeFileSync(block, networkBlock());
    const { status, stdout, stderr } = await runCommand(t, [...name.split(' '), block]);
    t.deepEqual([status, stderr], [0, '']);
    t.regex(stdout, expected);
    const json = await runCommand(t, [...name.split(' '), block, '--json']);
    t.true(Array.isArray(JSON.parse(json.stdout)));
  });

test('consenter list names the identities of a BFT channel', async (t) => {
  const directory = temporaryFolder(t);
  const block = join(directory, 'block.pb');
  writeFileSync(block, BLOCKS[5]!);
  const { stdout } = await runCommand(t, ['consenter', 'list', block]);
  t.regex(stdout, /^ {2}127\.0\.0\.1:27070 {2}OrdererMSP {2}2036-11-20 {2}CN=orderer1\.example\.com$/m);
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
