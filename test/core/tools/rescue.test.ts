// The command `rescue`. test/e2e/rescue.test.ts follows its plans in real networks.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Plan, Step } from '../../../core/tools/rescue/planning.js';
import { decode, encode } from '../../../translator/index.js';
import { parseBlock } from '../../../translator/ledger/stored-block.js';
import { runAgentCommand, type CommandOutcome } from '../../helpers/agent-command.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { makeCertificate, type Made } from '../../helpers/made-certificates.js';
import { bftBlock, networkBlock } from '../../helpers/network-block.js';
import { writeStoredBlocks } from '../../helpers/stored-ledger.js';

type Validity = readonly [from: string, until: string];

const VALID: Validity = ['20260101000000Z', '20360101000000Z'];
const ENDED: Validity = ['20260101000000Z', '20260601000000Z'];
const NOW = '2026-06-11T00:00:00Z';

/** A network. The certificates of the orderers and the peer have expired unless they are given. */
interface NetworkOptions {
  readonly tls?: Validity;
  readonly identity?: Validity;
  /** Of the CAs of TLS certificates. */
  readonly tlsCa?: Validity;
  /** Of the root CA that issued it, which is not given to the nodes; undefined: it is a root CA. */
  readonly tlsRoot?: Validity;
  /** Of the CA of the signing certificates. */
  readonly ca?: Validity;
  readonly isBft?: boolean;
  /** Lines of the sections General and General.TLS of orderer.yaml. */
  readonly general?: string;
  readonly tlsLines?: string;
}

interface Network {
  readonly directory: string;
  readonly run: (...args: readonly string[]) => Promise<CommandOutcome>;
  readonly plan: (...args: readonly string[]) => Promise<Plan>;
}

const ORDERERS = [1, 2, 3, 4].map((number) => `orderer${number}.example.com`);

/** Three orderers of Raft or four of BFT, and a peer, with the channel in the ledgers. */
function makeNetwork(
  t: ExecutionContext,
  {
    tls = ENDED,
    identity = ENDED,
    tlsCa = VALID,
    tlsRoot,
    ca = VALID,
    isBft = false,
    general = '',
    tlsLines = '',
  }: NetworkOptions = {},
): Network {
  const directory = temporaryFolder(t);
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  };
  const makeCa = (commonName: string, validity: Validity, by?: Made): Made =>
    makeCertificate({ commonName, validity, isCa: true, ...(by !== undefined && { issuer: by }) });
  const root = tlsRoot === undefined ? undefined : makeCa('tlsroot', tlsRoot);
  const [tlsIssuer, issuer] = [makeCa('tlsca', tlsCa, root), makeCa('ca', ca)];
  const consenters: Consenter[] = [];
  for (const name of [...ORDERERS.slice(0, isBft ? 4 : 3), 'peer0.org1.example.com']) {
    const own = makeCertificate({ commonName: name, issuer: tlsIssuer, validity: tls });
    const signing = makeCertificate({ commonName: name, issuer, validity: identity });
    write(`${name}/tls/server.crt`, own.pem);
    write(`${name}/tls/server.key`, 'not read');
    write(`${name}/tls/ca.crt`, tlsIssuer.pem);
    write(`${name}/msp/signcerts/cert.pem`, signing.pem);
    write(`${name}/msp/cacerts/ca.pem`, issuer.pem);
    write(`${name}/msp/keystore/priv_sk`, 'not read');
    consenters.push({ host: name, tls: own.pem, identity: signing.pem });
    if (name.startsWith('peer')) write(`${name}/core.yaml`, CORE);
    else write(`${name}/orderer.yaml`, ordererYaml(general, tlsLines));
  }
  const parsed = parseBlock(blockWith(consenters.slice(0, -1), isBft));
  const block = { ...parsed, dataHash: createHash('sha256').update(parsed.data[0]!).digest() };
  for (const { host } of consenters)
    writeStoredBlocks(
      join(
        directory,
        host,
        host.startsWith('peer') ? 'data/ledgersData/chains/chains' : 'data/chains',
        'ch1',
      ),
      [block],
    );
  const files = consenters.flatMap(({ host }) => ['--beside', host]);
  const run: Network['run'] = async (...args) => {
    const outcome = await runAgentCommand(['rescue', ...files, '--now', NOW, ...args], { cwd: directory });
    return { ...outcome, stdout: outcome.stdout.replaceAll(`${directory}/`, '') };
  };
  return {
    directory,
    run,
    async plan(...args) {
      const { status, stdout, stderr } = await run(...args, '--json');
      t.is(stderr, '');
      t.is(status, 3);
      return JSON.parse(stdout) as Plan;
    },
  };
}

