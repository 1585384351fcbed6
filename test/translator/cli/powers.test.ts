// `powers` and `diff --powers`: who can do what on a channel.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';

const RAFT = 'test/vectors/powers/raft.block';
const BFT = 'test/vectors/powers/bft.block';
const cases = JSON.parse(readFileSync('test/vectors/powers/cases.json', 'utf8')) as {
  name: string;
  update: string;
}[];

const updateOf = (name: string): Buffer =>
  Buffer.from(cases.find((each) => each.name === name)!.update, 'base64');

test('powers shows who has each service, and those that an update changes before and after', async (t) => {
  const update = join(temporaryFolder(t), 'update.pb');
  writeFileSync(update, updateOf('readers of one organisation become its admins'));
  const { stdout } = await runCommand(t, ['powers', RAFT, update]);
  const lines = stdout.split('\n');
  t.is(lines[0], 'channel ch1, block 0');
  t.deepEqual(
    lines.filter((line) => / (?:read blocks|receive events) /.test(line)),
    [
      '  -  read blocks                                 peers of Org1MSP and Org2MSP; admins of Org1MSP, Org2MSP and OrdererOrg; orderers of OrdererOrg',
      '  +  read blocks                                 admins of Org1MSP, Org2MSP and OrdererOrg; peers of Org2MSP; orderers of OrdererOrg',
      '     read blocks in maintenance                  admins of OrdererOrg; orderers of OrdererOrg',
      '  -  receive events                              clients of Org1MSP and Org2MSP; admins of Org1MSP and Org2MSP',
      '  +  receive events                              admins of Org1MSP and Org2MSP; clients of Org2MSP',
    ],
  );
});

test('powers shows who can change what, and elements that others control after an update', async (t) => {
  const update = join(temporaryFolder(t), 'update.pb');
  writeFileSync(update, updateOf('an exact copy of Org1 as another group'));
  const { stdout } = await runCommand(t, ['powers', RAFT, update]);
  t.deepEqual(stdout.slice(stdout.indexOf('who can change')).split('\n'), [
    'who can change what, at once or in steps',
    '  -  Org1MSP and Org2MSP and OrdererMSP  /Channel',
    '  +  Org1MSP and OrdererMSP              /Channel',
    '  -  Org1MSP and Org2MSP                 /Channel/Application',
    '  +  Org1MSP                             /Channel/Application',
    '     Org1MSP                             /Channel/Application/Org1MSP',
    '  -  Org2MSP                             /Channel/Application/Org2MSP',
    '  +  Org1MSP, or Org2MSP                 /Channel/Application/Org2MSP',
    '     OrdererMSP                          /Channel/Orderer',
    '  +  Org1MSP                             /Channel/Application/Org1bis',
    '',
  ]);
});

test('powers --json has each service with its roles and organisations, and who controls what', async (t) => {
  const { stdout } = await runCommand(t, ['powers', BFT, '--json']);
  const { channel, block, services, control, unknown, after } = JSON.parse(stdout) as {
    channel: string;
    block: string;
    services: { service: string; resources: string[]; who: { role: string; organizations: string[] }[] }[];
    control: { sets: { count: number; of: string[] }[][]; elements: { path: string }[] }[];
    unknown: string[];
    after: null;
  };
  t.deepEqual(unknown, []);
  const all = (...msps: string[]): unknown => [msps.map((mspid) => ({ count: 1, of: [mspid] }))];
  t.deepEqual(
    control.map(({ sets, elements: [first] }) => [first!.path, sets]),
    [
      ['/Channel', all('Org1MSP', 'Org2MSP', 'OrdererMSP')],
      ['/Channel/Application', all('Org1MSP', 'Org2MSP')],
      ['/Channel/Application/Org1MSP', all('Org1MSP')],
      ['/Channel/Application/Org2MSP', all('Org2MSP')],
      ['/Channel/Orderer', all('OrdererMSP')],
    ],
  );
  t.deepEqual([channel, block, after], ['ch1', '0', null]);
  t.deepEqual(
    services.filter(({ service }) => ['make-blocks', 'propose'].includes(service)),
    [
      {
        service: 'propose',
        resources: ['peer/Propose'],
        who: [
          { role: 'client', organizations: ['Org1MSP', 'Org2MSP'] },
          { role: 'admin', organizations: ['Org1MSP', 'Org2MSP'] },
        ],
      },
      { service: 'make-blocks', resources: [], who: [{ role: 'orderer', organizations: ['OrdererOrg'] }] },
    ],
  );
});

test('powers refuses an update that does not fit the config', async (t) => {
  const update = join(temporaryFolder(t), 'update.pb');
  writeFileSync(update, updateOf('ids of two consenters exchanged'));
  const { status, stderr } = await runCommand(t, ['powers', RAFT, update]);
  t.is(status, 1);
  t.regex(stderr, /the update does not fit: /);
});

test('diff --powers finds no difference between equal channels', async (t) => {
  const { stdout } = await runCommand(t, ['diff', '--powers', BFT, BFT]);
  t.is(stdout, 'the same actors can do the same\n');
});

test('diff --powers has services of BFT channels', async (t) => {
  const { stdout } = await runCommand(t, ['diff', '--powers', RAFT, BFT]);
  t.is(stdout, '+  agree on blocks (BFT)  orderers of OrdererOrg\n');
});
