// All causes with their words. README.md has the same ids, in the order of the checks of a node.

import type { FabricVersion } from '../../../translator/channel/index.js';
import type { NodeFile } from '../../../config/index.js';
import { ineffectiveReason } from '../../../config/index.js';
import { showValue } from '../../common/text/value.js';

type Kind = NodeFile['kind'];

/** The words for a cause. */
export interface Words {
  /** A part of the text that the program of the node prints; empty if it prints none. */
  readonly prints: string;
  /** The same in plain words. */
  readonly means: string;
  /** The remedy. */
  readonly todo: string;
  /** `warning`: the node would start, but not as intended. @default `cause`: it would not start */
  readonly severity?: 'warning';
}

const RENEW = 'enroll the node again (fabric-ca-client reenroll), and put certificate and key in place';
const RESTORE =
  'restore the ledger folder from a copy of the whole node; without one, remove the node’s data and let it join the channel again';
const REJOIN =
  'remove this orderer from the consenters of the channel, delete its data of the channel, and let it join again; never copy the WAL of another orderer';
const OVERRIDES = 'peer.deliveryclient.addressOverrides';
const BUILDERS = 'chaincode.externalBuilders';

const REBUILT_BY_ORDERER = 'remove the directory: the orderer builds the index again from its blocks';
const REBUILD =
  'run `peer node rebuild-dbs`: the peer builds its databases again from the blocks; a peer that joined a channel with a snapshot cannot, and needs a copy of the whole node';
/** The remedy for each database that a peer can do without; the others exist only in a copy. */
const REBUILT_BY_PEER: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['index', 'stateLeveldb', 'historyLeveldb', 'configHistory', 'bookkeeper'].map((name) => [name, REBUILD]),
  ),
  fileLock: 'remove the directory: the peer makes it again',
  transientStoreFileLock: 'remove the directory: the peer makes it again',
  transientstore:
    'remove the directory: the peer makes it again, without the private data of transactions that are not committed yet',
};

/** What is wrong with a database. @param problem in the words of goleveldb */
function databaseFault(problem: string): string {
  if (problem.includes('manifest corrupted')) return 'has a MANIFEST that is empty or damaged';
  if (problem.includes('incomplete CURRENT')) return 'has a file CURRENT that is empty or damaged';
  if (problem.startsWith('leveldb/table')) return 'has a table that is incomplete or damaged';
  if (problem === 'file missing') return 'has lost a table that its MANIFEST names';
  if (problem === 'file does not exist') return 'has lost its files, but its directory is not empty';
  return 'has lost its file CURRENT, or the MANIFEST that it names';
}

/** The words for a directory of the local MSP without a certificate. */
function mspFolderWords(
  { path, problem, isIdemix, namesFolders }: MspFolderData,
  [name, unreadable, none, todo]: readonly [name: string, unreadable: string, none: string, todo: string],
): Words {
  if (problem === undefined)
    return {
      prints: namesFolders ? none : 'Setup error: nil conf reference',
      means: `${name} has no certificate in PEM`,
      todo,
    };
  const prints = `${unreadable} directory ${path}: ${problem}`;
  return isIdemix
    ? {
        prints,
        means: 'the directory has an MSP of the type idemix, which is for clients',
        todo: 'name an MSP directory with X.509 certificates',
      }
    : { prints, means: `the directory ${name} of the MSP cannot be read`, todo };
}

export interface MspFolderData {
  readonly path: string;
  /** Why the program cannot read it, in the words of Go; undefined: it has no certificate. */
  readonly problem: string | undefined;
  /** Whether the MSP directory is of the type idemix. */
  readonly isIdemix: boolean;
  /** Whether the messages of the program name the folders. */
  readonly namesFolders: boolean;
}

/** A channel that a program cannot set up: an orderer exits, a peer starts without it. */
const withoutChannel = (kind: Kind, { means, ...words }: Words): Words =>
  kind === 'peer'
    ? { ...words, means: `${means}: the peer starts without it`, severity: 'warning' }
    : { ...words, means };

/** A warning without a message of the program. */
const warning = (means: string, todo: string, prints = ''): Words => ({
  prints,
  means,
  todo,
  severity: 'warning',
});

