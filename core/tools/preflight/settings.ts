// Checks values in a node's file that its program refuses at the start, and requirements outside of its files: CouchDB, external builders,
// the library of a crypto provider.

import { constants, existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { isAbsolute, join } from 'node:path';
import type { FabricVersion } from '../../../translator/channel/index.js';
import type { NodeValues } from '../../../config/index.js';
import { readRegularBytes } from '../../common/files/regular-file.js';
import { finding, type Finding } from './cause.js';
import type { ProgramDecoders } from './decoders.js';
import { accessProblem, fileError, makeProblem } from './files.js';
import { splitAddress } from './go-address.js';
import { overrideCauses } from './address-overrides.js';
import { builderCauses } from './builders.js';
import { channelNames } from './heights.js';
import { dialText, metricsCauses } from './statsd.js';

/** Largest genesis block, in bytes. */
const MAX_BLOCK = 100 * 1024 * 1024;
/** Longest wait for CouchDB, in milliseconds. */
const COUCHDB_TIMEOUT = 3000;

/** Startup errors of the values of a node. */
export async function settingsCauses(
  node: NodeValues<ProgramDecoders>,
  fabric: FabricVersion,
): Promise<Finding[]> {
  const isPeer = node.kind === 'peer';
  return [
    ...cryptoCauses(node, isPeer ? 'peer.BCCSP' : 'General.BCCSP'),
    ...(await metricsCauses(node, isPeer ? 'metrics' : 'Metrics')),
    ...(isPeer ? await peerCauses(node) : ordererCauses(node, fabric)),
  ];
}

/** A key in a PKCS11 token (Fabric: bccsp/factory). */
function cryptoCauses(node: NodeValues, section: string): Finding[] {
  const provider = node.text(`${section}.Default`);
  if (provider.value !== 'PKCS11') return [];
  const library = node.path(`${section}.PKCS11.Library`);
  if (library.value !== '' && existsSync(library.value)) return [finding('pkcs11', provider.origin)];
  return [finding('pkcs11-library-missing', library.origin, { library: library.value })];
}

/** The bootstrap methods (Fabric: orderer/common/server/main.go, `Main`). */
function ordererCauses(node: NodeValues, fabric: FabricVersion): Finding[] {
  const method = node.text('General.BootstrapMethod');
  const old = node.text('General.GenesisMethod');
  // 2.5 uses `file` unless a method is set; 3.0 accepts the key as well, although its own file no longer has it.
  const { value, origin } = method.value === '' && old.value !== '' ? old : method;
  if (value === 'file' && fabric !== '2.5')
    return [finding('bootstrap-file', origin), ...consensusCauses(node)];
  return [
    ...(fabric === '2.5' && ['', 'file'].includes(value) ? genesisCauses(node) : []),
    ...consensusCauses(node),
  ];
}

function genesisCauses(node: NodeValues): Finding[] {
  const block = node.path('General.BootstrapFile', node.text('General.GenesisFile').value || 'genesisblock');
  // The block is not read if there are channels.
  if (channelNames(node).length > 0) return [];
  const problem = fileError(block.value, () => readRegularBytes(block.value, MAX_BLOCK));
  const isEmpty = problem === undefined && statSync(block.value).size === 0;
  return problem === undefined && !isEmpty
    ? []
    : [finding('genesis-block-missing', block.origin, { file: block.value, problem })];
}

function consensusCauses(node: NodeValues): Finding[] {
  const { value, origin } = node.value('Consensus');
  if (value === undefined || value instanceof Map) return [];
  return [finding('consensus-invalid', origin)];
}

async function peerCauses(node: NodeValues<ProgramDecoders>): Promise<Finding[]> {
  return [
    ...snapshotCauses(node),
    ...(await stateCauses(node)),
    ...builderCauses(node),
    ...overrideCauses(node),
    ...leaderCauses(node),
    ...limitCauses(node),
  ];
}

/** A peer removes the folder `temp`, and makes it again (Fabric: core/ledger/kvledger/kv_ledger_provider.go, `initSnapshotDir`). */
function snapshotCauses(node: NodeValues): Finding[] {
  const { value: path, origin } = node.text('ledger.snapshots.rootDir');
  if (path === '') return [];
  if (!isAbsolute(path)) return [finding('snapshots-invalid', origin, { path, problem: undefined })];
  const problem = snapshotProblem(path);
  return problem === undefined ? [] : [finding('snapshots-invalid', origin, { path, problem })];
}

/** Why the folder of the snapshots cannot be used, in the words of Go. */
function snapshotProblem(path: string): string | undefined {
  const temporary = join(path, 'temp');
  const making = makeProblem(path);
  if (!existsSync(path)) return making === undefined ? undefined : `mkdir ${path}: ${making}`;
  if (making === 'not a directory') return `unlinkat ${temporary}: ${making}`;
  const reading = accessProblem(path, constants.R_OK | constants.X_OK);
  if (reading !== undefined) return `open ${path}: ${reading}`;
  return making === undefined
    ? undefined
    : `${existsSync(temporary) ? 'unlinkat' : 'mkdir'} ${temporary}: ${making}`;
}

/** Most calls of a service at one time (Fabric: internal/peer/node/grpc_limiters.go, `initGrpcSemaphores`); 0 is no limit. */
function limitCauses(node: NodeValues): Finding[] {
  return ['endorserService', 'deliverService', 'gatewayService'].flatMap((service): Finding[] => {
    const key = `peer.limits.concurrency.${service}`;
    const { value, origin } = node.text(key);
    return /^-0*[1-9]\d*$/.test(value) ? [finding('limit-invalid', origin, { key, value })] : [];
  });
}

function leaderCauses(node: NodeValues): Finding[] {
  if (!node.isTrue('peer.gossip.useLeaderElection') || !node.isTrue('peer.gossip.orgLeader')) return [];
  return channelNames(node).length === 0
    ? []
    : [finding('gossip-leader', node.text('peer.gossip.useLeaderElection').origin)];
}

async function stateCauses(node: NodeValues): Promise<Finding[]> {
  const state = node.text('ledger.state.stateDatabase');
  if (!['', 'goleveldb', 'CouchDB'].includes(state.value))
    return [finding('state-database-unknown', state.origin, { name: state.value })];
  if (state.value !== 'CouchDB') return [];
  const address = node.text('ledger.state.couchDBConfig.couchDBAddress');
  const problem = await couchDbProblem(address.value);
  return problem === undefined ? [] : [finding('couchdb-unreachable', address.origin, { problem })];
}

/** Why CouchDB does not respond, in the words of the peer. A refusal is a response: only the peer has its password. */
async function couchDbProblem(address: string): Promise<string | undefined> {
  if (address === '') return 'http: no Host in request URL';
  if (!URL.canParse(`http://${address}`) || address.includes('/')) {
    const { port } = { port: '', ...splitAddress(address) };
    return /^\d+$/.test(port) && !address.includes('/')
      ? `dial tcp: address ${port}: invalid port`
      : `failed to parse CouchDB address '${address}'`;
  }
  return new Promise((resolve) => {
    const call = request(`http://${address}/`, { timeout: COUCHDB_TIMEOUT }, (response) => {
      response.destroy();
      resolve(undefined);
    });
    call.on('timeout', () => {
      resolve(`dial tcp ${address}: i/o timeout`);
      call.destroy();
    });
    call.on('error', (error) => resolve(dialText('dial tcp', address, error)));
    call.end();
  });
}
