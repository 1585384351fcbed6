// The command `expiry`.

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { ExpiryReport } from '../../../translator/expiry/index.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { makeCertificate, makeRevocationList } from '../../helpers/made-certificates.js';
import { bftBlock, networkBlock } from '../../helpers/network-block.js';
import { writeLedger } from '../../helpers/stored-ledger.js';

/** Before the certificates of the recorded network expire, at 10:02 of 2036-11-17. */
const NOW = '2036-11-01T10:02:00Z';

/** Writes files to a new folder, and runs the command there; paths in the output are relative. */
async function expiry(
  t: ExecutionContext,
  files: Readonly<Record<string, Uint8Array>>,
  ...args: readonly string[]
): Promise<CommandOutcome> {
  const folder = temporaryFolder(t);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const inFolder = args.map((each) => (each in files || each === 'node' ? join(folder, each) : each));
  const { status, stdout, stderr } = await runCommand(t, ['expiry', ...inFolder]);
  return {
    status,
    stdout: stdout.replaceAll(`${folder}/`, ''),
    stderr: stderr.replaceAll(`${folder}/`, ''),
  };
}

const BLOCK = { 'block.pb': networkBlock() };

test('expiry lists the certificates of a channel and how to renew them', async (t) => {
  const { status, stdout, stderr } = await expiry(t, BLOCK, 'block.pb', '--now', NOW, '--within', '15d');
  const setMsp = (org: string, group: string): string =>
    `    → configtxlator org set-msp block.pb ${org} --group ${group} --msp NEW_MSP_DIRECTORY -o update.pb\n`;
  const rows = (org: string, group: string, ca: string): string =>
    ['CA', 'TLS CA']
      .map(
        (use) =>
          `  2036-11-17  in 16 days  mychannel  ${org.padEnd(10)}  ${use.padEnd(45)}  CN=${use === 'CA' ? 'ca' : 'tlsca'}.${ca}\n${setMsp(org, group)}`,
      )
      .join('');
  t.deepEqual([status, stderr], [0, '']);
  t.is(
    stdout,
    `expires later
  2036-11-17  in 16 days  mychannel  OrdererOrg  TLS of the consenter orderer.example.com:7050  CN=ord0.river.example
    → configtxlator consenter rotate block.pb orderer.example.com:7050 --tls-cert NEW_TLS.pem -o update.pb
${rows('Org1MSP', 'application', 'mill.river.example')}${rows('Org2MSP', 'application', 'weir.river.example')}${rows('OrdererOrg', 'orderer', 'river.example')}`,
  );
});

for (const [title, now, within, status, heading] of [
  ['before the time of --within', NOW, '15d', 0, 'expires later'],
  ['exactly at the time of --within', NOW, '16d', 3, 'expires within 16 days'],
  ['within hours', '2036-11-17T00:00:00Z', '12h', 3, 'expires within 12 hours'],
  ['in the second of the end', '2036-11-17T10:02:00Z', '0d', 3, 'expires within 0 days'],
  ['a second after the end', '2036-11-17T10:02:01Z', '0d', 3, 'expired'],
] as const)
  test(`expiry ${title} has the exit status ${status}`, async (t) => {
    const result = await expiry(t, BLOCK, 'block.pb', '--now', now, '--within', within);
    t.is(result.status, status);
    t.is(result.stdout.split('\n')[0], heading);
  });

test('expiry prints urgent items first, and how to renew them', async (t) => {
  const { stdout } = await expiry(t, BLOCK, 'block.pb', '--now', '2036-11-20');
  t.deepEqual(stdout.split('\n').slice(0, 4), [
    'expired',
    '  2036-11-17  2 days ago  mychannel  OrdererOrg  TLS of the consenter orderer.example.com:7050  CN=ord0.river.example',
    '    → get a new TLS certificate, submit the update, and restart the orderer with the certificate before the next consenter is rotated',
    '    → configtxlator consenter rotate block.pb orderer.example.com:7050 --tls-cert NEW_TLS.pem -o update.pb',
  ]);
});

