// A chaincode as a service, in the process of the test: a gRPC server that the peer connects to (`protos.Chaincode`, chaincode_shim.proto).
// It is installed for an external builder. While the test runs a program synchronously, the chaincode does not respond.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import type { ExecutionContext } from 'ava';
import { freePort } from '../../helpers/free-port.js';
import { read, write } from './messages.js';
import { runPeerCommand, type FabricNetwork } from './network.js';
import type { FabricNode } from './node.js';
import { lifecycle } from './services.js';

/** The type of the chaincodes in `metadata.json`. */
const TYPE = 'service';

/** The programs of an external builder, as scripts of sh. The release directory says where the chaincode listens. */
const BUILDER = {
  detect: `grep -q '"type":"${TYPE}"' "$2/metadata.json"`,
  build: 'cp "$1/connection.json" "$3/"',
  release: 'mkdir -p "$2/chaincode/server" && cp "$1/connection.json" "$2/chaincode/server/"',
} as const;

/** Restarts a peer with an external builder for chaincodes of tests. */
export async function addBuilder(peer: FabricNode): Promise<void> {
  const path = join(peer.directory, 'builder');
  mkdirSync(join(path, 'bin'), { recursive: true });
  for (const [name, script] of Object.entries(BUILDER))
    writeFileSync(join(path, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await peer.stop();
  await peer.start({ CORE_CHAINCODE_EXTERNALBUILDERS: JSON.stringify([{ name: TYPE, path }]) });
}

/**
 * Starts a chaincode and defines it for the channel with the default endorsement policy. The first peer has a builder. Its functions:
 *
 * - `read` does nothing;
 * - `put` writes the key `key`, and has the event `put`;
 * - `call CHAINCODE` calls `read` of another chaincode.
 */
export async function startChaincode(
  t: ExecutionContext,
  network: FabricNetwork,
  name: string,
): Promise<void> {
  const address = `127.0.0.1:${await freePort()}`;
  const file = createPackage(network.directory, name, address);
  const id = `${name}:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
  await serve(t, address, id);
  runPeerCommand(network.tools, network.peers[0], ['lifecycle', 'chaincode', 'install', file]);
  for (const args of [['approveformyorg', '--package-id', id] as const, ['commit'] as const]) {
    const [command, ...more] = args;
    const printed = await lifecycle(network, command, name, ...more);
    if (printed !== '') throw new Error(`${command} of ${name}: ${printed}`);
  }
}

/** Creates the package of a chaincode with its address; returns its file. */
function createPackage(parent: string, label: string, address: string): string {
  const directory = join(parent, `package-${label}`);
  mkdirSync(directory);
  const add = (name: string, content: object): void =>
    writeFileSync(join(directory, name), JSON.stringify(content));
  const pack = (name: string, ...files: readonly string[]): void =>
    void execFileSync('tar', ['-C', directory, '-czf', join(directory, name), ...files]);
  add('connection.json', { address, dial_timeout: '10s', tls_required: false });
  add('metadata.json', { type: TYPE, label });
  pack('code.tar.gz', 'connection.json');
  pack('package.tar.gz', 'metadata.json', 'code.tar.gz');
  return join(directory, 'package.tar.gz');
}

/** A `protos.ChaincodeMessage`. */
interface ChaincodeMessage {
  readonly type: string;
  readonly payload: Uint8Array;
  readonly txid: string;
  readonly channel_id: string;
}

/** A message to the peer. */
type Sent = Partial<ChaincodeMessage> & { readonly chaincode_event?: object };

const MESSAGE = 'protos.ChaincodeMessage';
const toBytes = (message: Sent): Buffer => write(MESSAGE, message);
const fromBytes = (bytes: Buffer): ChaincodeMessage => read(MESSAGE, bytes);

async function serve(t: ExecutionContext, address: string, id: string): Promise<void> {
  const server = new Server();
  const method = {
    path: '/protos.Chaincode/Connect',
    requestStream: true,
    responseStream: true,
    requestSerialize: toBytes,
    requestDeserialize: fromBytes,
    responseSerialize: toBytes,
    responseDeserialize: fromBytes,
  };
  server.addService({ connect: method }, { connect: (peer: Peer) => connect(peer, id) });
  await promisify(server.bindAsync.bind(server))(address, ServerCredentials.createInsecure());
  t.teardown(() => server.forceShutdown());
}

type Peer = ServerDuplexStream<ChaincodeMessage, Sent>;

/** Registers at a peer, and runs the transactions that it sends. */
function connect(peer: Peer, id: string): void {
  /** What takes the response of the peer, by the transaction: each has one request at a time. */
  const waiting = new Map<string, (response: ChaincodeMessage) => void>();
  peer.on('error', () => undefined);
  peer.on('data', (message: ChaincodeMessage) => {
    const { type, txid, channel_id } = message;
    if (type === 'RESPONSE' || type === 'ERROR') waiting.get(txid)?.(message);
    if (type !== 'TRANSACTION') return;
    const ask: Ask = (request) => {
      peer.write({ ...request, txid, channel_id });
      return new Promise((resolve) => waiting.set(txid, resolve));
    };
    void run(message, ask).then((result) => peer.write({ ...result, type: 'COMPLETED', txid, channel_id }));
  });
  peer.write({ type: 'REGISTER', payload: write('protos.ChaincodeID', { name: id }) });
}

/** Sends a request of a transaction to the peer; returns its response: RESPONSE or ERROR. */
type Ask = (request: Sent) => Promise<ChaincodeMessage>;

async function run({ payload }: ChaincodeMessage, ask: Ask): Promise<Sent> {
  const { args } = read<{ args: Uint8Array[] }>('protos.ChaincodeInput', payload);
  const [command, chaincode] = args.map((arg) => Buffer.from(arg).toString());
  if (command === 'put') {
    const value = Buffer.from('value');
    const request = write('protos.PutState', { key: 'key', value });
    return { ...resultOf(await ask({ type: 'PUT_STATE', payload: request })), chaincode_event: EVENT };
  }
  if (command === 'call') {
    const input = { args: [Buffer.from('read')] };
    const request = write('protos.ChaincodeSpec', { chaincode_id: { name: chaincode }, input });
    return resultOf(await ask({ type: 'INVOKE_CHAINCODE', payload: request }));
  }
  return { payload: SUCCESS };
}

const EVENT = { event_name: 'put' };
const SUCCESS = write('protos.Response', { status: 200 });

/** The result of a transaction whose last request had this response. */
const resultOf = ({ type, payload }: ChaincodeMessage): Sent => ({
  payload:
    type === 'RESPONSE'
      ? SUCCESS
      : write('protos.Response', { status: 500, message: Buffer.from(payload).toString() }),
});
