// Checks values in a node's file that its program refuses at the start, and requirements outside of its files: CouchDB, external builders,
// the library of a crypto provider.

import { existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { isAbsolute, join } from 'node:path';
import type { FabricVersion } from 'fabric-ops-agent/translator/channel';
import type { Found } from './cause.js';
import { splitAddress } from './go-address.js';
import { overrideCauses } from './address-overrides.js';
import { builderCauses } from './builders.js';
import { channelNames } from './ledger.js';
import type { PreflightNode } from './node.js';
import { dialText, metricsCauses } from './statsd.js';

/** Longest wait for CouchDB, in milliseconds. */
const COUCHDB_TIMEOUT = 3000;

/** Startup errors of the values of a node. */
export async function settingsCauses(node: PreflightNode, fabric: FabricVersion): Promise<Found[]> {
  const isPeer = node.kind === 'peer';
  return [
    ...cryptoCauses(node, isPeer ? 'peer.BCCSP' : 'General.BCCSP'),
    ...(await metricsCauses(node, isPeer ? 'metrics' : 'Metrics')),
    ...(isPeer ? await peerCauses(node) : ordererCauses(node, fabric)),
  ];
}

/** A key in a PKCS11 token (Fabric: bccsp/factory). */
function cryptoCauses(node: PreflightNode, section: string): Found[] {
  const provider = node.text(`${section}.Default`);
  if (provider.value !== 'PKCS11') return [];
  const library = node.path(`${section}.PKCS11.Library`);
  if (library.value !== '' && existsSync(library.value))
    return [
      {
        id: 'pkcs11',
        severity: 'warning',
        says: '',
        means: 'the key is in a PKCS11 token, which is not checked; the program must be built with PKCS11',
        where: provider.origin,
        todo: 'confirm with --program',
      },
    ];
  return [
    {
      id: 'pkcs11-library-missing',
      says: 'Could not find default `PKCS11` BCCSP',
      means: `the PKCS11 library ${library.value === '' ? 'is not named' : `${library.value} does not exist`}`,
      where: library.origin,
      todo: 'install the library of the token, and use a program that was built with PKCS11',
    },
  ];
}

/** The bootstrap methods (Fabric: orderer/common/server/main.go, `Main`). */
function ordererCauses(node: PreflightNode, fabric: FabricVersion): Found[] {
  const method = node.text('General.BootstrapMethod');
  const old = node.text('General.GenesisMethod');
  // 2.5 uses `file` unless a method is set; 3.0 accepts the key as well, although its own file no longer has it.
  const { value, origin } = method.value === '' && old.value !== '' ? old : method;
  if (value === 'file' && fabric !== '2.5')
    return [
      {
        id: 'bootstrap-file',
        says: "Bootstrap method: 'file' is forbidden, since system channel is no longer supported",
        means: 'the orderer would create a system channel, which Fabric 3 does not have',
        where: origin,
        todo: 'set General.BootstrapMethod to none, and join channels with osnadmin',
      },
      ...consensusCauses(node),
    ];
  return [
    ...(fabric === '2.5' && ['', 'file'].includes(value) ? genesisCauses(node) : []),
    ...consensusCauses(node),
  ];
}

function genesisCauses(node: PreflightNode): Found[] {
  const block = node.path('General.BootstrapFile', node.text('General.GenesisFile').value || 'genesisblock');
  // The block is not read if there are channels.
  if (existsSync(block.value) || channelNames(node).length > 0) return [];
  return [
    {
      id: 'genesis-block-missing',
      says: `unable to bootstrap orderer. Error reading genesis block file: open ${block.value}: no such file or directory`,
      means: 'the orderer has no channel, and its genesis block does not exist',
      where: block.origin,
      todo: 'set General.BootstrapMethod to none, or name the file of the block',
    },
  ];
}

function consensusCauses(node: PreflightNode): Found[] {
  const { value, origin } = node.value('Consensus');
  if (value === undefined || value instanceof Map) return [];
  return [
    {
      id: 'consensus-invalid',
      says: "Failed to decode etcdraft configuration: '' expected a map",
      means: 'Consensus must be a mapping',
      where: origin,
      todo: 'write WALDir and SnapDir below it, indented',
    },
  ];
}

async function peerCauses(node: PreflightNode): Promise<Found[]> {
  const found: Found[] = [];
  const snapshots = node.text('ledger.snapshots.rootDir');
  const isRelative = snapshots.value !== '' && !isAbsolute(snapshots.value);
  if (!isRelative && statSync(snapshots.value, { throwIfNoEntry: false })?.isDirectory() === false)
    found.push({
      id: 'snapshots-invalid',
      says: `unlinkat ${join(snapshots.value, 'temp')}: not a directory`,
      means: 'the directory of the snapshots is a file',
      where: snapshots.origin,
      todo: 'name a directory',
    });
  if (isRelative)
    found.push({
      id: 'snapshots-invalid',
      says: `invalid path: ${snapshots.value}. The path for the snapshot dir is expected to be an absolute path`,
      means: 'the directory of the snapshots has a relative path',
      where: snapshots.origin,
      todo: 'write the absolute path',
    });
  return [
    ...found,
    ...(await stateCauses(node)),
    ...builderCauses(node),
    ...overrideCauses(node),
    ...leaderCauses(node),
    ...limitCauses(node),
  ];
}

/** Most calls of a service at one time (Fabric: internal/peer/node/grpc_limiters.go, `initGrpcSemaphores`); 0 is no limit. */
function limitCauses(node: PreflightNode): Found[] {
  return ['endorserService', 'deliverService', 'gatewayService'].flatMap((service): Found[] => {
    const key = `peer.limits.concurrency.${service}`;
    const { value, origin } = node.text(key);
    if (!/^-0*[1-9]\d*$/.test(value)) return [];
    return [
      {
        id: 'limit-invalid',
        says: 'permits must be greater than 0',
        means: `${key} is ${value}, but must not be negative`,
        where: origin,
        todo: 'set it to a number of calls, or to 0 for no limit',
      },
    ];
  });
}

function leaderCauses(node: PreflightNode): Found[] {
  if (!node.isTrue('peer.gossip.useLeaderElection') || !node.isTrue('peer.gossip.orgLeader')) return [];
  return channelNames(node).length === 0
    ? []
    : [
        {
          id: 'gossip-leader',
          says: "Setting both orgLeader and useLeaderElection to true isn't supported, aborting execution",
          means: 'the peer cannot be the static leader and use leader election',
          where: node.text('peer.gossip.useLeaderElection').origin,
          todo: 'set one of them to false',
        },
      ];
}

async function stateCauses(node: PreflightNode): Promise<Found[]> {
  const state = node.text('ledger.state.stateDatabase');
  if (!['', 'goleveldb', 'CouchDB'].includes(state.value))
    return [
      {
        id: 'state-database-unknown',
        severity: 'warning',
        says: '',
        means: `there is no state database ${state.value}: the peer uses goleveldb, and builds the state again from its blocks`,
        where: state.origin,
        todo: 'set it to goleveldb or CouchDB',
      },
    ];
  if (state.value !== 'CouchDB') return [];
  const address = node.text('ledger.state.couchDBConfig.couchDBAddress');
  const problem = await couchDbProblem(address.value);
  if (problem === undefined) return [];
  return [
    {
      id: 'couchdb-unreachable',
      says: problem,
      means:
        'CouchDB, the state database of the peer, cannot be reached: the peer retries for a while, and exits',
      where: address.origin,
      todo: 'start CouchDB before the peer, or correct the address, which is host:port',
    },
  ];
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