interface Consenter {
  readonly host: string;
  readonly tls: Buffer;
  readonly identity: Buffer;
}

const ordererYaml = (general: string, tlsLines: string): string => `General:
  ListenPort: 7050
  LocalMSPID: OrdererMSP
  LocalMSPDir: msp
  TLS:
    Enabled: true
    Certificate: tls/server.crt
    PrivateKey: tls/server.key
    RootCAs: [tls/ca.crt]
${tlsLines}
${general}
FileLedger:
  Location: data
`;

const CORE = `peer:
  localMspId: Org1MSP
  mspConfigPath: msp
  fileSystemPath: data
  tls:
    enabled: true
    cert: { file: tls/server.crt }
    key: { file: tls/server.key }
    rootcert: { file: tls/ca.crt }
`;

/** The config block of a channel with these consenters. */
function blockWith(consenters: readonly Consenter[], isBft: boolean): Uint8Array {
  interface Orderer {
    readonly values: Record<string, { value: Record<string, unknown> }>;
  }
  const block = JSON.parse(decode('common.Block', Buffer.from(isBft ? bftBlock() : networkBlock()))) as {
    data: { data: { payload: { data: { config: { channel_group: { groups: { Orderer: Orderer } } } } } }[] };
  };
  const { values } = block.data.data[0]!.payload.data.config.channel_group.groups.Orderer;
  const entries = consenters.map(({ host, tls, identity }, index) => ({
    host,
    port: 7050,
    client_tls_cert: tls.toString('base64'),
    server_tls_cert: tls.toString('base64'),
    ...(isBft && { id: index + 1, msp_id: 'OrdererMSP', identity: identity.toString('base64') }),
  }));
  if (isBft) values['Orderers']!.value['consenter_mapping'] = entries;
  else (values['ConsensusType']!.value['metadata'] as Record<string, unknown>)['consenters'] = entries;
  return encode('common.Block', Buffer.from(JSON.stringify(block)));
}

const titles = ({ steps }: Plan): readonly string[] => steps.map(({ title }) => title);

const commandsOf = ({ actions, see }: Step): readonly string[] => [
  ...actions.flatMap((action) => (action.kind === 'command' ? [action.command] : [])),
  ...see.commands,
];

const stepOf = ({ steps }: Plan, title: RegExp): Step => steps.find((each) => title.test(each.title))!;

test('nothing has expired: exit status 0', async (t) => {
  const network = makeNetwork(t, { tls: VALID, identity: VALID });
  t.deepEqual(await network.run(), { status: 0, stdout: 'nothing has expired\n', stderr: '' });
  const { status, stdout } = await network.run('--json');
  t.is(status, 0);
  t.deepEqual(JSON.parse(stdout), {
    now: '2026-06-11T00:00:00.000Z',
    keys: 'same',
    expired: [],
    inputs: [],
    steps: [],
    notes: [],
  });
});

