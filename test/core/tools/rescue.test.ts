// The command `rescue`. test/e2e/rescue.test.ts follows its plans in real networks.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Plan, Step } from '../../../core/tools/rescue/planning.js';
import { decode, encode } from '../../../translator/index.js';
import { CommonLastConfig, CommonMetadata, CommonOrdererBlockMetadata } from '../../../proto/messages.js';
import { writeMessage } from '../../../proto/typed.js';
import { blockHash, parseBlock, type StoredBlock } from '../../../translator/ledger/stored-block.js';
import { runAgentCommand, withFlag, type CommandOutcome } from '../../helpers/agent-command.js';
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
  /** Of another CA, which issued the TLS certificate of the peer; undefined: it is the CA of the orderers. */
  readonly peerTlsCa?: Validity;
  /** Of the CA of the signing certificates. */
  readonly ca?: Validity;
  readonly isBft?: boolean;
  /** The MSP id of the orderers. */
  readonly mspId?: string;
  /** General.ListenPort */
  readonly port?: number;
  /** Lines of the sections General and General.TLS of orderer.yaml. In the first, NODE is the name of the node. */
  readonly general?: string;
  readonly tlsLines?: string;
}

interface Network {
  readonly directory: string;
  /** Writes a file of a node. */
  readonly write: (path: string, content: string | Uint8Array) => void;
  readonly tlsCa: Made;
  readonly ca: Made;
  /** By the name of the node. */
  readonly made: ReadonlyMap<string, { readonly tls: Made; readonly identity: Made }>;
  /** Replaces a certificate of a node by a valid one with the same key. */
  readonly renew: (name: string, use: 'tls' | 'identity') => void;
  /** Adds a channel to the ledgers of all nodes. @param nodes its consenters */
  readonly addChannel: (name: string, isBft: boolean, nodes: readonly string[]) => void;
  readonly run: (...args: readonly string[]) => Promise<CommandOutcome>;
  readonly plan: (...args: readonly string[]) => Promise<Plan>;
}

const ORDERERS = [1, 2, 3, 4].map((number) => `orderer${number}.example.com`);
const PEER = 'peer0.org1.example.com';

