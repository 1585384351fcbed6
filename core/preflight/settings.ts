// Values of a node's file that its program refuses at the start, and what it needs besides its own files: CouchDB, external builders, the
// library of a crypto provider.

import { existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { isAbsolute, join } from 'node:path';
import type { FabricVersion } from 'fabric-ops-agent/translator/channel';
import { parseLogSpec } from '../contract/log-spec.js';
import { reasonOf } from '../contract/index.js';
import type { Found } from './cause.js';
import { goText } from './files.js';
import { channelNames } from './ledger.js';
import type { PreflightNode } from './node.js';

/** Longest wait for CouchDB, in milliseconds. */
const COUCHDB_TIMEOUT = 3000;

/** What the values of a node stop. */
export async function settingsCauses(node: PreflightNode, fabric: FabricVersion): Promise<Found[]> {
  const isPeer = node.kind === 'peer';
  return [
    ...logSpecCauses(node),
    ...cryptoCauses(node, isPeer ? 'peer.BCCSP' : 'General.BCCSP'),
    ...statsdCauses(node, isPeer ? 'metrics' : 'Metrics'),
    ...(isPeer ? await peerCauses(node, fabric) : ordererCauses(node, fabric)),
  ];
}

function logSpecCauses({ variables }: PreflightNode): Found[] {
  const spec = variables['FABRIC_LOGGING_SPEC'] ?? '';
  try {
    parseLogSpec(spec);
    return [];
  } catch (error) {
    return [
      {
        id: 'log-spec-invalid',
        says: reasonOf(error),
        means: 'the log specification is not valid',
        where: 'variable FABRIC_LOGGING_SPEC',
        todo: 'write it as LOGGER=LEVEL:LEVEL, for example gossip=warn:info',
      },
    ];
  }
}

const HASHES = new Set(['SHA2', 'SHA3']);
const LEVELS = new Set(['256', '384']);

/** The crypto provider (Fabric: bccsp/factory). */
function cryptoCauses(node: PreflightNode, section: string): Found[] {
  const provider = node.text(`${section}.Default`);
  const library = node.path(`${section}.PKCS11.Library`);
  if (provider.value === 'PKCS11' && library.value !== '' && existsSync(library.value))
    return [
      {
        id: 'pkcs11',
        severity: 'warning',
        says: '',
        means:
          'the key is in a PKCS11 token, which is not asked; and the program must be one that was built with PKCS11',
        where: provider.origin,
        todo: 'confirm with --program',
      },
    ];
  if (provider.value !== '' && provider.value !== 'SW')
    return [
      {
        id: provider.value === 'PKCS11' ? 'pkcs11-library-missing' : 'crypto-provider-unknown',
        says: `Could not find default \`${provider.value}\` BCCSP`,
        means:
          provider.value === 'PKCS11'
            ? `the PKCS11 library ${library.value === '' ? 'is not named' : `${library.value} does not exist`}`
            : 'there is no such crypto provider',
        where: provider.value === 'PKCS11' ? library.origin : provider.origin,
        todo:
          provider.value === 'PKCS11'
            ? 'install the library of the token, and use a program that was built with PKCS11'
            : 'set it to SW or PKCS11',
      },
    ];
  const hash = node.text(`${section}.SW.Hash`);
  const level = node.text(`${section}.SW.Security`);
  const isHash = hash.value === '' || HASHES.has(hash.value);
  if (isHash && (level.value === '' || LEVELS.has(level.value))) return [];
  return [
    {
      id: 'crypto-invalid',
      says: isHash
        ? `Security level not supported [${level.value}]`
        : `Hash Family not supported [${hash.value}]`,
      means: 'the crypto provider SW has no such hash',
      where: isHash ? level.origin : hash.origin,
      todo: isHash ? 'set it to 256 or 384' : 'set it to SHA2 or SHA3',
    },
  ];
}

const NETWORKS = new Set(['', 'udp', 'udp4', 'udp6', 'tcp', 'tcp4', 'tcp6', 'unix', 'unixgram']);

function statsdCauses(node: PreflightNode, section: string): Found[] {
  const network = node.text(`${section}.statsd.network`);
  const provider = node.text(`${section}.provider`);
  if (provider.value === 'statsd' && !NETWORKS.has(network.value))
    return [
      {
        id: 'statsd-network-unknown',
        says: `dial ${network.value}: unknown network ${network.value}`,
        means: 'metrics cannot be sent over such a network',
        where: network.origin,
        todo: 'set it to udp or tcp',
      },
    ];
  if (['', 'statsd', 'prometheus', 'disabled'].includes(provider.value)) return [];
  return [
    {
      id: 'metrics-provider-unknown',
      severity: 'warning',
      says: '',
      means: `there is no metrics provider ${provider.value}: the node starts without metrics`,
      where: provider.origin,
      todo: 'set it to prometheus, statsd or disabled',
    },
  ];
}

/** The ways to begin (Fabric: orderer/common/server/main.go, `Main`). */
function ordererCauses(node: PreflightNode, fabric: FabricVersion): Found[] {
  const method = node.text('General.BootstrapMethod');
  const old = node.text('General.GenesisMethod');
  // 2.5 uses `file` unless a method is set; 3.0 takes the key as well, although its own file no longer has it.
  const { value, origin } = method.value === '' && old.value !== '' ? old : method;
  if (!['', 'none', 'file'].includes(value))
    return [
      {
        id: 'bootstrap-method-unknown',
        says: `Unknown bootstrap method: ${value}`,
        means: 'an orderer has no such way to begin',
        where: origin,
        todo: 'set it to none',
      },
      ...consensusCauses(node),
    ];
  if (value === 'file' && fabric !== '2.5')
    return [
      {
        id: 'bootstrap-file',
        says: "Bootstrap method: 'file' is forbidden, since system channel is no longer supported",
        means: 'the file begins a system channel, which Fabric 3 does not have',
        where: origin,
        todo: 'set General.BootstrapMethod to none, and join channels with osnadmin',
      },
      ...consensusCauses(node),
    ];
  return [...(fabric === '2.5' && value !== 'none' ? genesisCauses(node) : []), ...consensusCauses(node)];
}

function genesisCauses(node: PreflightNode): Found[] {
  const block = node.path('General.BootstrapFile', node.text('General.GenesisFile').value || 'genesisblock');
  // With channels it is not read.
  if (existsSync(block.value) || channelNames(node).length > 0) return [];
  return [
    {
      id: 'genesis-block-missing',
      says: `unable to bootstrap orderer. Error reading genesis block file: open ${block.value}: no such file or directory`,
      means: 'the orderer has no channel, and the genesis block that it should begin with does not exist',
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

async function peerCauses(node: PreflightNode, fabric: FabricVersion): Promise<Found[]> {
  const type = node.text('peer.localMspType');
  const found: Found[] = [];
  if (!['', 'bccsp', 'idemix'].includes(type.value))
    found.push({
      id: 'msp-type-unknown',
      says: `unknown MSP type '${type.value}'`,
      means: 'there is no such type of MSP',
      where: type.origin,
      todo: 'set it to bccsp',
    });
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
    ...handlerCauses(node, fabric),
    ...leaderCauses(node),
  ];
}

/** The handlers that are built in (Fabric: core/handlers/library/library.go). */
const HANDLERS: Readonly<Record<string, readonly string[]>> = {
  authFilters: ['DefaultAuth', 'ExpirationCheck', 'TimeWindowCheck'],
  decorators: ['DefaultDecorator'],
};
/** Handlers that 2.5 does not have. */
const NEW_HANDLERS = new Set(['TimeWindowCheck']);

function handlerCauses(node: PreflightNode, fabric: FabricVersion): Found[] {
  return Object.entries(HANDLERS).flatMap(([key, known]) => {
    const { value } = node.value(`peer.handlers.${key}`);
    return (Array.isArray(value) ? (value as unknown[]) : []).flatMap((entry, index): Found[] => {
      if (!(entry instanceof Map)) return [];
      const [name, library] = [String(entry.get('name') ?? ''), entry.get('library') as unknown];
      const isKnown = known.includes(name) && !(fabric === '2.5' && NEW_HANDLERS.has(name));
      // A library of the operator's own is a plugin of Go.
      if (isKnown || (typeof library === 'string' && library !== '')) return [];
      return [
        {
          id: 'handler-unknown',
          says: `Method ${name} isn't a method of HandlerLibrary`,
          means: `this version has no handler ${name}`,
          where: node.file.where(['peer', 'handlers', key, String(index)]),
          todo: `remove it; ${known.filter((each) => fabric !== '2.5' || !NEW_HANDLERS.has(each)).join(', ')} can be listed`,
        },
      ];
    });
  });
}

/** External builders (Fabric: core/peer/config.go, `load`). */
function builderCauses(node: PreflightNode): Found[] {
  const { value, origin } = node.value('chaincode.externalBuilders');
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  const endpoint = node.text('vm.endpoint');
  if (endpoint.value.includes('://') && !/^(?:unix|tcp|https?|fd|npipe):\/\//.test(endpoint.value))
    return [
      {
        id: 'vm-endpoint-invalid',
        says: 'cannot create docker client: invalid endpoint',
        means: `${endpoint.value} is not the address of a Docker engine`,
        where: endpoint.origin,
        todo: 'write it as unix:///var/run/docker.sock or tcp://host:port, or leave it empty',
      },
    ];
  if (list.length === 0 && node.text('vm.endpoint').value === '')
    return [
      {
        id: 'no-chaincode-runtime',
        says: 'VMEndpoint not set and no ExternalBuilders defined',
        means: 'the peer has nothing to run chaincode with',
        where: origin,
        todo: 'set vm.endpoint, or list the external builder ccaas_builder',
      },
    ];
  return list.flatMap((entry, index): Found[] => {
    const where = node.file.where(['chaincode', 'externalBuilders', String(index)]);
    const text = (key: string): string =>
      entry instanceof Map && typeof entry.get(key) === 'string' ? String(entry.get(key)) : '';
    const [path, name] = [text('path'), text('name')];
    if (path === '')
      return [
        {
          id: 'builder-incomplete',
          says: 'invalid external builder configuration, path attribute missing in one or more builders',
          means: 'an external builder has no path',
          where,
          todo: 'set path to its directory',
        },
      ];
    if (name === '')
      return [
        {
          id: 'builder-incomplete',
          says: `external builder at path ${path} has no name attribute`,
          means: 'an external builder has no name',
          where,
          todo: 'set its name',
        },
      ];
    // The peer runs its programs with this path as it is.
    if (existsSync(isAbsolute(path) ? path : join(node.cwd, path))) return [];
    return [
      {
        id: 'builder-missing',
        severity: 'warning',
        says: '',
        means: `the external builder ${name} does not exist at ${path}: the peer starts, and cannot run its chaincode`,
        where,
        todo: 'install the builder there, or remove the entry',
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
          means: 'the peer cannot be the leader and have one elected',
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
        means: `there is no state database ${state.value}: the peer uses goleveldb, and builds the state anew from its blocks`,
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
      says:
        address.value === ''
          ? 'http: no Host in request URL'
          : `dial tcp ${address.value}: connect: ${problem}`,
      means:
        'CouchDB, which has the state of the peer, cannot be reached: the peer tries for a while, and ends',
      where: address.origin,
      todo: 'start CouchDB before the peer, or correct the address',
    },
  ];
}

/** Why CouchDB does not respond. A refusal is a response: only the peer has its password. */
function couchDbProblem(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    try {
      const call = request(`http://${address}/`, { timeout: COUCHDB_TIMEOUT }, (response) => {
        response.destroy();
        resolve(undefined);
      });
      call.on('timeout', () => {
        resolve('i/o timeout');
        call.destroy();
      });
      call.on('error', (error) => resolve(goText(error)));
      call.end();
    } catch (error) {
      resolve(reasonOf(error));
    }
  });
}
