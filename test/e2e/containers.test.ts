// A network of containers with the names, variables, mounts and ports of the test network of fabric-samples, and the command `nodes` beside it.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readStatus } from '../../core/status/read.js';
import { answersOf } from '../../core/status/answer/index.js';
import { temporaryFolder } from '../helpers/folder.js';
import { HAS_NETWORK_NAMESPACE } from '../helpers/network-namespace.js';
import { runProgram, startProgram, urlOf } from '../helpers/program.js';
import { check, eventually } from './daemon.js';
import { pingSocket, startEngine } from './engine.js';
import {
  createCertificates,
  createGenesisBlock,
  ordererIdentity,
  peerIdentity,
  runTool,
} from './fabric/network-files.js';
import { findFabric, TOOLS } from './fabric/programs.js';
import { findProgram } from './provision.js';

/** The ports of the nodes of fabric-samples: of the service, of the Admin endpoint, and of the operations endpoint. */
const ORDERERS = [
  { name: 'orderer1.example.com', port: 7050, admin: 7053, operations: 9443 },
  { name: 'orderer2.example.com', port: 7055, admin: 7058, operations: 9446 },
  { name: 'orderer3.example.com', port: 7060, admin: 7063, operations: 9447 },
];
const PEERS = [
  { name: 'peer0.org1.example.com', port: 7051, operations: 9444 },
  { name: 'peer0.org2.example.com', port: 9051, operations: 9445 },
];

