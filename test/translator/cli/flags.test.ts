// Each flag of each command is run: a new flag, also of the catalogue of edits, fails here until a case names it.

import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readConfigFile, writeConfig } from '../../../translator/channel/index.js';
import { COMMANDS } from '../../../translator/cli/commands/index.js';
import { decode, encode } from '../../../translator/index.js';
import { parseBlock } from '../../../translator/ledger/stored-block.js';
import { makeBlock } from '../../helpers/made-block.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { PEM, writeMsp } from '../../helpers/edits.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { BLOCKS, IDENTITIES as CONSENTERS } from '../../helpers/migration.js';
import { recordedRequest } from '../../helpers/network-block.js';
import { startProgram, TRANSLATOR } from '../../helpers/program.js';
import { writeStoredBlocks } from '../../helpers/stored-ledger.js';

const LONG = ['20260101000000Z', '20360101000000Z'] as const;

/** A block in which the organisation of the peers has another CA. */
function withCa(block: Uint8Array, pem: Buffer): Buffer {
  const document = decode('common.Block', block);
  const [, ca = ''] = /"Org1MSP": \{.*?"root_certs": \[\s*"([^"]+)"/s.exec(document) ?? [];
  return makeBlock(document.replaceAll(ca, pem.toString('base64')));
}

/** Makes the files of the cases. In a case `@name` is the path of one of them. */
async function makeFiles(t: ExecutionContext): Promise<(name: string) => string> {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  const put = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  const ca = makeCertificate({ commonName: 'ca', validity: LONG });
  const admin = makeCertificate({ commonName: 'admin', unit: 'admin', validity: LONG, issuer: ca });
  const key = admin.key.export({ type: 'pkcs8', format: 'pem' });
  const [raft, bft] = [0, 5].map((number) => withCa(BLOCKS[number]!, ca.pem)) as [Buffer, Buffer];
  const config = writeConfig(readConfigFile(raft).config);
  put('block.pb', raft);
  put('bft.pb', bft);
  put('config.pb', config);
  put('modified.json', decode('common.Config', config).replace('"500ms"', '"3s"'));
  put('modified.pb', encode('common.Config', readFileSync(at('modified.json'))));
  put('tls.pem', PEM);
  put('org.json', recordedRequest('encode.printorg.as-group'));
  put('own-msp/cacerts/ca.pem', ca.pem);
  put(
    'own-msp/config.yaml',
    'NodeOUs: { Enable: true, AdminOUIdentifier: { OrganizationalUnitIdentifier: admin } }\n',
  );
  const group = /** of the config */ JSON.parse(decode('common.Config', config)) as {
    channel_group: { groups: { Application: { groups: { Org1MSP: unknown } } } };
  };
  put(
    'own-org.json',
    JSON.stringify(group.channel_group.groups.Application.groups.Org1MSP).replace(
      '"admin"',
      '"administrator"',
    ),
  );
  put('profile.yaml', 'msp: signer\nmspid: Org1MSP\n');
  put('signer/signcerts/cert.pem', admin.pem);
  put('signer/keystore/key', key);
  put('client.key', key);
  put('hsm', `#!/bin/sh\nexec openssl pkeyutl -sign -inkey ${at('client.key')}\n`);
  chmodSync(at('hsm'), 0o755);
  put('ca.key', ca.key.export({ type: 'pkcs8', format: 'pem' }));
  put('client.pem', admin.pem);
  for (const [index, { certificate }] of CONSENTERS.entries()) put(`consenter${index}.pem`, certificate);
  symlinkSync(writeMsp(t, 'units'), at('msp'));
  mkdirSync(at('ledger'));
  writeStoredBlocks(at('ledger'), BLOCKS.map(parseBlock));
  for (const [name, edit] of [
    ['update', 'edit @block.pb --set batchTimeout=1s'],
    ['bft-update', 'edit @bft.pb --set batchTimeout=1s'],
    ['with-org', 'org add @block.pb --json @org.json --name New'],
    ['with-anchor', 'anchor-peers add @block.pb Org1MSP a:1'],
    ['with-acl', 'acl set @block.pb peer/Propose Writers'],
  ] as const)
    t.is((await run(t, `${edit} -o @${name}.pb`, at)).status, 0, name);
  return at;
}

const argsOf = (line: string, at: (name: string) => string): string[] =>
  line.split(' ').map((word) => word.replace(/@([\w.-]+)/, (_, name: string) => at(name)));

const run = (t: ExecutionContext, line: string, at: (name: string) => string): Promise<CommandOutcome> =>
  runCommand(t, argsOf(line, at));

const CALL =
  '--sign-with @hsm --tls-ca @tls.pem --tls-server-name o --client-cert @client.pem --client-key @client.key --trust @block.pb --timeout 5s --password-file @tls.pem --profile @profile.yaml';