/** Startup errors, in the order in which the node checks for them. */
export const CAUSES = {
  'file-unreadable': ({ kind, problem }: { readonly kind: Kind; readonly problem: string }) => ({
    prints:
      kind === 'peer'
        ? 'error when reading core config file'
        : 'failed to parse config:  Error reading configuration',
    means: problem,
    todo: 'correct the file',
  }),
  'wrong-value': (
    data:
      | { readonly list: 'builders'; readonly problem: string }
      | { readonly list: 'overrides'; readonly isUnreadVariable: boolean },
  ) =>
    data.list === 'builders'
      ? {
          prints: data.problem,
          means: `${BUILDERS} is not a list of builders in YAML or JSON`,
          todo: 'write it as [{name: NAME, path: DIRECTORY}]',
        }
      : {
          prints: `could not unmarshal ${OVERRIDES}: `,
          means: `${OVERRIDES} is not a list of mappings`,
          todo: data.isUnreadVariable
            ? 'write the list into the file: this version cannot read it from a variable'
            : 'write it as [{from: HOST:PORT, to: HOST:PORT, caCertsFile: FILE}]',
        },
  'msp-id-missing': ({ kind }: { readonly kind: Kind }) =>
    kind === 'peer'
      ? {
          prints: 'the local MSP must have an ID',
          means: 'the peer does not know the id of its organisation',
          todo: 'set peer.localMspId',
        }
      : warning(
          'without an MSP id the orderer uses SampleOrg, and no other orderer accepts it',
          'set General.LocalMSPID',
        ),
  'msp-path-missing': ({ directory }: { readonly directory: string }) => ({
    prints: `cannot init crypto, specified path "${directory}" does not exist or cannot be accessed`,
    means: `the peer has no directory with its identity${directory === '' ? '' : `: there is no ${directory}`}`,
    todo: 'set peer.mspConfigPath to the MSP directory of the peer',
  }),
  /** @param unreadable the first public key that cannot be read, and why */
  'msp-type-idemix': ({
    unreadable,
  }: {
    readonly unreadable:
      | { readonly what: string; readonly path: string; readonly problem: string }
      | undefined;
  }) => ({
    prints:
      unreadable === undefined
        ? 'Unsupported msp type idemix'
        : `failed to read ${unreadable.what} public key file: could not read file ${unreadable.path}: ${unreadable.problem}`,
    means: 'the MSP of a peer cannot be of the type idemix, which is for clients',
    todo: 'set it to bccsp, and peer.mspConfigPath to an MSP directory with X.509 certificates',
  }),
  'signcerts-missing': (data: MspFolderData) =>
    mspFolderWords(data, [
      'signcerts',
      data.namesFolders
        ? 'could not load signing certificate from'
        : 'could not load a valid signer certificate from',
      'no signing certificate found in directory',
      'put the signing certificate of the node there, in PEM',
    ]),
  'cacerts-missing': (data: MspFolderData) =>
    mspFolderWords(data, [
      'cacerts',
      'could not load a valid ca certificate from',
      'no ca certificate found in directory',
      'put the CA of the organisation there, in PEM',
    ]),
  'msp-config-broken': ({ file, problem }: { readonly file: string; readonly problem: string }) => ({
    prints: `failed unmarshalling configuration file at [${file}]`,
    means: problem,
    todo: 'correct the file, or copy it from another node of the organisation',
  }),
  'admins-missing': ({ fault }: { readonly fault: string }) => ({
    prints: fault,
    means:
      'config.yaml has no unit of administrators (NodeOUs, AdminOUIdentifier), and admincerts has no certificate',
    todo: 'enable NodeOUs with AdminOUIdentifier in config.yaml, as on other nodes of the organisation',
  }),
  'msp-invalid': (
    data:
      | { readonly fault: string }
      /** A unit in config.yaml without its certificate. */
      | { readonly unit: string },
  ) => ({
    prints: 'fault' in data ? data.fault : 'failed loading OrganizationalUnit certificate at [',
    means:
      'fault' in data ? 'a certificate of the MSP directory cannot be used as Fabric requires' : data.unit,
    todo: "replace it with the certificate of the organisation's CA; cacerts, intermediatecerts and the tls… directories must contain only CAs",
  }),
  'signcert-invalid': ({ problem }: { readonly problem: string }) => ({
    prints: problem,
    means: 'this version of Fabric cannot read the signing certificate',
    todo: RENEW,
  }),
  'signcert-untrusted': ({ problem }: { readonly problem: string }) => ({
    prints: problem,
    means:
      'no CA in cacerts has issued the signing certificate, or the CA was not valid at the start of the certificate',
    todo: `put the CA that issued it in cacerts, or ${RENEW}`,
  }),
  'signcert-expired': ({ until }: { readonly until: Date }) => ({
    prints: 'signing identity expired',
    means: `the signing certificate expired on ${until.toISOString()}`,
    todo: RENEW,
  }),
  /** An orderer does not validate its own identity at the start; a peer does (gossip/identity). */
  'signcert-role': ({
    kind,
    problem,
    printed,
  }: {
    readonly kind: Kind;
    readonly problem: string;
    /** The part of it that a peer prints. */
    readonly printed: string;
  }) => {
    const means = `the identity of the node is not valid in its organisation: ${problem}`;
    return kind === 'orderer' ? warning(means, RENEW) : { prints: printed, means, todo: RENEW };
  },
  'key-missing': () => ({
    prints: 'KeyMaterial not found in SigningIdentityInfo',
    means: 'keystore has no readable private key that belongs to the signing certificate',
    todo: 'put the private key of the signing certificate there, in PEM, readable for the user of the node',
  }),
  'pkcs11-library-missing': ({ library }: { readonly library: string }) => ({
    prints: 'Could not find default `PKCS11` BCCSP',
    means: `the PKCS11 library ${library === '' ? 'is not named' : `${library} does not exist`}`,
    todo: 'install the library of the token, and use a program that was built with PKCS11',
  }),
  'statsd-unreachable': ({ address, problem }: { readonly address: string; readonly problem: string }) => ({
    prints: problem,
    means: `the node must connect to StatsD before it starts, but cannot: ${address === '' ? 'no address is set' : address}`,
    todo: 'start StatsD before the node, correct the address, or set the network to udp',
  }),
  'statsd-interval': ({ value }: { readonly value: unknown }) => ({
    prints: 'non-positive interval for NewTicker',
    means: `metrics cannot be sent at the interval ${value === undefined ? 'of 0: none is set' : JSON.stringify(value)}`,
    todo: 'set it to a duration such as 10s',
  }),
  'bootstrap-file': () => ({
    prints: "Bootstrap method: 'file' is forbidden, since system channel is no longer supported",
    means: 'the orderer would create a system channel, which Fabric 3 does not have',
    todo: 'set General.BootstrapMethod to none, and join channels with osnadmin',
  }),
  /** @param problem in the words of Go; undefined: the file is empty */
  'genesis-block-missing': ({
    file,
    problem,
  }: {
    readonly file: string;
    readonly problem: string | undefined;
  }) => ({
    prints:
      problem === undefined
        ? 'Failed validating bootstrap block: empty block data'
        : `unable to bootstrap orderer. Error reading genesis block file: ${problem}`,
    means: `the orderer has no channel, and its genesis block ${file} ${problem === undefined ? 'is empty' : 'cannot be read'}`,
    todo: 'set General.BootstrapMethod to none, or name the file of the block',
  }),
  /** @param section with unknown keys; empty: the file itself. @param advice on each of them */
  'unknown-keys': ({
    fabric,
    section,
    names,
    advice,
  }: {
    readonly fabric: FabricVersion;
    readonly section: string;
    readonly names: readonly string[];
    readonly advice: readonly string[];
  }) => ({
    prints: `'${section}' has invalid keys: ${names.join(', ')}`,
    means: `an orderer of Fabric ${fabric === '2.5' ? '2.5' : '3'} refuses a file with keys that it does not know`,
    todo: advice.join('; '),
  }),
  /** @param allowed in plain words @param prints a part of the message of the program */
  'value-refused': ({
    value,
    prints,
    allowed,
  }: {
    readonly value: unknown;
    readonly prints: string;
    readonly allowed: string;
  }) => ({
    prints,
    means: `the program refuses this value: ${value === undefined ? 'it is not set' : `found ${value instanceof Map ? 'a mapping' : showValue(value)}`}`,
    todo: `it must be ${allowed}`,
  }),
  'consensus-invalid': () => ({
    prints: "Failed to decode etcdraft configuration: '' expected a map",
    means: 'Consensus must be a mapping',
    todo: 'write WALDir and SnapDir below it, indented',
  }),
  /** @param problem in the words of Go; undefined: the path is relative */
  'snapshots-invalid': ({ path, problem }: { readonly path: string; readonly problem: string | undefined }) =>
    problem === undefined
      ? {
          prints: `invalid path: ${path}. The path for the snapshot dir is expected to be an absolute path`,
          means: 'the directory of the snapshots has a relative path',
          todo: 'write the absolute path',
        }
      : {
          prints: problem,
          means: `the peer cannot use the directory of the snapshots ${path}`,
          todo: 'name a directory that the user of the peer may write to, and make this user the owner of its content',
        },
  'couchdb-unreachable': ({ problem }: { readonly problem: string }) => ({
    prints: problem,
    means:
      'CouchDB, the state database of the peer, cannot be reached: the peer retries for a while, and exits',
    todo: 'start CouchDB before the peer, or correct the address, which is host:port',
  }),
  'no-chaincode-runtime': () => ({
    prints: 'VMEndpoint not set and no ExternalBuilders defined',
    means: 'the peer has no way to run chaincode',
    todo: 'set vm.endpoint, or list the external builder ccaas_builder',
  }),
  /** @param path of a builder without a name; empty: it has no path */
  'builder-incomplete': ({ path }: { readonly path: string }) =>
    path === ''
      ? {
          prints: 'invalid external builder configuration, path attribute missing in one or more builders',
          means: 'an external builder has no path',
          todo: 'set path to its directory',
        }
      : {
          prints: `external builder at path ${path} has no name attribute`,
          means: 'an external builder has no name',
          todo: 'set its name',
        },
  'gossip-leader': () => ({
    prints: "Setting both orgLeader and useLeaderElection to true isn't supported, aborting execution",
    means: 'the peer cannot be the static leader and use leader election',
    todo: 'set one of them to false',
  }),
  'limit-invalid': ({ key, value }: { readonly key: string; readonly value: string }) => ({
    prints: 'permits must be greater than 0',
    means: `${key} is ${value}, but must not be negative`,
    todo: 'set it to a number of calls, or to 0 for no limit',
  }),
  'tls-file-missing': (
    data:
      | {
          /** The part of the node, and what the file is for it. */
          readonly part: string;
          readonly what: string;
          readonly path: string;
          readonly message: string;
        }
      | { readonly part: 'engine'; readonly path: string },
  ) =>
    'what' in data
      ? {
          prints: data.message,
          means: `the ${data.what} of ${data.part} cannot be read: ${data.path === '' ? 'no file is named' : data.path}`,
          todo: 'name a file that exists and that the user of the node may read',
        }
      : {
          prints: 'cannot create docker client: failed to create tls config: ',
          means: `a file for the TLS connection to Docker does not exist: ${data.path === '' ? 'no file is named' : data.path}`,
          todo: 'name a file that exists and that the user of the node may read, or set vm.docker.tls.enabled to false',
        },
  'tls-file-invalid': ({ part, certificate, key, message }: TlsPairData) => ({
    prints: message,
    means: `the certificate ${certificate} or the private key ${key} of ${part} is not valid PEM`,
    todo: 'use the certificate and the key of the same enrolment',
  }),
  'tls-pair-mismatch': ({ part, certificate, key, message }: TlsPairData) => ({
    prints: message,
    means: `the private key ${key} does not belong to the certificate ${certificate} of ${part}`,
    todo: 'use the certificate and the key of the same enrolment',
  }),
  'tls-client-ca-empty': ({
    part,
    path,
    message,
  }: {
    readonly part: string;
    readonly path: string;
    readonly message: string;
  }) => ({
    prints: message,
    means: `${path} has no certificate in PEM, and ${part} verifies client certificates with it`,
    todo: 'put the CA of the clients there, in PEM',
  }),
  'address-invalid': (
    data:
      | { readonly of: 'listener'; readonly name: string; readonly value: string; readonly message: string }
      | { readonly of: 'peer'; readonly message: string }
      | { readonly of: 'chaincode'; readonly value: string; readonly problem: string },
  ) => {
    if (data.of === 'peer')
      return {
        prints: data.message,
        means: 'the peer does not know its own address',
        todo: 'set it to the host:port that other nodes use',
      };
    return data.of === 'chaincode'
      ? {
          prints: `Failed to create chaincode server: ${data.problem}`,
          means: `chaincode cannot connect to ${data.value}`,
          todo: 'set peer.chaincodeAddress to the host:port that chaincode uses',
        }
      : {
          prints: data.message,
          means: `the address of ${data.name} is not host:port: ${data.value === '' ? 'it is empty' : data.value}`,
          todo: 'write it as host:port',
        };
  },
  /** @param problem in the words of Go; undefined: the host name is unknown */
  'address-unusable': ({
    name,
    value,
    message,
    problem,
  }: ListenData & { readonly problem: string | undefined }) => ({
    prints: message,
    means: `${name} cannot listen on ${value}: ${problem ?? 'the host name is unknown'}`,
    todo: 'set an address of this machine, and a port that the user of the node may listen on',
  }),
  'port-taken': ({ name, value, message }: ListenData) => ({
    prints: message,
    means: `another program listens on ${value}, the address of ${name}`,
    todo: 'end that program (ss -ltnp shows it), or set another port',
  }),
  'ledger-unusable': ({
    place,
    problem,
    message,
  }: {
    readonly place: string;
    readonly problem: string;
    readonly message: string;
  }) => ({
    prints: message,
    means: `the node cannot use its ledger folder: ${place}: ${problem}`,
    todo: 'make the user of the node the owner of the folder and its content, or correct the path',
  }),
  /** @param holder the id of a process; 0: it is not visible here */
  'ledger-locked': ({
    kind,
    root,
    lock,
    holder,
  }: {
    readonly kind: Kind;
    readonly root: string;
    readonly lock: string;
    readonly holder: number;
  }) => ({
    prints:
      kind === 'peer'
        ? `lock is already acquired on file ${lock}`
        : 'Error opening leveldb: resource temporarily unavailable',
    means: `${holder === 0 ? 'a process that is not visible here' : `the process ${holder}`} uses the ledger folder ${root}, but does not listen on the addresses of this node`,
    todo: 'end that process; two nodes cannot share a ledger folder',
  }),
  'disk-full': ({ kind, place }: { readonly kind: Kind; readonly place: string }) => ({
    prints: 'no space left on device',
    means: `the file system of ${place} is full, and the ${kind} writes to its databases at the start`,
    todo: 'free some space, or enlarge the file system; never delete files of the ledger or of the WAL',
  }),
  /** @param problem in the words of goleveldb */
  'database-broken': ({
    kind,
    directory,
    name,
    problem,
  }: {
    readonly kind: Kind;
    readonly directory: string;
    readonly name: string;
    readonly problem: string;
  }) => ({
    prints: name.endsWith('ileLock')
      ? `Error acquiring lock on file ${directory}: ${problem}`
      : problem.startsWith('leveldb/table')
        ? problem.replace(/(?<=mismatch) .*$/, '')
        : `Error opening leveldb: ${problem}`,
    means: `the database ${directory} ${databaseFault(problem)}`,
    todo: kind === 'orderer' ? REBUILT_BY_ORDERER : (REBUILT_BY_PEER[name] ?? RESTORE),
  }),
  /** @param format of the databases; empty: of Fabric 1.x */
  'data-format': ({
    directory,
    format,
    expected,
  }: {
    readonly directory: string;
    readonly format: string;
    readonly expected: string;
  }) => ({
    prints: `The db at path [${directory}] contains data in unexpected format. expected data format = [${expected}]`,
    means: `the databases of the peer have ${format === '' ? 'the format of Fabric 1.x' : `the format ${format}`}`,
    todo:
      format === ''
        ? 'copy the ledger folder, then run `peer node upgrade-dbs` with the new version before its first start'
        : 'start the peer with the version that wrote the data',
  }),
  /** @param size of the file; undefined: it is missing */
  'block-file-cut': ({
    channel,
    file,
    size,
    committed,
  }: {
    readonly channel: string;
    readonly file: string;
    readonly size: number | undefined;
    readonly committed: number;
  }) =>
    size === undefined
      ? {
          prints: 'Could not retrieve header of the last block form file',
          means: `the block file ${file} of the channel ${channel} is missing`,
          todo: RESTORE,
        }
      : {
          prints: `error peeking [${size - committed}] bytes from block file: bufio: negative count`,
          means: `the block file ${file} of the channel ${channel} has ${size} bytes, but the index has committed blocks up to byte ${committed}`,
          todo: RESTORE,
        },
  /** @param hasState whether the state of the channel exists */
  'channel-empty': ({ channel, hasState }: { readonly channel: string; readonly hasState: boolean }) =>
    hasState
      ? {
          prints: 'Committer height cannot be zero, ledger should include at least one block (genesis).',
          means: `the peer has joined the channel ${channel}, but its blocks are gone`,
          todo: RESTORE,
        }
      : warning(
          `the peer has joined the channel ${channel}, but its blocks and its state are gone: it starts without it`,
          RESTORE,
          `Failed to load chain ${channel}(channelconfig Config cannot be nil)`,
        ),
  'block-damaged': ({ channel, problem }: { readonly channel: string; readonly problem: string }) => ({
    prints: 'Could not retrieve header of the last block form file: error decoding',
    means: `the newest block of the channel ${channel} is damaged: ${problem}`,
    todo: RESTORE,
  }),
  'block-file-tail': ({
    kind,
    channel,
    committed,
  }: {
    readonly kind: Kind;
    readonly channel: string;
    readonly committed: number;
  }) => {
    const means = `after the committed blocks of the channel ${channel} the file has bytes that are not a block, such as zeros after a loss of power`;
    const todo = `on a copy of the folder, truncate the file to ${committed} bytes, the end of the committed blocks; the node gets the rest from others`;
    return kind === 'peer'
      ? warning(`${means}: the peer starts without the channel`, todo, `Failed to load ledger ${channel}`)
      : { prints: `Failed getting channel ${channel}'s ledger: error decoding`, means, todo };
  },
  'wal-unusable': (
    data:
      | { readonly directory: string; readonly problem: string; readonly prints: string }
      | { readonly channel: string; readonly file: string; readonly problem: string },
  ) =>
    'file' in data
      ? {
          prints: `ofdTryLockFile failed to open "${data.file}" (open ${data.file}: ${data.problem})`,
          means: `the orderer cannot use the write-ahead log of the channel ${data.channel}: ${data.problem}`,
          todo: 'make the user of the orderer the owner of the WAL directory and its content',
        }
      : {
          prints: data.prints,
          means: `the orderer cannot use ${data.directory}: ${data.problem}`,
          todo: 'name a directory that the user of the orderer may write to, and make this user the owner of its content',
        },
  /** @param holder the id of a process; 0: Linux does not name it */
  'wal-locked': ({
    channel,
    file,
    holder,
  }: {
    readonly channel: string;
    readonly file: string;
    readonly holder: number;
  }) => ({
    prints: 'fileutil: file already locked',
    means: `${holder === 0 ? 'another process' : `the process ${holder}`} has locked the write-ahead log ${file} of the channel ${channel}`,
    todo: 'end that process (lsof shows it), such as a second orderer; two orderers cannot have the same Consensus.WALDir',
  }),
  /** @param index of the newest snapshot; 0: there is none. @param message in the words of etcd */
  'wal-files': ({
    channel,
    index,
    message,
  }: {
    readonly channel: string;
    readonly directory: string;
    readonly index: bigint;
    readonly message: string;
  }) => ({
    prints: message,
    means: `files of the write-ahead log of the channel ${channel} are missing${index === 0n ? ', or its snapshots are' : `: it has to begin with the snapshot of the entry ${index}`}`,
    todo: REJOIN,
  }),
  /** @param problem in plain words */
  'wal-cut': ({ channel, problem }: { readonly channel: string; readonly problem: string }) => ({
    prints: 'failed to create or read WAL: failed to read WAL and cannot repair',
    means: `the write-ahead log of the channel ${channel} is truncated or damaged: ${problem}`,
    todo: REJOIN,
  }),
  /** @param commit the entry up to which the log is committed @param index of the newest snapshot @param last the newest entry */
  'wal-contradiction': ({
    channel,
    commit,
    index,
    last,
  }: {
    readonly channel: string;
    readonly commit: bigint;
    readonly index: bigint;
    readonly last: bigint;
  }) => ({
    prints: `state.commit ${commit} is out of range [${index}, ${last}]`,
    means:
      commit < index
        ? `the write-ahead log of the channel ${channel} ends before its newest snapshot: it was restored from an older copy`
        : `the write-ahead log of the channel ${channel} has lost entries at its end: the newest is ${last}, but entries up to ${commit} were committed`,
    todo: REJOIN,
  }),
  'system-channel': ({ channel, block }: { readonly channel: string; readonly block: bigint }) => ({
    prints: `found system channel config block in the ledger, channel: ${channel}, block number: ${block}. This version does not support the system channel. Remove it before upgrading.`,
    means: `${channel} is a system channel, which Fabric 3 does not have`,
    todo: `with 2.5 running, put the channels into maintenance, remove the channel with osnadmin channel remove -c ${channel}, set General.BootstrapMethod to none, and restart; then upgrade`,
  }),
  'channel-too-new': ({
    kind,
    channel,
    capabilities,
  }: {
    readonly kind: Kind;
    readonly channel: string;
    readonly capabilities: readonly string[];
  }) =>
    withoutChannel(kind, {
      prints: 'initializing channelconfig failed: Must set some OrdererAddresses',
      means: `the channel ${channel} has capabilities of a newer version (${capabilities.join(', ')})`,
      todo: 'start the node with a version that has these capabilities; capabilities are never removed',
    }),
  'capability-missing': ({
    channel,
    group,
    capability,
  }: {
    readonly channel: string;
    readonly group: string;
    readonly capability: string;
  }) => ({
    prints: `${group} capability ${capability} is required but not supported`,
    means: `the channel ${channel} requires the capability ${capability}, which this version does not have`,
    todo: 'start the node with a version that has it',
  }),
  'channel-msp': ({
    kind,
    channel,
    path,
    message,
  }: {
    readonly kind: Kind;
    readonly channel: string;
    readonly path: string;
    readonly message: string;
  }) =>
    withoutChannel(kind, {
      prints: message,
      means: `this version does not accept a certificate of ${path} in the channel ${channel}: after an upgrade it no longer counts`,
      todo: 'replace the certificate in the config of the channel before the upgrade (configtxlator org set-msp)',
    }),
  'channel-signer-expired': ({
    kind,
    channel,
    path,
  }: {
    readonly kind: Kind;
    readonly channel: string;
    readonly path: string;
  }) =>
    withoutChannel(kind, {
      prints: 'setting up the MSP manager failed: signing identity expired',
      means: `the MSP of ${path} in the channel ${channel} has a signing identity, which has expired`,
      todo: 'while an orderer of the channel still runs, replace the MSP with configtxlator org set-msp; if none does, the orderers only start with a clock that is before the end of the certificate',
    }),
} as const satisfies Readonly<Record<string, (data: never) => Words>>;