/** Three orderers of Raft or four of BFT, and a peer, with the channel in the ledgers. */
function makeNetwork(
  t: ExecutionContext,
  {
    tls = ENDED,
    identity = ENDED,
    tlsCa = VALID,
    tlsRoot,
    peerTlsCa,
    ca = VALID,
    isBft = false,
    mspId = 'OrdererMSP',
    port = 7050,
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
  const peerTlsIssuer = peerTlsCa === undefined ? tlsIssuer : makeCa('peertlsca', peerTlsCa);
  const issuersOf = (name: string) => ({
    tls: name.startsWith('peer') ? peerTlsIssuer : tlsIssuer,
    identity: issuer,
  });
  const made = new Map<string, { readonly tls: Made; readonly identity: Made }>();
  const names = [...ORDERERS.slice(0, isBft ? 4 : 3), PEER];
  for (const name of names) {
    const issuers = issuersOf(name);
    const own = makeCertificate({ commonName: name, issuer: issuers.tls, validity: tls });
    const signing = makeCertificate({ commonName: name, issuer: issuers.identity, validity: identity });
    write(`${name}/tls/server.crt`, own.pem);
    write(`${name}/tls/server.key`, 'not read');
    write(`${name}/tls/ca.crt`, issuers.tls.pem);
    write(`${name}/msp/signcerts/cert.pem`, signing.pem);
    write(`${name}/msp/cacerts/ca.pem`, issuer.pem);
    write(`${name}/msp/keystore/priv_sk`, 'not read');
    made.set(name, { tls: own, identity: signing });
    if (name.startsWith('peer')) write(`${name}/core.yaml`, CORE);
    else
      write(
        `${name}/orderer.yaml`,
        ordererYaml({ general: general.replaceAll('NODE', name), tlsLines, mspId, port }),
      );
  }
  const addChannel: Network['addChannel'] = (channel, hasBft, nodes) => {
    const consenters = nodes.map((host) => {
      const { tls: own, identity: signing } = made.get(host)!;
      return { host, tls: own.pem, identity: signing.pem };
    });
    for (const name of names)
      writeStoredBlocks(chainOf(directory, name, channel), [blockOf(consenters, hasBft)]);
  };
  addChannel('ch1', isBft, names.slice(0, -1));
  const files = names.flatMap((name) => ['--node', name]);
  const run: Network['run'] = async (...args) => {
    const outcome = await runAgentCommand(['rescue', ...files, ...withFlag('--now', NOW, args)], {
      cwd: directory,
    });
    return { ...outcome, stdout: outcome.stdout.replaceAll(`${directory}/`, '') };
  };
  return {
    directory,
    write,
    tlsCa: tlsIssuer,
    ca: issuer,
    made,
    addChannel,
    renew(name, use) {
      const { key } = made.get(name)![use];
      const { pem } = makeCertificate({
        commonName: name,
        issuer: issuersOf(name)[use],
        validity: VALID,
        key,
      });
      write(`${name}/${use === 'tls' ? 'tls/server.crt' : 'msp/signcerts/cert.pem'}`, pem);
    },
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

/** The folder of a channel in the ledger of a node. */
const chainOf = (directory: string, name: string, channel: string): string =>
  join(directory, name, name.startsWith('peer') ? 'data/ledgersData/chains/chains' : 'data/chains', channel);

function blockOf(
  consenters: readonly Consenter[],
  isBft: boolean,
  change?: (group: ChannelGroup) => void,
): StoredBlock {
  const parsed = parseBlock(blockWith(consenters, isBft, change));
  return { ...parsed, dataHash: createHash('sha256').update(parsed.data[0]!).digest() };
}

const ordererYaml = ({
  general,
  tlsLines,
  mspId,
  port,
}: Required<Pick<NetworkOptions, 'general' | 'tlsLines' | 'mspId' | 'port'>>): string => `General:
  ListenPort: ${port}
  LocalMSPID: ${mspId}
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

/** The groups and values of a channel, as JSON. */
interface ChannelGroup {
  readonly groups: Record<string, ChannelGroup>;
  readonly values: Record<string, { value: Record<string, unknown>; mod_policy?: string; version?: string }>;
}

/** The config block of a channel with these consenters. @param change changes anything else */
function blockWith(
  consenters: readonly Consenter[],
  isBft: boolean,
  change: (group: ChannelGroup) => void = () => undefined,
): Uint8Array {
  const block = JSON.parse(decode('common.Block', Buffer.from(isBft ? bftBlock() : networkBlock()))) as {
    data: { data: { payload: { data: { config: { channel_group: ChannelGroup } } } }[] };
  };
  const group = block.data.data[0]!.payload.data.config.channel_group;
  change(group);
  const { values } = group.groups['Orderer']!;
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
  const files = ORDERERS.slice(0, 2).flatMap((name) => ['--node', name]);
  const { status, stdout } = await runAgentCommand(['rescue', ...files, '--now', NOW], { cwd: directory });
  t.is(status, 3);
  t.true(
    stdout.includes(
      '  the orderer.yaml of the consenter orderer3.example.com:7050 of ch1 was not given, so the plan has no step for it: give it with --node as well\n',
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

test('rescue takes the nodes of an agent.yaml as those of --node', async (t) => {
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

/** A plan with these steps only: their titles. */
const titlesWithout = (plan: Plan, left: RegExp): readonly string[] =>
  titles(plan).filter((title) => !left.test(title));

test('without --now the certificates are checked at the present time', async (t) => {
  const { directory } = makeNetwork(t, { tls: ['20200101000000Z', '20210101000000Z'] });
  const before = Date.now();
  const { status, stdout } = await runAgentCommand(['rescue', '--node', ORDERERS[0]!, '--json'], {
    cwd: directory,
  });
  t.is(status, 3);
  const now = Date.parse((JSON.parse(stdout) as Plan).now);
  t.true(now >= before && now <= Date.now());
});

for (const [now, status] of [
  ['2026-05-31T23:59:59Z', 0],
  ['2026-06-01T00:00:00Z', 3],
] as const)
  test(`certificates that end at 2026-06-01T00:00:00Z need ${status === 0 ? 'no' : 'a'} plan at ${now}`, async (t) => {
    t.is((await makeNetwork(t).run('--now', now)).status, status);
  });

test('--json of a plan that is not needed and of another one has two spaces for each level, for people as well', async (t) => {
  const { run } = makeNetwork(t, { tls: VALID, identity: VALID });
  for (const now of [NOW, '2036-06-11T00:00:00Z']) {
    const { stdout } = await run('--now', now, '--json');
    t.is(stdout, `${JSON.stringify(JSON.parse(stdout), undefined, 2)}\n`);
  }
});

test('a peer whose certificates have expired: the whole plan as text', async (t) => {
  const { run, renew } = makeNetwork(t);
  for (const name of ORDERERS.slice(0, 3)) {
    renew(name, 'tls');
    renew(name, 'identity');
  }
  const { status, stdout } = await run();
  t.is(status, 3);
  t.is(
    stdout,
    `expired
  2026-06-01  peer0.org1.example.com  identity  CN=peer0.org1.example.com  peer0.org1.example.com/msp/signcerts/cert.pem
  2026-06-01  peer0.org1.example.com  TLS       CN=peer0.org1.example.com  peer0.org1.example.com/tls/server.crt

set these shell variables first, and run all commands in one directory
  ORG1MSP_CA          file of the certificate of the CA of Org1MSP
  ORG1MSP_CA_KEY      file of the private key of the CA of Org1MSP
  ORG1MSP_TLS_CA      file of the certificate of the TLS CA of Org1MSP
  ORG1MSP_TLS_CA_KEY  file of the private key of the TLS CA of Org1MSP

1. make the folder rescue
   it holds the new files and secret private keys. Keep copies of all replaced files
   - $ mkdir -p rescue
   - $ chmod 700 rescue
   see: the folder exists
     $ test -d rescue

2. make new certificates for peer0.org1.example.com
   with the same keys, subject and extensions; the requests need the keys of the node, the certificates the key of the CA
   - $ openssl x509 -x509toreq -in peer0.org1.example.com/msp/signcerts/cert.pem -signkey peer0.org1.example.com/msp/keystore/priv_sk -copy_extensions copyall -out rescue/peer0.org1.example.com-identity.csr
   - $ openssl x509 -req -in rescue/peer0.org1.example.com-identity.csr -CA "$ORG1MSP_CA" -CAkey "$ORG1MSP_CA_KEY" -set_serial 0x$(openssl rand -hex 16) -days 365 -copy_extensions copyall -out rescue/peer0.org1.example.com-identity.crt
   - $ openssl x509 -x509toreq -in peer0.org1.example.com/tls/server.crt -signkey peer0.org1.example.com/tls/server.key -copy_extensions copyall -out rescue/peer0.org1.example.com-tls.csr
   - $ openssl x509 -req -in rescue/peer0.org1.example.com-tls.csr -CA "$ORG1MSP_TLS_CA" -CAkey "$ORG1MSP_TLS_CA_KEY" -set_serial 0x$(openssl rand -hex 16) -days 365 -copy_extensions copyall -out rescue/peer0.org1.example.com-tls.crt
   see: the new certificates are valid now
     $ openssl x509 -in rescue/peer0.org1.example.com-identity.crt -noout -checkend 0
     $ openssl x509 -in rescue/peer0.org1.example.com-tls.crt -noout -checkend 0

3. put the new files in place on peer0.org1.example.com, and start it again
   a peer does not start, and orderers refuse it, with a signing certificate that has expired
   - stop peer0.org1.example.com
   - on peer0.org1.example.com: copy rescue/peer0.org1.example.com-identity.crt over peer0.org1.example.com/msp/signcerts/cert.pem
   - on peer0.org1.example.com: copy rescue/peer0.org1.example.com-tls.crt over peer0.org1.example.com/tls/server.crt
   - start peer0.org1.example.com
   see: the peer receives blocks: its height grows

notes
  channels with Raft still have the old certificates of the consenters; this does no harm, because only their keys count. Replace them later with configtxlator consenter rotate
  with Fabric CA 1.5.1 or newer, fabric-ca-client reenroll --csr.keyrequest.reusekey makes certificates with the same keys; the server needs --ca.reenrollignorecertexpiry
  an administrator with an expired certificate gets a new one in the same way, with the commands for a signing certificate
  if an update needs the signatures of several administrators, the others sign it with configtxlator sign before it is sent
`,
  );
});

test('new keys: new private keys are made, the certificates of orderers begin when the old ones did, and each orderer changes only its identity before its rotation', async (t) => {
  const plan = await makeNetwork(t).plan('--keys', 'new');
  const [one, two, three] = ORDERERS;
  t.deepEqual(
    commandsOf(plan.steps[0]!).map((command) => command.replace(/^printf .*(?= > )/, 'printf')),
    [
      'mkdir -p rescue',
      'chmod 700 rescue',
      'touch rescue/ca.txt',
      'printf > rescue/ca.cnf',
      'test -d rescue',
    ],
  );
  const made = stepOf(plan, /^make new certificates for orderer1/);
  t.true(made.reason.startsWith('with new keys, '), made.reason);
  const key = (use: string) =>
    `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out rescue/${one}-${use}.key`;
  const request = (use: string, file: string) =>
    `openssl x509 -x509toreq -in ${one}/${file} -signkey rescue/${one}-${use}.key -copy_extensions copyall -out rescue/${one}-${use}.csr`;
  t.deepEqual(commandsOf(made), [
    key('identity'),
    request('identity', 'msp/signcerts/cert.pem'),
    `openssl x509 -req -in rescue/${one}-identity.csr -CA "$ORDERERMSP_CA" -CAkey "$ORDERERMSP_CA_KEY" -set_serial 0x$(openssl rand -hex 16) -days 365 -copy_extensions copyall -out rescue/${one}-identity.crt`,
    key('tls'),
    request('tls', 'tls/server.crt'),
    `openssl ca -batch -notext -preserveDN -config rescue/ca.cnf -cert "$ORDERERMSP_TLS_CA" -keyfile "$ORDERERMSP_TLS_CA_KEY" -in rescue/${one}-tls.csr -startdate 20260101000000Z -enddate 20270611000000Z -out rescue/${one}-tls.crt`,
    `openssl x509 -in rescue/${one}-identity.crt -noout -checkend 0`,
    `openssl x509 -in rescue/${one}-tls.crt -noout -checkend 0`,
  ]);
  t.false(
    commandsOf(stepOf(plan, /^make new certificates for peer0/)).some((command) =>
      command.startsWith('openssl ca '),
    ),
  );
  const back = stepOf(plan, /^set .*orderer1/);
  t.is(
    back.reason,
    `orderers compare TLS certificates with the time 950400s ago, at which the old ones were valid`,
  );
  t.deepEqual(back.actions.slice(2), [
    { kind: 'replace', node: one, file: `${one}/msp/signcerts/cert.pem`, with: `rescue/${one}-identity.crt` },
    { kind: 'replace', node: one, file: `${one}/msp/keystore/priv_sk`, with: `rescue/${one}-identity.key` },
  ] as never);
  const verify = (folder: string) =>
    `configtxlator verify rescue/ch1-${one}.pb --block ${folder}/data/chains/ch1`;
  t.deepEqual(stepOf(plan, /^rotate .*orderer1/).see, {
    text: `${two} has the block`,
    commands: [verify(two!)],
  });
  t.deepEqual(stepOf(plan, /^rotate .*orderer2/).see.text, `${one} has the block`);
  const placed = stepOf(plan, /^put the new TLS certificate in place on orderer1/);
  t.deepEqual(placed.actions, [
    { kind: 'stop', node: one },
    { kind: 'replace', node: one, file: `${one}/tls/server.crt`, with: `rescue/${one}-tls.crt` },
    { kind: 'replace', node: one, file: `${one}/tls/server.key`, with: `rescue/${one}-tls.key` },
    { kind: 'start', node: one },
  ] as never);
  t.deepEqual(placed.see.commands, [verify(one!)]);
  const end = stepOf(plan, /^let orderer3/);
  t.deepEqual(
    end.actions.map(({ kind }) => kind),
    ['stop', 'set', 'start'],
  );
  const fetch = (node: string, shift = '') =>
    `CORE_PEER_LOCALMSPID=OrdererMSP CORE_PEER_MSPCONFIGPATH="$ORDERERMSP_ADMIN" peer channel fetch newest rescue/newest.block -o ${node}:7050 -c ch1 --tls --cafile ${node}/tls/ca.crt${shift}`;
  t.deepEqual(end.see.commands, [fetch(three!)]);
  t.deepEqual(
    stepOf(plan, /^start /).see.commands,
    [one!, two!, three!].map((node) => fetch(node, ' --tlsHandshakeTimeShift 950400s')),
  );
});

for (const [tls, value] of [
  // The last two days count: a day is a good margin.
  [['20260530000000Z', '20260601000000Z'], 11 * 86_400],
  // Half of the time that they were valid.
  [['20260531000000Z', '20260601000000Z'], 10 * 86_400 + 43_200],
  [['20260531235959Z', '20260601000000Z'], 10 * 86_400 + 1],
] as const)
  test(`certificates that were valid from ${tls[0]} to ${tls[1]}: handshakes are set back by ${value} s`, async (t) => {
    const plan = await makeNetwork(t, { tls, identity: VALID }).plan('--keys', 'new');
    const [, action] = stepOf(plan, /^set .*orderer1/).actions;
    t.is(action?.kind === 'set' && action.value, `${value}s`);
  });

for (const [from, isPossible] of [
  ['20260531235959Z', true],
  ['20260601000000Z', false],
] as const)
  test(`new keys: certificates that ended at 20260601000000Z, of a CA that began at ${from}, ${isPossible ? 'were' : 'were never'} valid at the same time`, async (t) => {
    const network = makeNetwork(t, { tlsCa: [from, '20360101000000Z'] });
    const { status, stderr } = await network.run('--keys', 'new');
    t.deepEqual(
      [status, stderr],
      isPossible
        ? [3, '']
        : [
            1,
            'fabric-ops-agent: error: the TLS certificates of the orderers and their CAs were never valid at the same time: one ended at 2026-06-01T00:00:00.000Z, another began at 2026-06-01T00:00:00.000Z; make a plan with --keys same\n',
          ],
    );
    t.is((await network.run()).status, 3);
  });

test('BFT whose TLS CA ended before a certificate of an orderer began has no plan, whatever the keys', async (t) => {
  const tls = ['20260701000000Z', '20360101000000Z'] as const;
  const network = makeNetwork(t, { isBft: true, identity: VALID, tls, tlsCa: ENDED });
  const { status, stderr } = await network.run();
  t.is(status, 1);
  t.true(
    stderr.endsWith(': one ended at 2026-06-01T00:00:00.000Z, another began at 2026-07-01T00:00:00.000Z\n'),
    stderr,
  );
});

test('new keys of identities need no handshakes in the past while the TLS certificates are valid', async (t) => {
  const plan = await makeNetwork(t, { tls: VALID }).plan('--keys', 'new');
  t.deepEqual(titlesWithout(plan, /^make |^put /), [`start ${ORDERERS.slice(0, 3).join(', ')}`]);
});

test('an orderer whose TLS certificate is valid is not rotated, and keeps its TLS files', async (t) => {
  const network = makeNetwork(t);
  network.renew(ORDERERS[2]!, 'tls');
  const plan = await network.plan('--keys', 'new');
  t.deepEqual(
    titles(plan).filter((title) => /^(?:rotate|put the new TLS)/.test(title) && title.includes('orderer3')),
    [],
  );
  t.is(titles(plan).filter((title) => title.startsWith('rotate ')).length, 2);
  t.true(titles(plan).includes('set the TLS handshakes of orderer3.example.com back'));
});

test('the certificates of orderers with channels of Raft and BFT: only those of Raft are rotated', async (t) => {
  const network = makeNetwork(t, { identity: VALID });
  network.addChannel('ch2', true, ORDERERS.slice(0, 3));
  const plan = await network.plan('--keys', 'new');
  t.true(titles(plan).includes(`set the TLS handshakes of ${ORDERERS[0]} back`));
  t.deepEqual(plan.notes.slice(0, -3), [
    'channels with BFT still have the old certificates of the consenters. Replace them later with configtxlator consenter rotate',
  ]);
  const same = await network.plan();
  t.deepEqual(
    same.notes.slice(0, -3).map((note) => note.slice(0, 17)),
    ['channels with Raf', 'channels with BFT'],
  );
});

test('an orderer of BFT whose TLS CA has expired, beside a channel of Raft, needs handshakes in the past', async (t) => {
  const network = makeNetwork(t, { identity: VALID, tlsCa: ENDED });
  network.addChannel('ch2', true, ORDERERS.slice(0, 3));
  const plan = await network.plan();
  const { reason } = stepOf(plan, /^set .*orderer1/);
  t.is(
    reason,
    'BFT orderers verify each other only with the TLS CAs in the channel; 950400s ago the old one was valid',
  );
});

test('BFT with valid signing certificates needs no newer version', async (t) => {
  const network = makeNetwork(t, { isBft: true, identity: VALID });
  t.false(titles(await network.plan()).some((title) => title.startsWith('install ')));
});

test('of BFT with signing certificates of which one has expired the channel is named, and new keys are refused', async (t) => {
  const network = makeNetwork(t, { isBft: true, tls: VALID });
  for (const name of ORDERERS.slice(1)) network.renew(name, 'identity');
  t.deepEqual(
    stepOf(await network.plan(), /^install /).title,
    `install Fabric 3.1.2 or newer for ${ORDERERS[0]}`,
  );
  const { stderr } = await network.run('--keys', 'new');
  t.is(
    stderr,
    'fabric-ops-agent: error: the orderers of ch1 use BFT, which identifies them by their signing certificates; these have expired, so the keys must stay the same: make a plan with --keys same\n',
  );
});

test('an expired TLS CA of the orderers: the peer of another CA trusts the renewed one through a file until it has the block', async (t) => {
  const network = makeNetwork(t, { tls: VALID, identity: VALID, tlsCa: ENDED, peerTlsCa: VALID });
  const plan = await network.plan();
  t.deepEqual(titlesWithout(plan, /^put the new files in place on orderer/), [
    'make the folder rescue',
    'renew the TLS CA of OrdererMSP',
    `start ${ORDERERS.slice(0, 3).join(', ')}`,
    'add the renewed TLS CA of OrdererMSP to the channel ch1',
    `put the new files in place on ${PEER}, and start it again`,
    `remove the overrides of ${PEER}`,
  ]);
  const placed = stepOf(plan, /^put .* peer0/);
  t.is(
    placed.reason,
    'it trusts the renewed TLS CA of the orderers through its file until it has the block with the CA',
  );
  const file = `${PEER}/core.yaml.OrdererMSP-tls-ca.pem`;
  t.deepEqual(placed.actions, [
    { kind: 'stop', node: PEER },
    { kind: 'replace', node: PEER, file, with: 'rescue/OrdererMSP-tls-ca.pem' },
    {
      kind: 'set',
      node: PEER,
      file: `${PEER}/core.yaml`,
      key: 'peer.deliveryclient.addressOverrides',
      value: [{ from: 'orderer.example.com:7050', to: 'orderer.example.com:7050', caCertsFile: file }],
      variable: 'CORE_PEER_DELIVERYCLIENT_ADDRESSOVERRIDES',
    },
    { kind: 'start', node: PEER },
  ] as never);
  t.deepEqual(placed.see.commands, [
    `configtxlator verify rescue/ch1-OrdererOrg-orderer.pb --block ${PEER}/data/ledgersData/chains/chains/ch1`,
  ]);
  t.deepEqual(
    stepOf(plan, /^remove /).actions.map((action) => ('value' in action ? action.value : action.kind)),
    ['stop', [], 'start'],
  );
  const [one] = ORDERERS;
  const folder = `${one}/data/chains/ch1`;
  const update = 'rescue/ch1-OrdererOrg-orderer.pb';
  t.deepEqual(commandsOf(stepOf(plan, /^add /)), [
    'cp -R "$ORDERERMSP_MSP" rescue/ch1-OrdererOrg-orderer',
    'cp rescue/OrdererMSP-tls-ca.pem rescue/ch1-OrdererOrg-orderer/tlscacerts/renewed-tls-ca.pem',
    `configtxlator org set-msp ${folder} OrdererOrg --group orderer --msp rescue/ch1-OrdererOrg-orderer -o ${update}`,
    `configtxlator sign ${update} --block ${folder} --msp "$ORDERERMSP_ADMIN" --mspid OrdererMSP -o ${update}`,
    `until configtxlator verify ${update} --block ${folder}; do CORE_PEER_LOCALMSPID=OrdererMSP CORE_PEER_MSPCONFIGPATH="$ORDERERMSP_ADMIN" peer channel update -f ${update} -o ${one}:7050 -c ch1 --tls --cafile "$PWD"/rescue/OrdererMSP-tls-ca.pem || true; sleep 3; done`,
    `configtxlator verify ${update} --block ${folder}`,
  ]);
  t.deepEqual(
    plan.expired.map(({ node, use, caUntil }) => [node, use, caUntil]),
    ORDERERS.slice(0, 3).map((name) => [name, 'TLS', '2026-06-01T00:00:00.000Z']),
  );
});

test('an expired TLS CA of a peer: its files and the channel get the renewed one, and the orderers keep running', async (t) => {
  const network = makeNetwork(t, { tls: VALID, identity: VALID, peerTlsCa: ENDED });
  const plan = await network.plan();
  t.deepEqual(titles(plan), [
    'make the folder rescue',
    'renew the TLS CA of Org1MSP',
    'add the renewed TLS CA of Org1MSP to the channel ch1',
    `put the new files in place on ${PEER}, and start it again`,
  ]);
  t.deepEqual(plan.steps.at(-1)!.actions, [
    { kind: 'stop', node: PEER },
    { kind: 'append', node: PEER, file: `${PEER}/tls/ca.crt`, with: 'rescue/Org1MSP-tls-ca.pem' },
    { kind: 'start', node: PEER },
  ] as never);
  t.true(commandsOf(stepOf(plan, /^add /))[2]!.includes(' --group application '));
});

test('peers use the addresses of the channel for orderers of an organisation without endpoints', async (t) => {
  const network = makeNetwork(t, { tls: VALID, identity: VALID, tlsCa: ENDED });
  const consenters = ORDERERS.slice(0, 3).map((host) => {
    const { tls, identity } = network.made.get(host)!;
    return { host, tls: tls.pem, identity: identity.pem };
  });
  const block = blockOf(consenters, false, ({ groups, values }) => {
    delete groups['Orderer']!.groups['OrdererOrg']!.values['Endpoints'];
    values['OrdererAddresses'] = {
      mod_policy: '/Channel/Orderer/Admins',
      value: { addresses: ['global.example.com:7050'] },
      version: '0',
    };
  });
  for (const name of [...ORDERERS.slice(0, 3), PEER]) {
    const folder = chainOf(network.directory, name, 'ch1');
    rmSync(folder, { recursive: true });
    writeStoredBlocks(folder, [block]);
  }
  const action = stepOf(await network.plan(), /^put .* peer0/).actions.find(({ kind }) => kind === 'set');
  t.deepEqual(
    (action?.kind === 'set' ? (action.value as readonly { from: string }[]) : []).map(({ from }) => from),
    ['global.example.com:7050'],
  );
});

test('a renewed CA beside the expired one counts, in whatever order the files are named', async (t) => {
  for (const list of ['tls/ca.crt, tls/renewed.crt', 'tls/renewed.crt, tls/ca.crt']) {
    const network = makeNetwork(t, { identity: VALID, tlsCa: ENDED });
    const { key } = network.tlsCa;
    const renewed = makeCertificate({ commonName: 'tlsca', validity: VALID, isCa: true, key });
    const [one] = ORDERERS;
    network.write(`${one}/tls/renewed.crt`, renewed.pem);
    const yaml = join(network.directory, `${one}/orderer.yaml`);
    writeFileSync(yaml, readFileSync(yaml, 'utf8').replace('[tls/ca.crt]', `[${list}]`));
    const plan = await network.plan();
    t.deepEqual(
      plan.expired.map(({ node, caUntil }) => [node, caUntil]).slice(0, 2),
      [
        [one, undefined],
        [ORDERERS[1], '2026-06-01T00:00:00.000Z'],
      ],
      list,
    );
    t.true(commandsOf(stepOf(plan, /^start/))[0]!.includes(`--cafile ${one}/tls/renewed.crt`), list);
  }
});

for (const folder of ['tlscacerts', 'tlsintermediatecerts'])
  test(`the CA of a TLS certificate is also found in ${folder} of the MSP`, async (t) => {
    const network = makeNetwork(t, { identity: VALID });
    const [one] = ORDERERS;
    network.write(`${one}/msp/${folder}/ca.pem`, network.tlsCa.pem);
    const yaml = join(network.directory, `${one}/orderer.yaml`);
    writeFileSync(yaml, readFileSync(yaml, 'utf8').replace('[tls/ca.crt]', '[]'));
    const plan = await network.plan();
    t.true(commandsOf(stepOf(plan, /^start/))[0]!.endsWith(`--cafile ${one}/msp/${folder}/ca.pem`));
    t.false(plan.notes.some((note) => note.includes('no certificate of its CA')));
  });

test('the CA of a signing certificate is also found in intermediatecerts of the MSP', async (t) => {
  const network = makeNetwork(t, { tls: VALID, ca: ENDED });
  for (const name of [...ORDERERS.slice(0, 3), PEER]) {
    rmSync(join(network.directory, name, 'msp/cacerts'), { recursive: true });
    network.write(`${name}/msp/intermediatecerts/ca.pem`, network.ca.pem);
  }
  const plan = await network.plan();
  t.true(commandsOf(stepOf(plan, /^make new certificates for orderer1/))[1]!.includes('-startdate 2026'));
  t.false(plan.notes.some((note) => note.includes('no certificate of its CA')));
});

test('without a certificate of the CA of an orderer a variable names it, and a note says that the CA is unknown', async (t) => {
  const network = makeNetwork(t, { identity: VALID });
  const [one] = ORDERERS;
  const yaml = join(network.directory, `${one}/orderer.yaml`);
  writeFileSync(yaml, readFileSync(yaml, 'utf8').replace('[tls/ca.crt]', '[]'));
  const plan = await network.plan();
  t.true(commandsOf(stepOf(plan, /^start/))[0]!.endsWith('--cafile "$ORDERERMSP_TLS_CA"'));
  t.is(
    plan.notes[0],
    `${one}/tls/server.crt: the node has no certificate of its CA, so it is unknown whether the CA has expired`,
  );
});

test('the private key of an identity is the file with its name from Fabric; unknown among several files, as in an HSM, and then a note says so', async (t) => {
  const network = makeNetwork(t, { tls: VALID });
  const [one, two] = ORDERERS;
  const { x = '', y = '' } = network.made.get(one!)!.identity.key.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const name = `${createHash('sha256').update(point).digest('hex')}_sk`;
  network.write(`${one}/msp/keystore/${name}`, 'not read');
  network.write(`${two}/msp/keystore/other_sk`, 'not read');
  const plan = await network.plan();
  t.true(commandsOf(stepOf(plan, /for orderer1/))[0]!.includes(` -signkey ${one}/msp/keystore/${name} `));
  t.is(
    plan.notes[0],
    `${two}/msp/signcerts/cert.pem: the file of the private key is unknown, as in an HSM; make the request with the program of the HSM or of the CA`,
  );
  const renewed = await network.plan('--keys', 'new');
  t.false(renewed.notes[0]!.includes('HSM'));
  t.deepEqual(
    stepOf(renewed, /in place on orderer2/).actions.flatMap((action) =>
      'file' in action ? [action.file] : [],
    ),
    [`${two}/msp/signcerts/cert.pem`],
  );
});

test('other files beside the signing certificate are skipped: hidden ones, directories, and files without a certificate', async (t) => {
  const network = makeNetwork(t, { tls: VALID });
  const [one] = ORDERERS;
  network.write(`${one}/msp/signcerts/.hidden`, network.tlsCa.pem);
  network.write(`${one}/msp/signcerts/a/cert.pem`, network.tlsCa.pem);
  network.write(`${one}/msp/signcerts/b`, 'no certificate');
  const plan = await network.plan();
  t.deepEqual(plan.expired[0]!.files, [`${one}/msp/signcerts/cert.pem`]);
});

for (const [size, isRead] of [
  [1024 * 1024, true],
  [1024 * 1024 + 1, false],
] as const)
  test(`a file of ${size} bytes beside the CAs is ${isRead ? 'skipped, since it has no certificate' : 'too large'}`, async (t) => {
    const network = makeNetwork(t);
    network.write(`${ORDERERS[0]}/msp/cacerts/large`, Buffer.alloc(size, 0x20));
    const { status, stderr } = await network.run();
    t.is(status, isRead ? 3 : 1);
    t.is(
      stderr.replace(network.directory, ''),
      isRead
        ? ''
        : `fabric-ops-agent: error: /${ORDERERS[0]}/msp/cacerts/large: it is larger than 1048576 bytes\n`,
    );
  });

test('a copy of a TLS certificate for the cluster is replaced as well, and one file for both only once', async (t) => {
  const general = `  Cluster:
    ListenPort: 7051
    ServerCertificate: NODE/cluster/server.crt
    ServerPrivateKey: NODE/cluster/server.key
    ClientCertificate: tls/server.crt
    ClientPrivateKey: tls/server.key`;
  const network = makeNetwork(t, { identity: VALID, general, port: 7049 });
  for (const name of ORDERERS.slice(0, 3))
    network.write(`${name}/cluster/server.crt`, network.made.get(name)!.tls.pem);
  const plan = await network.plan();
  const [one] = ORDERERS;
  t.deepEqual(plan.expired[0]!.files, [`${one}/tls/server.crt`, `${one}/cluster/server.crt`]);
  t.deepEqual(
    stepOf(plan, /in place on orderer1/).actions.flatMap((action) => ('file' in action ? [action.file] : [])),
    [`${one}/tls/server.crt`, `${one}/cluster/server.crt`],
  );
  // The address in the channel is for other orderers.
  t.true(commandsOf(stepOf(plan, /^start/))[0]!.includes(` -o ${one}:7049 -c ch1 `));
});

test('an orderer without another port for the cluster is reached at its address in the channel', async (t) => {
  const plan = await makeNetwork(t, { port: 7049 }).plan();
  t.true(commandsOf(stepOf(plan, /^start/))[0]!.includes(` -o ${ORDERERS[0]}:7050 -c ch1 `));
});

test('another TLS certificate of an orderer has files with another name, and is not rotated in a channel', async (t) => {
  const general = `Operations:
  TLS: { Enabled: true, Certificate: NODE/operations.crt, PrivateKey: NODE/operations.key }`;
  const network = makeNetwork(t, { identity: VALID, general });
  const [one] = ORDERERS;
  for (const name of ORDERERS.slice(0, 3)) {
    const own = makeCertificate({ commonName: 'operations', issuer: network.tlsCa, validity: ENDED });
    network.write(`${name}/operations.crt`, own.pem);
  }
  network.renew(ORDERERS[1]!, 'tls');
  const plan = await network.plan('--keys', 'new');
  t.deepEqual(
    commandsOf(stepOf(plan, /^make new certificates for orderer1/)).slice(-2),
    ['tls', 'tls2'].map((use) => `openssl x509 -in rescue/${one}-${use}.crt -noout -checkend 0`),
  );
  t.deepEqual(
    titles(plan).filter((title) => title.includes(ORDERERS[1]!) && /^rotate|^put /.test(title)),
    [`put the new TLS certificate in place on ${ORDERERS[1]}`],
  );
});

test('certificates of intermediate CAs in the file of a certificate are kept', async (t) => {
  const network = makeNetwork(t, { identity: VALID });
  const [one, two] = ORDERERS;
  network.write(`${one}/tls/server.crt`, Buffer.concat([network.made.get(one!)!.tls.pem, network.tlsCa.pem]));
  const plan = await network.plan();
  const keeps = (name: string): readonly string[] =>
    commandsOf(stepOf(plan, new RegExp(`^make new certificates for ${name}`))).filter((command) =>
      command.startsWith('awk '),
    );
  t.deepEqual(keeps(one!), [
    `awk '/BEGIN CERTIFICATE/ { count++ } count > 1' ${one}/tls/server.crt >> rescue/${one}-tls.crt`,
  ]);
  t.deepEqual(keeps(two!), []);
});

test('a name with other characters is a safe variable, a safe file name, and one word of the shell', async (t) => {
  const mspId = "1 Ordéreŕ's/MSP";
  const network = makeNetwork(t, { tls: VALID, identity: VALID, tlsCa: ENDED, mspId });
  const plan = await network.plan();
  t.deepEqual(commandsOf(stepOf(plan, /^renew the TLS CA of 1/)), [
    'openssl x509 -in "$_1_ORD_RE__S_MSP_TLS_CA" -signkey "$_1_ORD_RE__S_MSP_TLS_CA_KEY" -days 3650 -out rescue/1-Ord-re-s-MSP-tls-ca.pem',
    'openssl x509 -in rescue/1-Ord-re-s-MSP-tls-ca.pem -noout -checkend 0',
  ]);
  t.true(
    commandsOf(stepOf(plan, /^start/))[0]!.startsWith(
      String.raw`CORE_PEER_LOCALMSPID='1 Ordéreŕ'\''s/MSP' CORE_PEER_MSPCONFIGPATH="$_1_ORD_RE__S_MSP_ADMIN" peer `,
    ),
  );
});