test('same keys: all files of the orderers are replaced at once, then the files of the peer; nothing is submitted', async (t) => {
  const plan = await makeNetwork(t).plan();
  const [one, two, three] = ORDERERS;
  t.deepEqual(titles(plan), [
    'make the folder rescue',
    `make new certificates for ${one}`,
    `make new certificates for ${two}`,
    `make new certificates for ${three}`,
    'make new certificates for peer0.org1.example.com',
    `put the new files in place on ${one}`,
    `put the new files in place on ${two}`,
    `put the new files in place on ${three}`,
    `start ${one}, ${two}, ${three}`,
    'put the new files in place on peer0.org1.example.com, and start it again',
  ]);
  t.deepEqual(
    plan.steps.map(({ number }) => number),
    plan.steps.map((_, index) => index + 1),
  );
  t.false(plan.steps.flatMap(commandsOf).some((command) => command.includes('channel update')));
  t.is(plan.expired.length, 8);
});

test('a step as text: the actions, and the expected result', async (t) => {
  const { status, stdout } = await makeNetwork(t, { identity: VALID }).run();
  t.is(status, 3);
  t.true(
    stdout.startsWith(
      'expired\n  2026-06-01  orderer1.example.com    TLS  CN=orderer1.example.com    orderer1.example.com/tls/server.crt\n',
    ),
    stdout,
  );
  t.true(
    stdout.includes(`
6. put the new files in place on orderer1.example.com
   orderers do not start, or do not trust each other, with certificates that have expired
   - stop orderer1.example.com
   - on orderer1.example.com: copy rescue/orderer1.example.com-tls.crt over orderer1.example.com/tls/server.crt
   see: the files are replaced
`),
    stdout,
  );
});

test('a certificate is made with the key of the node, and the key of the CA that a variable names', async (t) => {
  const { plan, directory } = makeNetwork(t, { identity: VALID });
  const made = await plan();
  const file = 'orderer1.example.com/tls/server';
  t.deepEqual(commandsOf(stepOf(made, /for orderer1/)), [
    `openssl x509 -x509toreq -in ${file}.crt -signkey ${file}.key -copy_extensions copyall -out rescue/orderer1.example.com-tls.csr`,
    'openssl x509 -req -in rescue/orderer1.example.com-tls.csr -CA "$ORDERERMSP_TLS_CA" -CAkey "$ORDERERMSP_TLS_CA_KEY" -set_serial 0x$(openssl rand -hex 16) -days 365 -copy_extensions copyall -out rescue/orderer1.example.com-tls.crt',
    'openssl x509 -in rescue/orderer1.example.com-tls.crt -noout -checkend 0',
  ]);
  t.false(JSON.stringify(made).includes(directory));
  t.true(made.inputs.some(({ variable }) => variable === 'ORDERERMSP_TLS_CA_KEY'));
});

