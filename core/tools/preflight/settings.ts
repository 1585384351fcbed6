// Checks values in a node's file that its program refuses at the start, and requirements outside of its files: CouchDB, external builders,
// the library of a crypto provider.

import { existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { isAbsolute, join } from 'node:path';
import type { FabricVersion } from 'fabric-ops-agent/translator/channel';
import { findKey } from '../../../config/index.js';
import { parseLogSpec } from '../../contract/log-spec.js';
import { reasonOf } from '../../contract/index.js';
import type { WithOrigin } from '../../common/text/with-origin.js';
import type { Found } from './cause.js';
import { splitAddress } from './go-address.js';
import { overrideCauses } from './address-overrides.js';
import { builderCauses } from './builders.js';
import { channelNames } from './ledger.js';
import { isVariable, type PreflightNode } from './node.js';
import { dialText, metricsCauses } from './statsd.js';

/** Longest wait for CouchDB, in milliseconds. */
const COUCHDB_TIMEOUT = 3000;

/** Startup errors of the values of a node. */
export async function settingsCauses(node: PreflightNode, fabric: FabricVersion): Promise<Found[]> {
  const isPeer = node.kind === 'peer';
  return [
    ...logSpecCauses(node),
    ...cryptoCauses(node, isPeer ? 'peer.BCCSP' : 'General.BCCSP'),
    ...(await metricsCauses(node, isPeer ? 'metrics' : 'Metrics')),
    ...(isPeer ? await peerCauses(node, fabric) : ordererCauses(node, fabric)),
  ];
}

function logSpecCauses({ variables }: PreflightNode): Found[] {
  const spec = variables['FABRIC_LOGGING_SPEC'] ?? '';
  try {
    parseLogSpec(spec);
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
  // Fabric: common/flogging/fabenc/formatter.go, `newColorFormatter`.
  const [, colour] =
    /%\{color:(?!bold\}|reset\}|\})([^}]*)\}/.exec(variables['FABRIC_LOGGING_FORMAT'] ?? '') ?? [];
  if (colour === undefined) return [];
  return [
    {
      id: 'log-spec-invalid',
      says: `invalid color option: ${colour}`,
      means: 'the log format has an unknown color option',
      where: 'variable FABRIC_LOGGING_FORMAT',
      todo: 'write %{color}, %{color:bold} or %{color:reset}',
    },
  ];
}

const HASHES = new Set(['SHA2', 'SHA3']);
const LEVELS = new Set(['256', '384']);

/** A section of the crypto provider that cannot be decoded. A peer needs it, and reads `SW` only if it is a mapping. */
function unreadableCrypto(node: PreflightNode, section: string): Found | undefined {
  const isPeer = node.kind === 'peer';
  const whole = node.value(section);
  const software = node.value(`${section}.SW`);
  const level = node.text(`${section}.SW.Security`);
  const isMissing = whole.value === undefined || whole.value instanceof Map;
  const isNumber = /^[+-]?(?:0x[\da-f]+|\d*)$/i.test(level.value);
  const [says, { origin }, means] = (isPeer ? whole.value instanceof Map : isMissing)
    ? isPeer || software.value === undefined || software.value instanceof Map
      ? ['could not decode', level, `${section}.SW.Security must be a number, but is ${level.value}`]
      : ['could not decode bccsp type', software, `${section}.SW must be a mapping`]
    : [
        isPeer ? 'could not get peer BCCSP configuration' : 'could not decode bccsp type',
        whole,
        `${section} must be a mapping in the file`,
      ];
  if (origin === level.origin && isNumber) return undefined;
  const isBracket = isVariable(origin) && origin !== level.origin;
  return {
    id: 'crypto-invalid',
    says,
    means,
    where: origin,
    todo: isBracket ? 'remove the variable' : 'write Default: SW and SW: {Hash: SHA2, Security: 256}',
  };
}