const NETWORK = `--msp @signer --mspid Org1MSP ${CALL}`;
const DANGERS = [
  'policy-weakened',
  'signer-cut-off',
  'orderer-addresses-replaced',
  'service-lost',
  'msp-node-ou-changed',
  'consenter-unreachable',
];
const SAVE = `--channel_id ch1 --sign ${DANGERS.map((id) => `--allow ${id}`).join(' ')} --output @out`;
const EDIT = `--onto @update.pb ${SAVE} ${NETWORK}`;
const BFT_EDIT = `--onto @bft-update.pb ${SAVE} ${NETWORK}`;
const CERTIFICATES = '--tls-cert @tls.pem --server-tls-cert @tls.pem --identity @consenter1.pem';
const ALL_CONSENTERS = [27070, 27073, 27076, 27079]
  .map((port, index) => `--identity 127.0.0.1:${port}=@consenter${index}.pem`)
  .join(' ');
const JUDGED = '--allow policy-weakened --now 2026-11-25 --json';

/** The exit status when the signature of the administrator of Org1MSP does not count: only orderers decide about the change. */
const NOT_COUNTED = 3;

/** Runs of the commands, with the exit status. */
const CASES: readonly (readonly [line: string, status: number])[] = [
  ['proto_encode --type common.Config --input @modified.json --output @out', 0],
  ['proto_decode --type common.Block --input @block.pb --output @out', 0],
  ['compute_update --original @config.pb --updated @modified.pb --channel_id ch1 --output @out', 0],
  [`fetch @ledger --number newest --output @out ${NETWORK}`, 0],
  [`edit @block.pb --set batchSize.maxMessageCount=7 ${EDIT}`, 0],
  ['edit @block.pb --with @modified.json -o @out', 0],
  [
    `org add @block.pb --json @org.json --name New --group Orderer --endpoint a:1 --onto @update.pb ${SAVE} ${CALL}`,
    0,
  ],
  ['org add @block.pb --msp @msp --mspid NewMSP --name New -o @out', 0],
  [`org remove @block.pb Org1MSP --group Application --onto @with-org.pb ${SAVE} ${NETWORK}`, 0],
  [
    `org set-msp @block.pb Org1MSP --json @own-org.json --group Application --onto @update.pb ${SAVE} ${CALL} --mspid Org1MSP`,
    0,
  ],
  [`org set-msp @block.pb Org1MSP --msp @own-msp -o @out`, 0],
  [`anchor-peers set @block.pb Org1MSP a:1 ${EDIT}`, 0],
  [`anchor-peers add @block.pb Org1MSP a:1 ${EDIT}`, 0],
  [`anchor-peers remove @block.pb Org1MSP a:1 --onto @with-anchor.pb ${SAVE} ${NETWORK}`, 0],
  [`endpoints set @block.pb OrdererOrg a:1 ${EDIT}`, 0],
  [`consenter add @bft.pb p:1 ${CERTIFICATES} --org OrdererOrg --endpoint p:2 --id 7 ${BFT_EDIT}`, 0],
  [`consenter remove @block.pb 127.0.0.1:27070 --endpoint 127.0.0.1:27070 ${EDIT}`, 0],
  [`consenter rotate @bft.pb 127.0.0.1:27070 ${CERTIFICATES} ${BFT_EDIT}`, 0],
  [`capabilities set @block.pb Application V2_0 ${EDIT}`, 0],
  [`acl set @block.pb peer/Propose Writers ${EDIT}`, 0],
  [`acl remove @block.pb peer/Propose --onto @with-acl.pb ${SAVE} ${NETWORK}`, 0],
  [`policy set @block.pb Application/Admins OR('Org1MSP.admin') ${EDIT}`, 0],
  [`policy remove @block.pb Application/Endorsement ${EDIT}`, 0],
  [`mod-policy set @block.pb Orderer/BatchSize /Channel/Admins ${EDIT}`, 0],
  [`show @update.pb --json ${NETWORK}`, 0],
  ...['org', 'consenter', 'policy', 'acl'].map(
    (name) => [`${name} list @block.pb --json ${NETWORK}`, 0] as const,
  ),
  [`org revoke @block.pb Org1MSP @client.pem --ca-key @ca.key ${EDIT}`, 4],
  // 1: the list is not a list.
  ['org revoke @block.pb Org1MSP @client.pem --crl @tls.pem -o @out', 1],
  [`check @block.pb --fabric 3.1.5 ${JUDGED} ${NETWORK}`, 0],
  [`expiry @block.pb --within 30d --now 2026-11-25 --json ${NETWORK}`, 0],
  [`diff @block.pb @block.pb --powers --json ${NETWORK}`, 0],
  [`powers @block.pb @update.pb --fabric 3.1 --json ${NETWORK}`, 0],
  [`log @ledger --number 5 --since 2020-01-01 --json ${NETWORK}`, 0],
  ['log @ledger --block 1', 0],
  // 3: a signature is missing.
  [
    `review @update.pb --block @block.pb --active 127.0.0.1:27070 --fabric 3.1 --submitter @client.pem --format markdown ${JUDGED} ${NETWORK}`,
    3,
  ],
  ['explain batch-timeout --json', 0],
  // 1: the directory has no program orderer.
  [
    `rehearse @update.pb --block @block.pb --programs @msp --fabric 3.1.5 --down 127.0.0.1:27070 --keep @out --json ${NETWORK}`,
    1,
  ],
  // 3: the update is not in the block.
  [`verify @update.pb --block @block.pb ${NETWORK}`, 3],
  [`identity @client.pem --block @block.pb --as Org1MSP --fabric 3.1 --now 2026-11-25 --json ${NETWORK}`, 0],
  [
    `rebase @update.pb --block @bft.pb --base @block.pb --output @out ${NETWORK.replace('@block.pb', '@bft.pb')}`,
    0,
  ],
  [`sign @update.pb --block @block.pb --quiet --output @out ${NETWORK}`, NOT_COUNTED],
  [`sign @with-acl.pb --block @block.pb --quiet --output @out ${NETWORK}`, 0],
  ['sign @update.pb --unreviewed --msp @signer --mspid Org1MSP --output @out', 0],
  [
    'sign @update.pb --unreviewed --digest --bytes --certificate @client.pem --output @out --msp @signer --mspid Org1MSP',
    0,
  ],
  // 1: the command and the text make no signature.
  ['sign @update.pb --unreviewed --certificate @client.pem --mspid Org1MSP --sign-with true', 1],
  ['sign @update.pb --unreviewed --certificate @client.pem --mspid Org1MSP --signature @tls.pem', 1],
  // 1: the fingerprint is another one.
  ['sign @update.pb --block @block.pb --msp @signer --mspid Org1MSP --allow policy-weakened --expect abc', 1],
  [`merge @update.pb --block @block.pb --output @out ${NETWORK}`, 0],
  // 1: nothing listens there.
  [
    `submit @update.pb --to grpcs://127.0.0.1:1/ch1 --allow policy-weakened --fabric 3.1 --wait 1s --quiet ${NETWORK}`,
    1,
  ],
  // 2: in maintenance only members of the orderer organisations may submit.
  [`migrate bft @block.pb ${ALL_CONSENTERS} --sign --allow policy-weakened --output @plan ${NETWORK}`, 2],
  [`migrate status @block.pb --json ${NETWORK}`, 0],
  ['page --output @out', 0],
];
for (const [line, status] of CASES)
  test(`each flag is run: ${line} ends with ${status}`, async (t) => {
    const at = await makeFiles(t);
    const outcome = await run(t, line, at);
    t.is(outcome.status, status, outcome.stdout.slice(0, 2000) + outcome.stderr);
  });