test('new keys: handshakes are set back to when the old certificates were valid, and each consenter is rotated', async (t) => {
  const plan = await makeNetwork(t).plan('--keys', 'new');
  const [one, two, three] = ORDERERS;
  t.deepEqual(titles(plan).slice(5, -1), [
    `set the TLS handshakes of ${one} back`,
    `set the TLS handshakes of ${two} back`,
    `set the TLS handshakes of ${three} back`,
    `start ${one}, ${two}, ${three}`,
    `rotate the certificate of ${one}:7050 in the channel ch1`,
    `put the new TLS certificate in place on ${one}`,
    `rotate the certificate of ${two}:7050 in the channel ch1`,
    `put the new TLS certificate in place on ${two}`,
    `rotate the certificate of ${three}:7050 in the channel ch1`,
    `put the new TLS certificate in place on ${three}`,
    `let ${one} use the time of its clock again`,
    `let ${two} use the time of its clock again`,
    `let ${three} use the time of its clock again`,
  ]);
  // A day before the end, which was ten days ago.
  const setting = { kind: 'set', node: one, file: `${one}/orderer.yaml` };
  const key = 'General.TLS.TLSHandshakeTimeShift';
  const variable = 'ORDERER_GENERAL_TLS_TLSHANDSHAKETIMESHIFT';
  t.deepEqual(stepOf(plan, /^set .*orderer1/).actions.slice(0, 2), [
    { kind: 'stop', node: one },
    { ...setting, key, value: `${11 * 86_400}s`, variable },
  ] as never);
  t.deepEqual(stepOf(plan, /^let orderer1/).actions[1], { ...setting, key, value: '0s', variable } as never);
  // The new certificates are valid at that time, too.
  t.true(
    commandsOf(stepOf(plan, /^make new certificates for orderer1/)).some((command) =>
      command.includes('-startdate 20260101000000Z'),
    ),
  );
  const [edit, sign, send] = commandsOf(stepOf(plan, /^rotate .*orderer1/));
  t.is(
    edit,
    `configtxlator consenter rotate ${two}/data/chains/ch1 ${one}:7050 --tls-cert rescue/${one}-tls.crt --server-tls-cert rescue/${one}-tls.crt -o rescue/ch1-${one}.pb`,
  );
  t.is(
    sign,
    `configtxlator sign rescue/ch1-${one}.pb --block ${two}/data/chains/ch1 --msp "$ORDERERMSP_ADMIN" --mspid OrdererMSP -o rescue/ch1-${one}.pb`,
  );
  t.is(
    send,
    `until configtxlator verify rescue/ch1-${one}.pb --block ${two}/data/chains/ch1; do CORE_PEER_LOCALMSPID=OrdererMSP CORE_PEER_MSPCONFIGPATH="$ORDERERMSP_ADMIN" peer channel update -f rescue/ch1-${one}.pb -o ${two}:7050 -c ch1 --tls --cafile ${two}/tls/ca.crt --tlsHandshakeTimeShift ${11 * 86_400}s || true; sleep 3; done`,
  );
});

test('new keys of orderers with a separate port for the cluster: the setting of the cluster is used', async (t) => {
  const general = '  Cluster:\n    ListenPort: 7051';
  const plan = await makeNetwork(t, { general }).plan('--keys', 'new');
  const [, action] = stepOf(plan, /^set .*orderer1/).actions;
  t.is(action?.kind === 'set' && action.key, 'General.Cluster.TLSHandshakeTimeShift');
});

test('for orderers that require client certificates, the commands use their own certificates, which are valid when the others are', async (t) => {
  const network = makeNetwork(t, { tlsLines: '    ClientAuthRequired: true' });
  const [one] = ORDERERS;
  t.true(
    commandsOf(stepOf(await network.plan(), /^start/))[0]!.endsWith(
      `-o ${one}:7050 -c ch1 --tls --cafile ${one}/tls/ca.crt --clientauth --certfile ${one}/tls/server.crt --keyfile ${one}/tls/server.key`,
    ),
  );
});

test('an intermediate CA of the TLS certificates that has expired is renewed by its root CA, so the plan asks for the new certificate', async (t) => {
  const options = { tls: VALID, identity: VALID, tlsCa: ENDED, tlsRoot: VALID };
  const plan = await makeNetwork(t, options).plan();
  t.deepEqual(commandsOf(stepOf(plan, /^renew the TLS CA of OrdererMSP/)), [
    'cp "$ORDERERMSP_NEW_TLS_CA" rescue/OrdererMSP-tls-ca.pem',
    'openssl x509 -in rescue/OrdererMSP-tls-ca.pem -noout -checkend 0',
  ]);
});