export interface TlsPairData {
  readonly part: string;
  /** The files. */
  readonly certificate: string;
  readonly key: string;
  readonly message: string;
}

export interface ListenData {
  readonly name: string;
  readonly value: string;
  readonly message: string;
}

/** Warnings, which never prevent a start. */
export const WARNINGS = {
  running: ({ kind }: { readonly kind: Kind }) =>
    warning(
      `the ${kind} runs already: its addresses, the lock of its ledger, and files that it changes are not checked`,
      'nothing; preflight checks them when the node is stopped',
    ),
  'signcert-not-yet-valid': ({ from }: { readonly from: Date }) =>
    warning(
      `the signing certificate is not valid before ${from.toISOString()}: other nodes refuse this node until then`,
      RENEW,
    ),
  'tls-expired': ({
    part,
    path,
    until,
  }: {
    readonly part: string;
    readonly path: string;
    readonly until: Date;
  }) =>
    warning(
      `the TLS certificate ${path} of ${part} expired on ${until.toISOString()}: the node starts, and its clients refuse it`,
      'renew the TLS certificate before the start',
    ),
  /** @param root the directory that is used instead; undefined: the directory that the peer is started in */
  'ledger-unset': ({ root }: { readonly root: string | undefined }) =>
    root === undefined
      ? warning(
          'no ledger folder is named: the peer writes its ledger into the directory that it is started in',
          'set peer.fileSystemPath',
        )
      : warning(
          `no ledger folder is named: the orderer uses ${root}, and does not find channels in another folder`,
          'set FileLedger.Location',
        ),
  pkcs11: () =>
    warning(
      'the key is in a PKCS11 token, which is not checked; the program must be built with PKCS11',
      'confirm with --program',
    ),
  'builder-missing': ({ name, path }: { readonly name: string; readonly path: string }) =>
    warning(
      `the external builder ${name} does not exist at ${path}: the peer starts, and cannot run its chaincode`,
      'install the builder there, or remove the entry',
    ),
  /** @param problem why the file cannot be read, in the words of Go; undefined: it has no certificate */
  'override-without-effect': ({
    from,
    to,
    file,
    problem,
  }: {
    readonly from: string;
    readonly to: string;
    readonly file: string;
    readonly problem: string | undefined;
  }) =>
    warning(
      `the address override of ${from} has no effect: the peer starts, and connects to ${from}, not to ${to}`,
      'name a PEM file with the CA of the TLS certificate of the orderer; a relative path starts at the working directory of the peer',
      problem === undefined
        ? `Attempted to create a cert pool for override of orderer address '${from}' to '${to}' but did not find any valid certs in '${file}'`
        : `could not read file '${file}' specified for caCertsFile of orderer endpoint override from '${from}' to '${to}': ${problem}`,
    ),
  'variable-without-effect': ({
    kind,
    names,
    section,
    file,
  }: {
    readonly kind: Kind;
    readonly names: readonly string[];
    readonly section: string;
    readonly file: string;
  }) =>
    warning(
      `${names.join(', ')}: no effect: ${ineffectiveReason(kind, section, file)}`,
      `write ${section} into the file; then the variables override it`,
    ),
  'state-database-unknown': ({ name }: { readonly name: string }) =>
    warning(
      `there is no state database ${name}: the peer uses goleveldb, and builds the state again from its blocks`,
      'set it to goleveldb or CouchDB',
    ),
  'channel-unreadable': ({ channel, problem }: { readonly channel: string; readonly problem: string }) =>
    warning(
      `the config of the channel ${channel} cannot be read, so it was not judged: ${problem}`,
      'compare it with the config that another node has (configtxlator show)',
    ),
  /** @param last the newest entry of the log or of a snapshot @param index the entry of the newest block */
  'wal-behind': ({
    channel,
    directory,
    last,
    index,
    isMissing,
    consenters,
  }: {
    readonly channel: string;
    readonly directory: string;
    readonly last: bigint;
    readonly index: bigint;
    readonly isMissing: boolean;
    readonly consenters: number;
  }) => {
    const what = isMissing
      ? `the write-ahead log of the channel ${channel} is missing: there is no ${directory}`
      : `the write-ahead log ${directory} of the channel ${channel} is older than the blocks: its newest entry is ${last}, and the newest block is of the entry ${index}`;
    const restore =
      'put the log back (Consensus.WALDir names its place); never remove or replace only the log';
    return consenters === 1
      ? warning(`${what}: the orderer starts, and the channel has no leader`, restore)
      : warning(
          `${what}: the orderer starts, and ends as soon as another consenter leads that knows it`,
          `${restore}. Without the log, restart the leader of the channel first, so that it forgets what this orderer had, and then start this one; or ${REJOIN}`,
          'is out of range [lastIndex',
        );
  },
  /** @param other what still has the channel: its index or its write-ahead log */
  'channel-lost': ({
    channel,
    isFolderEmpty,
    other,
  }: {
    readonly channel: string;
    readonly isFolderEmpty: boolean;
    readonly other: string | undefined;
  }) =>
    isFolderEmpty
      ? warning(
          `the channel ${channel} has no blocks: the orderer removes it at its start`,
          'put the blocks back first, or join the channel again',
          `Channel '${channel}' has an empty ledger without a join-block, removing it`,
        )
      : warning(
          `the blocks of the channel ${channel} are gone, but it is in ${other}: the orderer starts without it`,
          'put the folder of the blocks back, or name the right folder in FileLedger.Location; otherwise delete the rest of the channel, and join it again',
        ),
  'channel-unlisted': ({ channel }: { readonly channel: string }) =>
    warning(
      `the peer has blocks of the channel ${channel}, but not in its list of channels: it starts without it`,
      RESTORE,
    ),
  /** @param own the number of blocks that the database has @param blocks the number of blocks in the block files */
  'state-ahead': ({
    channel,
    database,
    own,
    blocks,
  }: {
    readonly channel: string;
    readonly database: 'state' | 'history';
    readonly own: bigint;
    readonly blocks: bigint;
  }) =>
    warning(
      `the ${database} database of the channel ${channel} has block ${own - 1n}, but the block files end at block ${blocks - 1n}: the peer starts without it`,
      'run `peer node rebuild-dbs`, after which the peer fetches the missing blocks from others, or restore a complete copy of the node',
      `Failed to load ledger ${channel}(the ${database} database [height=${own}] is ahead of the block store [height=${blocks}]`,
    ),
  /** @param snapshot its last block @param next the block that the database needs */
  'state-lost': ({
    channel,
    database,
    snapshot,
    next,
  }: {
    readonly channel: string;
    readonly database: 'state' | 'history';
    readonly snapshot: bigint;
    readonly next: bigint;
  }) =>
    warning(
      `the peer joined the channel ${channel} with a snapshot, and the ${database} database ends before the first block after it: the peer starts without the channel`,
      RESTORE,
      `Failed to load ledger ${channel}(recovery for DB [${database}] not possible. Ledger [${channel}] is created from a snapshot. Last block in snapshot = [${snapshot}], DB needs block [${next}] onward`,
    ),
  /** @param isBehind whether the state or the history needs the private data of blocks at the start */
  'private-data-behind': ({
    channel,
    own,
    blocks,
    isBehind,
  }: {
    readonly channel: string;
    readonly own: bigint;
    readonly blocks: bigint;
    readonly isBehind: boolean;
  }) => {
    const means = `the store of private data has ${own} blocks of the channel ${channel}, and the block files have ${blocks}`;
    return isBehind
      ? warning(
          `${means}: the peer starts without it`,
          RESTORE,
          `Failed to load ledger ${channel}(${own === 0n ? 'the store is empty' : `last committed block number [${own - 1n}] smaller than the requested block number`}`,
        )
      : warning(`${means}: the peer starts, and ends when it gets the next block`, RESTORE);
  },
  'consenter-unknown': ({
    use,
    path,
    channels,
    isWhole,
  }: {
    readonly use: 'TLS' | 'signing';
    readonly path: string;
    readonly channels: readonly string[];
    /** Whether the whole certificate must be the same, not only its key. */
    readonly isWhole: boolean;
  }) =>
    warning(
      `the ${use} certificate ${path} belongs to no consenter of ${channels.join(', ')}: the orderer starts, but only receives blocks as a follower`,
      `put the certificate of the consenter back${isWhole ? '' : ', or one with the same key'}, or change the channel first: configtxlator consenter rotate BLOCK HOST:PORT ${use === 'TLS' ? '--tls-cert' : '--identity'} FILE`,
    ),
} as const satisfies Readonly<Record<string, (data: never) => Words>>;