test('nodes with the same name have a number, and a node without a common name has the name of its file', async (t) => {
  const network = makeNetwork(t, { tls: VALID });
  const [one, two, three] = ORDERERS;
  const identity = (commonName: string): Buffer =>
    makeCertificate({ commonName, organization: 'Example', issuer: network.ca, validity: ENDED }).pem;
  network.write(`${two}/msp/signcerts/cert.pem`, identity(one!));
  network.write(`${three}/msp/signcerts/cert.pem`, identity(''));
  const plan = await network.plan();
  t.deepEqual(
    plan.expired.map(({ node, subject }) => [node, subject]),
    [
      [one, `CN=${one}`],
      [`${one}-2`, `O=Example, CN=${one}`],
      ['orderer.yaml', 'O=Example, CN='],
      [PEER, `CN=${PEER}`],
    ],
  );
});

test('of a channel the newest config among the orderers counts, whichever is read first', async (t) => {
  for (const newest of [0, 1]) {
    const network = makeNetwork(t, { identity: VALID });
    const consentersOf = (names: readonly string[]): readonly Consenter[] =>
      names.map((host) => ({ host, tls: network.made.get(host)!.tls.pem, identity: Buffer.alloc(0) }));
    const first = blockOf(consentersOf(ORDERERS.slice(0, 3)), false);
    const second = blockOf(consentersOf(ORDERERS.slice(0, 2)), false);
    const index = writeMessage(CommonLastConfig, { index: 1n });
    const value = writeMessage(CommonOrdererBlockMetadata, { lastConfig: index });
    const metadata = [writeMessage(CommonMetadata, { value })];
    const folder = chainOf(network.directory, ORDERERS[newest]!, 'ch1');
    rmSync(folder, { recursive: true });
    writeStoredBlocks(folder, [first, { ...second, number: 1n, previousHash: blockHash(first), metadata }]);
    const plan = await network.plan();
    t.deepEqual(
      commandsOf(stepOf(plan, /^start/)).map((command) => /-o (\S+):7050 /.exec(command)?.[1]),
      ORDERERS.slice(0, 2),
    );
  }
});