test('the CA of the TLS certificates has expired as well: a renewed one gets into files, channels and peers', async (t) => {
  const network = makeNetwork(t, { tls: VALID, identity: VALID, tlsCa: ENDED });
  const plan = await network.plan();
  t.is(plan.expired[0]!.caUntil, '2026-06-01T00:00:00.000Z');
  const [one] = ORDERERS;
  t.deepEqual(commandsOf(stepOf(plan, /^renew the TLS CA of OrdererMSP/)), [
    'openssl x509 -in "$ORDERERMSP_TLS_CA" -signkey "$ORDERERMSP_TLS_CA_KEY" -days 3650 -out rescue/OrdererMSP-tls-ca.pem',
    'openssl x509 -in rescue/OrdererMSP-tls-ca.pem -noout -checkend 0',
  ]);
  t.deepEqual(stepOf(plan, /in place on orderer1/).actions, [
    { kind: 'stop', node: one },
    { kind: 'append', node: one, file: `${one}/tls/ca.crt`, with: 'rescue/OrdererMSP-tls-ca.pem' },
  ] as never);
  t.true(titles(plan).includes('add the renewed TLS CA of OrdererMSP to the channel ch1'));
  t.true(titles(plan).includes('add the renewed TLS CA of Org1MSP to the channel ch1'));
  const overrides = plan.steps.flatMap(({ actions }) =>
    actions.flatMap((action) => (action.kind === 'set' ? [action.value] : [])),
  );
  t.deepEqual(overrides, [
    [
      {
        from: 'orderer.example.com:7050',
        to: 'orderer.example.com:7050',
        caCertsFile: 'peer0.org1.example.com/core.yaml.OrdererMSP-tls-ca.pem',
      },
    ],
    [],
  ]);
});

const indexOf = (plan: Plan, title: RegExp): number => plan.steps.findIndex((each) => title.test(each.title));

test('new keys when the CA of the TLS certificates has expired as well: the channel has the renewed one before a consenter is rotated', async (t) => {
  const plan = await makeNetwork(t, { identity: VALID, tlsCa: ENDED }).plan('--keys', 'new');
  const [one, two] = ORDERERS;
  const order = [
    /^set the TLS handshakes of orderer1/,
    /^start /,
    /^add the renewed TLS CA of OrdererMSP/,
    /^rotate .*orderer1/,
    /^let orderer1/,
  ].map((title) => indexOf(plan, title));
  t.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  t.deepEqual(stepOf(plan, /^set .*orderer1/).actions.slice(2), [
    { kind: 'append', node: one, file: `${one}/tls/ca.crt`, with: 'rescue/OrdererMSP-tls-ca.pem' },
  ] as never);
  t.false(stepOf(plan, /in place on orderer1/).actions.some(({ kind }) => kind === 'append'));
  // At the time of the handshakes only the old CA was valid.
  t.true(
    commandsOf(stepOf(plan, /^rotate .*orderer1/)).some((command) =>
      command.includes(`--cafile ${two}/tls/ca.crt`),
    ),
  );
  t.true(
    commandsOf(stepOf(plan, /^let orderer1/))[0]!.endsWith('--cafile "$PWD"/rescue/OrdererMSP-tls-ca.pem'),
  );
});

test('BFT whose TLS CA has expired: handshakes are set back until the channel has the renewed one', async (t) => {
  const plan = await makeNetwork(t, { isBft: true, identity: VALID, tlsCa: ENDED }).plan();
  const [one] = ORDERERS;
  t.deepEqual(
    stepOf(plan, /^set .*orderer1/).actions.map((action) =>
      action.kind === 'set' ? action.key : 'file' in action ? `${action.kind} ${action.file}` : action.kind,
    ),
    [
      'stop',
      'General.TLS.TLSHandshakeTimeShift',
      `replace ${one}/tls/server.crt`,
      `append ${one}/tls/ca.crt`,
    ],
  );
  t.true(indexOf(plan, /^add the renewed TLS CA of OrdererMSP/) < indexOf(plan, /^let orderer1/));
  t.is(indexOf(plan, /^rotate/), -1);
});

test('the CA of the signing certificates has expired as well: the new ones begin before its end', async (t) => {
  const plan = await makeNetwork(t, { tls: VALID, ca: ENDED }).plan();
  t.true(
    commandsOf(stepOf(plan, /^make new certificates for orderer1/)).some((command) =>
      /^openssl ca .*-cert "\$ORDERERMSP_CA" .* -startdate 20260101000000Z /.test(command),
    ),
  );
});