test('expiry of a certificate that cannot be read has the exit status 1 and shows the others', async (t) => {
  const { status, stdout } = await expiry(t, { 'bft.pb': bftBlock() }, 'bft.pb', '--now', NOW);
  t.is(status, 1);
  t.deepEqual(stdout.split('\n').slice(0, 3), [
    'cannot be read',
    '  mychannel  OrdererOrg  TLS of the consenter orderer1.example.com:7050       there is no certificate in PEM',
    '  mychannel  OrdererOrg  identity of the consenter orderer1.example.com:7050  there is no certificate in PEM',
  ]);
  t.true(stdout.includes('CN=ca.mill.river.example'));
});

const ca = makeCertificate({ commonName: 'ca.org1', validity: ['20260101000000Z', '20400101000000Z'] });
const made = (commonName: string, end: string): Buffer =>
  makeCertificate({ commonName, issuer: ca, validity: ['20260101000000Z', end] }).pem;

const NODE = {
  'node/msp/cacerts/ca.pem': ca.pem,
  'node/msp/signcerts/cert.pem': made('peer0', '20270301000000Z'),
  'node/msp/admincerts/admin.pem': made('admin', '20270401000000Z'),
  'node/msp/crls/list.pem': makeRevocationList(ca.name, [1n]),
  'node/msp/keystore/key.pem': Buffer.from('not read'),
  'node/tls/server.crt': made('tls', '20270201000000Z'),
  'node/tls/ca.crt': ca.pem,
  'node/config.yaml': Buffer.from('not read'),
};

test('expiry of the folder of a node finds the files of its MSP and TLS', async (t) => {
  const { status, stdout } = await expiry(t, NODE, 'node', '--now', '2027-01-10', '--json');
  t.is(status, 3);
  const { entries, unreadable } = JSON.parse(stdout) as ExpiryReport;
  t.deepEqual(unreadable, []);
  t.deepEqual(
    entries.map(({ source, use, subject, until, days, state }) => [
      source,
      use,
      subject ?? '-',
      until.slice(0, 10),
      days,
      state,
    ]),
    [
      ['node/msp/crls/list.pem', 'revocation-list', '-', '2026-01-01', -374, 'expired'],
      ['node/tls/server.crt', 'tls', 'CN=tls', '2027-02-01', 22, 'due'],
      ['node/msp/signcerts/cert.pem', 'identity', 'CN=peer0', '2027-03-01', 50, 'later'],
      ['node/msp/admincerts/admin.pem', 'admin', 'CN=admin', '2027-04-01', 81, 'later'],
      ['node/msp/cacerts/ca.pem', 'ca', 'CN=ca.org1', '2040-01-01', 4739, 'later'],
      ['node/tls/ca.crt', 'tls-ca', 'CN=ca.org1', '2040-01-01', 4739, 'later'],
    ],
  );
});

test('expiry of a directory names paths that cannot be opened, and shows the rest', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'ca.pem'), ca.pem);
  symlinkSync('loop.pem', join(folder, 'loop.pem'));
  const { status, stdout } = await runCommand(t, ['expiry', folder, '--now', NOW]);
  t.is(status, 1);
  const path = join(folder, 'loop.pem');
  t.true(
    stdout.startsWith(
      `cannot be read\n  ${path}      open ${path}: a loop of symbolic links\nexpires later\n`,
    ),
    stdout,
  );
});

test('expiry takes several sources, and a folder with the ledgers of channels', async (t) => {
  const ledger = writeLedger(t, { blocks: 3, configs: [1] });
  const { status, stdout } = await runCommand(t, [
    'expiry',
    ledger,
    join(ledger, '..'),
    '--now',
    NOW,
    '--json',
  ]);
  t.is(status, 3);
  const { entries } = JSON.parse(stdout) as ExpiryReport;
  t.deepEqual(
    entries.filter(({ use }) => use === 'consenter-tls').map(({ source, channel }) => [source, channel]),
    [
      [ledger, 'mychannel'],
      [ledger, 'mychannel'],
    ],
  );
});