/** The crypto provider (Fabric: bccsp/factory). */
function cryptoCauses(node: PreflightNode, section: string): Found[] {
  const unreadable = unreadableCrypto(node, section);
  if (unreadable !== undefined) return [unreadable];
  const provider = node.text(`${section}.Default`);
  const library = node.path(`${section}.PKCS11.Library`);
  if (provider.value === 'PKCS11' && library.value !== '' && existsSync(library.value))
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

/** The bootstrap methods (Fabric: orderer/common/server/main.go, `Main`). */
function ordererCauses(node: PreflightNode, fabric: FabricVersion): Found[] {
  const method = node.text('General.BootstrapMethod');
  const old = node.text('General.GenesisMethod');
  // 2.5 uses `file` unless a method is set; 3.0 accepts the key as well, although its own file no longer has it.
  const { value, origin } = method.value === '' && old.value !== '' ? old : method;
  if (!['', 'none', 'file'].includes(value))
    return [
      {
        id: 'bootstrap-method-unknown',
        says: `Unknown bootstrap method: ${value}`,
        means: 'an orderer has no such bootstrap method',
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
        means: 'the orderer would create a system channel, which Fabric 3 does not have',
        where: origin,
        todo: 'set General.BootstrapMethod to none, and join channels with osnadmin',
      },
      ...consensusCauses(node),
    ];
  return [...(fabric === '2.5' && value !== 'none' ? genesisCauses(node) : []), ...consensusCauses(node)];
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
    ...overrideCauses(node),
    ...handlerCauses(node, fabric),
    ...leaderCauses(node),
    ...limitCauses(node),
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
  return [
    ...Object.entries(HANDLERS).flatMap(([key, known]) => listedHandlers(node, fabric, key, known)),
    ...mappedHandlers(node, 'endorsers', 'DefaultEndorsement'),
    ...mappedHandlers(node, 'validators', 'DefaultValidation'),
  ];
}

/** The handlers in a list (Fabric: core/handlers/library/config.go, `LoadConfig`). */
function listedHandlers(
  node: PreflightNode,
  fabric: FabricVersion,
  key: string,
  known: readonly string[],
): Found[] {
  const { value, origin } = node.value(`peer.handlers.${key}`);
  if (value === undefined) return [];
  const list: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
  const isList = list?.every((entry) => entry === null || isHandler(entry)) === true;
  if (list === undefined || !isList)
    return [
      {
        id: 'wrong-value',
        says: 'could not decode peer handlers configuration: ',
        means: `peer.handlers.${key} must be a list of mappings in the file; a variable cannot contain it`,
        where: origin,
        todo: isVariable(origin) ? 'remove the variable' : `write it as - name: ${known[0]}`,
      },
    ];
  return list.flatMap((entry, index): Found[] => {
    if (!(entry instanceof Map)) return [];
    const [name = '', library] = ['name', 'library'].map(
      (part) => findKey(entry, part).value as string | undefined,
    );
    const isKnown = known.includes(name) && !(fabric === '2.5' && NEW_HANDLERS.has(name));
    // A library is a Go plugin of the operator.
    if (isKnown || (library ?? '') !== '') return [];
    const where = node.file.where(['peer', 'handlers', key, String(index)]);
    const allowed = known.filter((each) => fabric !== '2.5' || !NEW_HANDLERS.has(each));
    return [unknownHandler(name, where, `remove it; ${allowed.join(', ')} can be listed`)];
  });
}

const isHandler = (entry: unknown): boolean =>
  entry instanceof Map &&
  ['name', 'library'].every((key) => ['string', 'undefined'].includes(typeof findKey(entry, key).value));

/** The handlers in a mapping; the names can be in variables. */
function mappedHandlers(node: PreflightNode, key: string, known: string): Found[] {
  const { value } = node.value(`peer.handlers.${key}`);
  return [...(value instanceof Map ? value.keys() : [])].flatMap((each): Found[] => {
    const [name, library] = ['name', 'library'].map((part) =>
      node.text(`peer.handlers.${key}.${String(each)}.${part}`),
    ) as [WithOrigin<string>, WithOrigin<string>];
    return name.value === known || library.value !== ''
      ? []
      : [unknownHandler(name.value, name.origin, `set it to ${known}`)];
  });
}

const unknownHandler = (name: string, where: string, todo: string): Found => ({
  id: 'handler-unknown',
  says: `Method ${name} isn't a method of HandlerLibrary`,
  means: `this version has no handler ${name}`,
  where,
  todo,
});

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