test('BFT with signing certificates that have expired needs Fabric 3.1.2, and keeps the keys', async (t) => {
  const network = makeNetwork(t, { isBft: true });
  const plan = await network.plan();
  t.is(titles(plan)[6], `install Fabric 3.1.2 or newer for ${ORDERERS.join(', ')}`);
  const { status, stderr } = await network.run('--keys', 'new');
  t.is(status, 1);
  t.true(
    stderr.includes('the orderers of ch1 use BFT, which identifies them by their signing certificates'),
    stderr,
  );
});

test('new TLS keys of BFT need no handshakes in the past', async (t) => {
  const plan = await makeNetwork(t, { isBft: true, identity: VALID }).plan('--keys', 'new');
  t.false(titles(plan).some((title) => title.includes('handshakes')));
});

test('files of parts that are switched off are not read', async (t) => {
  const general = `  Cluster:
    ServerCertificate: tls/absent.crt
Admin:
  TLS: { Enabled: false, Certificate: tls/absent.crt, PrivateKey: tls/absent.key }
Operations:
  TLS: { Enabled: false, Certificate: tls/absent.crt, PrivateKey: tls/absent.key }`;
  const tlsLines = '    ClientRootCAs: [tls/absent.crt]';
  t.is((await makeNetwork(t, { general, tlsLines }).plan()).expired.length, 8);
});

test('a consenter whose file was not given is named', async (t) => {
  const { directory } = makeNetwork(t);
  const files = ORDERERS.slice(0, 2).flatMap((name) => ['--beside', name]);
  const { status, stdout } = await runAgentCommand(['rescue', ...files, '--now', NOW], { cwd: directory });
  t.is(status, 3);
  t.true(
    stdout.includes(
      '  the orderer.yaml of the consenter orderer3.example.com:7050 of ch1 was not given, so the plan has no step for it: give it with --beside as well\n',
    ),
    stdout,
  );
});

test('each unreadable file is named, there is no plan, and the exit status is 1', async (t) => {
  const { run, directory } = makeNetwork(t);
  rmSync(join(directory, 'orderer1.example.com/tls/server.crt'));
  rmSync(join(directory, 'orderer2.example.com/msp/signcerts'), { recursive: true });
  const { status, stdout, stderr } = await run();
  t.is(status, 1);
  t.is(stdout, '');
  t.is(
    stderr.replaceAll(directory, ''),
    `fabric-ops-agent: error: General.TLS.Certificate /orderer1.example.com/tls/server.crt cannot be read: no such file
fabric-ops-agent: error: /orderer2.example.com/msp/signcerts: there is no certificate in it
`,
  );
});

test('rescue takes the nodes of an agent.yaml as those of --beside', async (t) => {
  const { directory, run } = makeNetwork(t);
  const hosts = readdirSync(directory, { withFileTypes: true }).filter((each) => each.isDirectory());
  const nodes = hosts.map(
    ({ name }) => `  - config: ${name}/${name.startsWith('peer') ? 'core' : 'orderer'}.yaml`,
  );
  writeFileSync(join(directory, 'agent.yaml'), ['nodes:', ...nodes, ''].join('\n'));
  const args = ['rescue', '--config', 'agent.yaml', '--now', NOW];
  const { status, stdout } = await runAgentCommand(args, { cwd: directory });
  t.is(status, 3);
  t.is(stdout.replaceAll(`${directory}/`, ''), (await run()).stdout);
});

for (const [args, message] of [
  [[], 'rescue requires a node: --beside FILE, or --config FILE with a section nodes'],
  [['--beside', 'x', '--keys', 'old'], "--keys must be same or new: value was 'old'"],
  [['--beside', 'x', '--now', 'soon'], "--now must be a time such as 2026-11-22T12:00:00Z: value was 'soon'"],
] as const)
  test(`wrong arguments of rescue: ${args.join(' ') || 'none'}`, async (t) => {
    t.deepEqual(await runAgentCommand(['rescue', ...args]), {
      status: 2,
      stdout: '',
      stderr: `fabric-ops-agent: error: ${message}\n`,
    });
  });