for (const [title, content, error] of [
  [
    'a file of a key',
    Buffer.from('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'),
    'there is no certificate in it',
  ],
  [
    'a text',
    Buffer.from('hello'),
    'this is no block, envelope, config or config update; a config block is needed',
  ],
] as const)
  test(`expiry of ${title} is an error, and the other sources are shown`, async (t) => {
    const { status, stdout } = await expiry(t, { ...BLOCK, file: content }, 'file', 'block.pb', '--now', NOW);
    t.is(status, 1);
    t.deepEqual(stdout.split('\n').slice(0, 3), [
      'cannot be read',
      `  file      ${error}`,
      'expires within 30 days',
    ]);
  });

test('expiry --within refuses other times than days and hours', async (t) => {
  const { stderr } = await expiry(t, BLOCK, 'block.pb', '--within', '5m');
  t.is(
    stderr,
    `configtxlator: error: flag 'within' must be a time such as 30d or 12h, found "5m", try --help\n`,
  );
});

test('names from outside are one word of a recipe', async (t) => {
  const name = "it's; rm -rf x";
  const files = { [name]: networkBlock() };
  const { stdout: json } = await expiry(t, files, name, '--json', '--now', NOW);
  const [entry] = (JSON.parse(json) as ExpiryReport).entries;
  t.true(
    entry?.recipe.command?.startsWith(
      `configtxlator consenter rotate '${name.replace("'", String.raw`'\''`)}' orderer.`,
    ),
  );
});

/** The sources in the report on a folder. */
async function sourcesIn(
  t: ExecutionContext,
  folder: string,
): Promise<{
  readonly status: number;
  readonly sources: readonly string[];
  readonly errors: readonly string[];
}> {
  const { status, stdout } = await runCommand(t, ['expiry', folder, '--now', NOW, '--json']);
  const { entries, unreadable } = JSON.parse(stdout.replaceAll(`${folder}/`, '')) as ExpiryReport;
  return {
    status,
    sources: entries.map(({ source }) => source),
    errors: unreadable.map(({ source, error }) => `${source}: ${error}`),
  };
}

const CERTIFICATE = makeCertificate({
  commonName: 'ca',
  validity: ['20200101000000Z', '20490101000000Z'],
}).pem;

test('links that lead in a circle, and several names of a file or a directory, are followed once', async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ['a', 'b', 'c', 'd']) {
    mkdirSync(join(folder, name));
    for (const other of ['a', 'b', 'c', 'd', '.'])
      symlinkSync(`../${other}`, join(folder, name, `to-${other}`));
  }
  writeFileSync(join(folder, 'a/ca.pem'), CERTIFICATE);
  symlinkSync('ca.pem', join(folder, 'a/same.pem'));
  symlinkSync('../a/ca.pem', join(folder, 'b/again.pem'));
  t.deepEqual(await sourcesIn(t, folder), { status: 0, sources: ['a/ca.pem'], errors: [] });
});

test('directories in more than ten directories are named, because they are not searched', async (t) => {
  const folder = temporaryFolder(t);
  const path = (depth: number): string => Array.from({ length: depth }, (_, index) => index).join('/');
  mkdirSync(join(folder, path(12)), { recursive: true });
  writeFileSync(join(folder, path(10), 'ca.pem'), CERTIFICATE);
  writeFileSync(join(folder, path(11), 'ca.pem'), CERTIFICATE);
  t.deepEqual(await sourcesIn(t, folder), {
    status: 1,
    sources: [`${path(10)}/ca.pem`],
    errors: [`${path(11)}: it is in more than 10 directories and was not searched: name it`],
  });
});

test('a named pipe with the name of a certificate is named and not read', async (t) => {
  const folder = temporaryFolder(t);
  execFileSync('mkfifo', [join(folder, 'ca.pem')]);
  t.deepEqual(await sourcesIn(t, folder), {
    status: 1,
    sources: [],
    errors: ['ca.pem: read ca.pem: it is a named pipe, not a regular file'],
  });
});

test('a file larger than a message of an orderer is not read', async (t) => {
  const folder = temporaryFolder(t, { 'zeros.pem': '' });
  truncateSync(join(folder, 'zeros.pem'), 100 * 1024 * 1024 + 1);
  const { status, stdout } = await runCommand(t, ['expiry', join(folder, 'zeros.pem')]);
  t.is(status, 1);
  t.regex(stdout, /it is larger than 104857600 bytes/);
});