const START =
  'start --hostname 127.0.0.1 --port 0 --CORS * --hosts agent.example.com --workers 1 --no-page --max-body 10MB --max-output 10MB --tls-cert @client.pem --tls-key @client.key --tls-client-ca @tls.pem';

test(`each flag is run: ${START} serves until it is stopped`, async (t) => {
  const at = await makeFiles(t);
  const service = startProgram(t, argsOf(START, at), { program: TRANSLATOR });
  await service.line(/Serving HTTPS requests on 127\.0\.0\.1:\d+/);
  service.child.kill('SIGINT');
  t.is((await service.ended).status, 0);
});

for (const { name, flags } of COMMANDS)
  for (const flag of flags.filter(({ kind, isRepeatable }) => kind !== undefined && isRepeatable !== true))
    test(`${name} refuses a repeated --${flag.name}`, async (t) => {
      const args = [...name.split(' '), `--${flag.name}=a`, `--${flag.name}`, 'b'];
      const { status, stderr } = await runCommand(t, args);
      t.is(stderr, `configtxlator: error: flag '${flag.name}' cannot be repeated, try --help\n`);
      t.is(status, 1);
    });

test('each flag of each command of configtxlator is in a case', (t) => {
  for (const { name, flags } of COMMANDS) {
    const used = new Set(
      [START, ...CASES.map(([line]) => line)]
        .filter((line) => line.startsWith(`${name} `))
        .flatMap((line) => line.split(' ')),
    );
    t.deepEqual(
      flags.map((flag) => `--${flag.name}`).filter((flag) => !used.has(flag)),
      [],
      name,
    );
  }
});
