// The checkers grpc and ccaas with real nodes.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { temporaryFolder } from '../helpers/folder.js';
import { grpcServer } from '../helpers/grpc-server.js';
import { freePort } from '../helpers/free-port.js';
import { check, eventually } from './daemon.js';
import { startBeside } from './fabric/agent.js';
import { failedChecks, type Endpoint } from './fabric/endpoint.js';
import { runPeerCommand, startNetwork } from './fabric/network.js';

/** Waits until exactly these components fail; returns their reasons. */
const untilFailed = (agent: Endpoint, ...components: readonly string[]): Promise<Record<string, string>> =>
  eventually(async () => {
    const { failed } = await failedChecks(agent);
    check(Object.keys(failed).sort().join() === components.join(), JSON.stringify(failed));
    return failed;
  });

const declare = (name: string, address: string, options: object = {}): object => ({
  plugin: 'grpc',
  name,
  options: { address, ...options },
});

// From 3.1.2 on orderers have the health service.
for (const [version, withoutService] of [
  ['v3.1.5', []],
  ['v2.5.16', ['service']],
] as const)
  test.serial(`an orderer of ${version} with TLS is reachable, and fails while it is down`, async (t) => {
    const { orderers, peers } = await startNetwork(t, { version });
    const [orderer] = orderers;
    const { address } = orderer;
    const tls = { tls: true, ca: orderer.identity.tls.ca };
    const agent = await startBeside(t, [peers[0]], {
      plugins: [
        declare('orderer', address, tls),
        declare('other-ca', address, { ...tls, ca: peers[0].identity.tls.ca }),
        declare('plain', address),
        declare('service', address, { ...tls, service: 'orderer.AtomicBroadcast' }),
        declare('peer', peers[0].address, { tls: true, ca: peers[0].identity.tls.ca }),
      ],
    });
    const failed = `grpc.health.v1.Health/Check at ${address}: `;
    const unknown = `${failed}gRPC status UNIMPLEMENTED: unknown service grpc.health.v1.Health`;
    t.deepEqual(await untilFailed(agent, 'other-ca', 'plain', ...withoutService), {
      'other-ca': `${failed}its certificate is not signed by a trusted CA`,
      plain: `${failed}the connection was closed without a response`,
      ...Object.fromEntries(withoutService.map((name) => [name, unknown])),
    });
    await orderer.stop('SIGKILL');
    const { orderer: reason } = await untilFailed(agent, 'orderer', 'other-ca', 'plain', 'service');
    t.is(reason, `${failed}connection refused`);
    await orderer.start();
    await untilFailed(agent, 'other-ca', 'plain', ...withoutService);
  });

test.serial('the health service at the chaincode port of a peer without TLS', async (t) => {
  const { peers } = await startNetwork(t);
  const [peer] = peers;
  await peer.stop();
  await peer.start({ CORE_PEER_TLS_ENABLED: 'false' });
  const file = parse(readFileSync(peer.file, 'utf8')) as { peer: { chaincodeListenAddress: string } };
  const address = file.peer.chaincodeListenAddress;
  const agent = await startBeside(t, [peer], {
    // Without TLS, the peer does not reach its orderer.
    environment: { FABRIC_OPS_AGENT_NODE_CHECKS: 'orderer-link=false' },
    plugins: [
      declare('chaincode', address),
      declare('peer', peer.address),
      declare('service', address, { service: 'x' }),
      declare('tls', address, { tls: true, ca: peer.identity.tls.ca }),
    ],
  });
  const failed = `grpc.health.v1.Health/Check at ${address}: `;
  t.deepEqual(await untilFailed(agent, 'service', 'tls'), {
    service: `${failed}gRPC status NOT_FOUND: unknown service`,
    tls: `${failed}it does not use TLS`,
  });
});

/** Writes an external builder that works as the one of Fabric does; returns its directory. */
function writeBuilder(t: ExecutionContext): string {
  const directory = temporaryFolder(t);
  const scripts = {
    detect: 'true',
    build: 'cp "$1/connection.json" "$3/"',
    release: 'mkdir -p "$2/chaincode/server" && cp "$1/connection.json" "$2/chaincode/server/"',
  };
  mkdirSync(join(directory, 'bin'));
  for (const [name, command] of Object.entries(scripts)) {
    const script = join(directory, 'bin', name);
    writeFileSync(script, `#!/bin/sh\n${command}\n`);
    chmodSync(script, 0o755);
  }
  return directory;
}

/** Writes a chaincode package; returns its path. */
function writePackage(t: ExecutionContext, label: string, connection: object): string {
  const directory = temporaryFolder(t, {
    'connection.json': JSON.stringify(connection),
    'metadata.json': JSON.stringify({ type: 'ccaas', label }),
  });
  const pack = (archive: string, ...files: readonly string[]): unknown =>
    execFileSync('tar', ['-czf', archive, ...files], { cwd: directory });
  pack('code.tar.gz', 'connection.json');
  pack(`${label}.tar.gz`, 'metadata.json', 'code.tar.gz');
  return join(directory, `${label}.tar.gz`);
}

test.serial('a chaincode that a peer installed with an external builder is checked', async (t) => {
  const { tools, peers } = await startNetwork(t);
  const [peer] = peers;
  await peer.stop();
  const builders = JSON.stringify([{ name: 'builder', path: writeBuilder(t) }]);
  await peer.start({ CORE_CHAINCODE_EXTERNALBUILDERS: builders });
  const agent = await startBeside(t, [peer]);
  await untilFailed(agent);
  const running = await grpcServer(t, () => undefined);
  const port = await freePort();
  for (const [label, address] of [
    ['running', `127.0.0.1:${running.address.port}`],
    ['stopped', `127.0.0.1:${port}`],
  ] as const)
    runPeerCommand(tools, peer, ['lifecycle', 'chaincode', 'install', writePackage(t, label, { address })]);
  const [component = '', reason] = await eventually(async () => {
    const [first = []] = Object.entries((await failedChecks(agent)).failed);
    check(first.length > 0, 'healthy');
    return first;
  });
  t.regex(component, /^peer1\/ccaas\/stopped-[0-9a-f]{64}$/);
  t.is(reason, `failed to connect to chaincode at 127.0.0.1:${port}: connection refused`);
  await untilFailed(agent, component);
});