test('channels are in the order of their names', async (t) => {
  const network = makeNetwork(t, { identity: VALID });
  const [one] = ORDERERS as [string];
  network.addChannel('ch0', false, [one]);
  rmSync(chainOf(network.directory, one, 'ch0'), { recursive: true });
  const plan = await network.plan();
  t.deepEqual(
    commandsOf(stepOf(plan, /^start/)).map((command) => /-c (\S+)/.exec(command)?.[1]),
    ['ch0', 'ch1', 'ch1', 'ch1'],
  );
});

test('the only orderer of a channel is rotated by itself', async (t) => {
  const { directory, addChannel } = makeNetwork(t, { identity: VALID });
  const [one] = ORDERERS as [string];
  rmSync(chainOf(directory, one, 'ch1'), { recursive: true });
  addChannel('own', false, [one]);
  const { status, stdout } = await runAgentCommand(
    ['rescue', '--node', one, '--keys', 'new', '--now', NOW, '--json'],
    { cwd: directory },
  );
  t.is(status, 3);
  const plan = JSON.parse(stdout) as Plan;
  t.deepEqual(stepOf(plan, /^rotate /).see.text, `${one} has the block`);
});

test('a channel whose consenters were not given has a note and no step', async (t) => {
  const network = makeNetwork(t, { identity: VALID, tlsCa: ENDED });
  const [one, two, three] = ORDERERS as [string, string, string];
  const other = makeCertificate({ commonName: 'other', issuer: network.tlsCa, validity: ENDED });
  const block = blockOf([{ host: 'other.example.com', tls: other.pem, identity: other.pem }], false);
  writeStoredBlocks(chainOf(network.directory, one, 'ch9'), [block]);
  const plan = await network.plan('--keys', 'new');
  t.false(titles(plan).some((title) => title.includes('ch9')));
  t.is(
    plan.notes[0],
    'the orderer.yaml of the consenter other.example.com:7050 of ch9 was not given, so the plan has no step for it: give it with --node as well',
  );
  t.deepEqual(
    [one, two, three].map((name) => stepOf(plan, new RegExp(`^let ${name}`)).see.commands.length),
    [2, 1, 1],
  );
});