const variables = (values: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
const published = (...ports: readonly number[]): string[] =>
  ports.flatMap((port) => ['-p', `${port}:${port}`]);

const ordererVariables = ({ name, port, admin, operations }: (typeof ORDERERS)[number]): string[] => {
  const tls = '/var/hyperledger/orderer/tls';
  return variables({
    ORDERER_GENERAL_LISTENADDRESS: '0.0.0.0',
    ORDERER_GENERAL_LISTENPORT: port,
    ORDERER_GENERAL_LOCALMSPID: 'OrdererMSP',
    ORDERER_GENERAL_LOCALMSPDIR: '/var/hyperledger/orderer/msp',
    ORDERER_GENERAL_TLS_ENABLED: 'true',
    ORDERER_GENERAL_TLS_PRIVATEKEY: `${tls}/server.key`,
    ORDERER_GENERAL_TLS_CERTIFICATE: `${tls}/server.crt`,
    ORDERER_GENERAL_TLS_ROOTCAS: `[${tls}/ca.crt]`,
    ORDERER_GENERAL_CLUSTER_CLIENTCERTIFICATE: `${tls}/server.crt`,
    ORDERER_GENERAL_CLUSTER_CLIENTPRIVATEKEY: `${tls}/server.key`,
    ORDERER_GENERAL_CLUSTER_ROOTCAS: `[${tls}/ca.crt]`,
    ORDERER_GENERAL_BOOTSTRAPMETHOD: 'none',
    ORDERER_CHANNELPARTICIPATION_ENABLED: 'true',
    ORDERER_ADMIN_TLS_ENABLED: 'true',
    ORDERER_ADMIN_TLS_CERTIFICATE: `${tls}/server.crt`,
    ORDERER_ADMIN_TLS_PRIVATEKEY: `${tls}/server.key`,
    ORDERER_ADMIN_TLS_ROOTCAS: `[${tls}/ca.crt]`,
    ORDERER_ADMIN_TLS_CLIENTROOTCAS: `[${tls}/ca.crt]`,
    ORDERER_ADMIN_LISTENADDRESS: `0.0.0.0:${admin}`,
    ORDERER_OPERATIONS_LISTENADDRESS: `${name}:${operations}`,
    ORDERER_METRICS_PROVIDER: 'prometheus',
  });
};

const peerVariables = ({ name, port, operations }: (typeof PEERS)[number], mspId: string): string[] =>
  variables({
    FABRIC_CFG_PATH: '/etc/hyperledger/peercfg',
    CORE_PEER_TLS_ENABLED: 'true',
    CORE_PEER_TLS_CERT_FILE: '/etc/hyperledger/fabric/tls/server.crt',
    CORE_PEER_TLS_KEY_FILE: '/etc/hyperledger/fabric/tls/server.key',
    CORE_PEER_TLS_ROOTCERT_FILE: '/etc/hyperledger/fabric/tls/ca.crt',
    CORE_PEER_ID: name,
    CORE_PEER_ADDRESS: `${name}:${port}`,
    CORE_PEER_LISTENADDRESS: `0.0.0.0:${port}`,
    CORE_PEER_CHAINCODEADDRESS: `${name}:${port + 1}`,
    CORE_PEER_CHAINCODELISTENADDRESS: `0.0.0.0:${port + 1}`,
    CORE_PEER_GOSSIP_BOOTSTRAP: `${name}:${port}`,
    CORE_PEER_GOSSIP_EXTERNALENDPOINT: `${name}:${port}`,
    CORE_PEER_LOCALMSPID: mspId,
    CORE_PEER_MSPCONFIGPATH: '/etc/hyperledger/fabric/msp',
    CORE_OPERATIONS_LISTENADDRESS: `${name}:${operations}`,
    CORE_METRICS_PROVIDER: 'prometheus',
    CORE_VM_ENDPOINT: '',
  });

/** Runs `docker` with arguments. */
type Docker = (...args: readonly string[]) => string;

/** Makes an image with the programs and samples of Fabric, whose programs need no libraries. */
function importImage(docker: Docker, directory: string): void {
  const { bin, config } = findFabric(TOOLS);
  const root = join(directory, 'root');
  for (const folder of ['usr/local/bin', 'etc/hyperledger/fabric', 'tmp', 'var/hyperledger'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const program of ['peer', 'orderer']) cpSync(join(bin, program), join(root, 'usr/local/bin', program));
  for (const file of ['core.yaml', 'orderer.yaml'])
    cpSync(join(config, file), join(root, 'etc/hyperledger/fabric', file));
  const archive = join(directory, 'image.tar');
  execFileSync('tar', ['-C', root, '-cf', archive, '.']);
  const environment = ['PATH=/usr/local/bin', 'FABRIC_CFG_PATH=/etc/hyperledger/fabric'];
  docker('import', ...environment.flatMap((each) => ['-c', `ENV ${each}`]), archive, 'fabric');
}

/** Starts the five containers, and joins the nodes to a channel. */
async function startContainers(docker: Docker, directory: string): Promise<void> {
  const { bin: tools, config } = findFabric(TOOLS);
  createCertificates(tools, directory, { orderers: 3, organisations: 2 });
  const block = createGenesisBlock(tools, directory, {
    channel: 'mychannel',
    organisations: 2,
    addresses: ORDERERS.map(({ name: host, port }) => ({ host, port })),
    consensus: 'etcdraft',
  });
  docker('network', 'create', 'fabric_test');
  const run = (name: string, options: readonly string[], ...command: readonly string[]): string =>
    docker(
      'run',
      '-d',
      '--name',
      name,
      '--network',
      'fabric_test',
      '-w',
      '/root',
      ...options,
      'fabric',
      ...command,
    );
  for (const [index, orderer] of ORDERERS.entries()) {
    const { msp, tls } = ordererIdentity(directory, index + 1);
    const { name, port, admin, operations } = orderer;
    const mounts = [
      `${msp}:/var/hyperledger/orderer/msp`,
      `${join(tls.cert, '..')}:/var/hyperledger/orderer/tls`,
      `${name}:/var/hyperledger/production/orderer`,
    ];
    const volumes = mounts.flatMap((each) => ['-v', each]);
    run(name, [...ordererVariables(orderer), ...volumes, ...published(port, admin, operations)], 'orderer');
    const args = ['--ca-file', tls.ca, '--client-cert', tls.cert, '--client-key', tls.key];
    await eventually(async () =>
      runTool(tools, 'osnadmin', [
        'channel',
        'join',
        '--channelID',
        'mychannel',
        '--config-block',
        block,
        '-o',
        `localhost:${admin}`,
        ...args,
      ]),
    );
  }
  const peercfg = join(directory, 'peercfg');
  mkdirSync(peercfg);
  cpSync(join(config, 'core.yaml'), join(peercfg, 'core.yaml'));
  for (const [index, peer] of PEERS.entries()) {
    const { name, port, operations } = peer;
    const { msp, admin, mspId } = peerIdentity(directory, index + 1);
    const mounts = [
      `${join(msp, '..')}:/etc/hyperledger/fabric`,
      `${name}:/var/hyperledger/production`,
      `${peercfg}:/etc/hyperledger/peercfg`,
      `${admin}:/admin:ro`,
      `${block}:/block:ro`,
    ];
    const volumes = mounts.flatMap((each) => ['-v', each]);
    run(
      name,
      [...peerVariables(peer, mspId), ...volumes, ...published(port, operations)],
      'peer',
      'node',
      'start',
    );
    await eventually(async () =>
      docker('exec', '-e', 'CORE_PEER_MSPCONFIGPATH=/admin', name, 'peer', 'channel', 'join', '-b', '/block'),
    );
  }
}

test('beside containers as in fabric-samples one command monitors five nodes with their names, and names the one that is stopped', async (t) => {
  t.timeout(300_000);
  if (!HAS_NETWORK_NAMESPACE) {
    // The engine would change the network of the machine.
    t.pass();
    return;
  }
  const directory = temporaryFolder(t);
  const socket = join(directory, 'docker.sock');
  const environment = { DOCKER_HOST: `unix://${socket}` };
  await startEngine(t, directory, [`--host=unix://${socket}`], () => pingSocket(socket), true);
  const docker: Docker = (...args) =>
    execFileSync(findProgram('docker') ?? 'docker', args, {
      env: { PATH: process.env.PATH, ...environment },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  importImage(docker, directory);
  await startContainers(docker, directory);

  const cwd = temporaryFolder(t);
  // Without the processes of other tests.
  const under = ['unshare', '--pid', '--fork', '--mount-proc'];
  const written = await runProgram(t, ['nodes', '--write', 'fabric-nodes'], { cwd, environment, under });
  t.is(written.status, 0, written.stderr);
  t.regex(written.stdout, /fabric-nodes\/agent\.yaml has 5 of 5 nodes\./);
  const args = ['--config', 'fabric-nodes/agent.yaml', '--set', 'operations.listenAddress=127.0.0.1:0'];
  const agent = startProgram(t, ['start', ...args], { cwd });
  const url = await urlOf(agent);
  const names = [...ORDERERS, ...PEERS].map(({ name }) => name);
  const statusNow = async () => readStatus(await (await fetch(`${url}/status`)).text());
  const sentenceNow = async (): Promise<string> =>
    answersOf(await statusNow(), { now: Date.now() }).first.sentence;
  await eventually(async () => {
    const { nodes, problems, channels } = await statusNow();
    t.deepEqual(nodes.map(({ name }) => name).toSorted(), names.toSorted());
    const isFine = problems.length === 0 && nodes.every(({ up }) => up);
    check(isFine && channels[0]?.verdict === 'working', JSON.stringify(problems));
    check((await sentenceNow()) === 'mychannel works', await sentenceNow());
  });

  docker('kill', 'orderer2.example.com');
  await eventually(async () => {
    const status = await statusNow();
    const { sentence, steps } = answersOf(status, { now: Date.now() }).first;
    check(sentence === 'mychannel works, but one more failure stops it', sentence);
    t.true(steps[0]?.text.includes('orderer2.example.com'), steps[0]?.text);
    t.is(status.nodes.find(({ name }) => name === 'orderer2.example.com')?.state, 'down');
  });
  docker('start', 'orderer2.example.com');
  await eventually(async () => check((await sentenceNow()) === 'mychannel works', await sentenceNow()));
});