test('the ledger of a peer is not read', async (t) => {
  const network = makeNetwork(t);
  writeFileSync(join(chainOf(network.directory, PEER, 'ch1'), 'blockfile_000000'), 'no block');
  t.is((await network.run()).status, 3);
});

test('a ledger of an orderer that cannot be read is named, and there is no plan', async (t) => {
  const network = makeNetwork(t);
  writeFileSync(join(chainOf(network.directory, ORDERERS[1]!, 'ch1'), 'blockfile_000000'), 'no block');
  const { status, stdout, stderr } = await network.run();
  t.deepEqual([status, stdout], [1, '']);
  t.regex(stderr, /^fabric-ops-agent: error: .*orderer2\.example\.com\/data\/chains\/ch1.*\n$/);
});

test('a peer without an MSP directory is named', async (t) => {
  const network = makeNetwork(t);
  network.write(`${PEER}/core.yaml`, CORE.replace('  mspConfigPath: msp\n', ''));
  const { status, stderr } = await network.run();
  t.is(status, 1);
  t.is(
    stderr.replace(network.directory, ''),
    `fabric-ops-agent: error: /${PEER}/core.yaml: peer.mspConfigPath is not set\n`,
  );
});

test('the TLS files of a node without TLS are not read', async (t) => {
  const network = makeNetwork(t, { identity: VALID });
  network.write(`${PEER}/core.yaml`, CORE.replace('enabled: true', 'enabled: false'));
  const plan = await network.plan();
  t.deepEqual(
    plan.expired.map(({ node }) => node),
    ORDERERS.slice(0, 3),
  );
});

for (const [args, message] of [
  [[], 'rescue requires a node: --node FILE, or --config FILE with a section nodes'],
  [['--node', 'x', '--keys', 'old'], "--keys must be same or new: value was 'old'"],
  ...['soon', '2026-02-30', '2026-11-22T12:00:00'].map(
    (now) =>
      [
        ['--node', 'x', '--now', now],
        `--now must be a time that exists, with its zone, such as 2026-11-22T12:00:00Z: value was '${now}'`,
      ] as const,
  ),
] as const)
  test(`wrong arguments of rescue: ${args.join(' ') || 'none'}`, async (t) => {
    t.deepEqual(await runAgentCommand(['rescue', ...args]), {
      status: 2,
      stdout: '',
      stderr: `fabric-ops-agent: error: ${message}\n`,
    });
  });
