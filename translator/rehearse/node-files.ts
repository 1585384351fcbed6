// Writes the files of a node: its MSP, its TLS certificates, and a complete orderer.yaml or core.yaml.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CopiedNode, CopiedPerson, KeyPair, MspFiles } from './copy.js';

/** The files of a certificate and its key. */
export interface KeyFiles {
  readonly certificate: string;
  readonly key: string;
}

/** What the configuration file of a node contains. */
export interface NodeValues {
  readonly name: string;
  readonly kind: 'orderer' | 'peer';
  readonly mspId: string;
  /** The directory of the configuration file and of the data, which `FABRIC_CFG_PATH` names. */
  readonly directory: string;
  /** Its MSP directory. */
  readonly msp: string;
  readonly tls: {
    readonly server: KeyFiles;
    readonly client: KeyFiles;
    /** A file with the certificates of all TLS CAs. */
    readonly roots: string;
  };
  readonly ports: NodePorts;
}

/** The ports of a node on 127.0.0.1. */
export interface NodePorts {
  readonly service: number;
  readonly operations: number;
  /** Of the Admin endpoint of an orderer; peers have none. */
  readonly admin: number;
}

/** Values by their path, such as `Operations.ListenAddress`. */
export type Values = Readonly<Record<string, unknown>>;

const local = (port: number): string => `127.0.0.1:${port}`;

/**
 * Writes the configuration file of a node, which needs no other file: JSON is YAML.
 *
 * @returns its path
 */
export function writeNodeFile(node: NodeValues): string {
  mkdirSync(node.directory, { recursive: true });
  const file = join(node.directory, node.kind === 'orderer' ? 'orderer.yaml' : 'core.yaml');
  const complete = node.kind === 'orderer' ? {} : { ...completePeer(node), ...SOON };
  writeFileSync(file, `${JSON.stringify(nested({ ...complete, ...valuesOf(node) }), null, 2)}\n`);
  return file;
}

/** The values that belong to one node: its addresses, its certificates, and where its data is. */
export const valuesOf = (node: NodeValues): Values =>
  node.kind === 'orderer' ? ordererValues(node) : peerValues(node);

/** All that an orderer needs: other values have defaults in Fabric (orderer/common/localconfig/config.go), which refuses unknown ones. */
function ordererValues({ directory, mspId, msp, tls, ports }: NodeValues): Values {
  const { server, client, roots } = tls;
  const data = join(directory, 'data');
  return {
    'General.ListenAddress': '127.0.0.1',
    'General.ListenPort': ports.service,
    'General.BootstrapMethod': 'none',
    'General.LocalMSPID': mspId,
    'General.LocalMSPDir': msp,
    'General.TLS.Enabled': true,
    'General.TLS.PrivateKey': server.key,
    'General.TLS.Certificate': server.certificate,
    'General.TLS.RootCAs': [roots],
    'General.Cluster.ClientCertificate': client.certificate,
    'General.Cluster.ClientPrivateKey': client.key,
    'General.Cluster.RootCAs': [roots],
    'FileLedger.Location': data,
    'Consensus.WALDir': join(data, 'wal'),
    'Consensus.SnapDir': join(data, 'snap'),
    'ChannelParticipation.Enabled': true,
    'ChannelParticipation.MaxRequestBodySize': '100 MB',
    'Admin.ListenAddress': local(ports.admin),
    'Admin.TLS.Enabled': true,
    'Admin.TLS.Certificate': server.certificate,
    'Admin.TLS.PrivateKey': server.key,
    'Admin.TLS.ClientAuthRequired': true,
    'Admin.TLS.ClientRootCAs': [roots],
    'Operations.ListenAddress': local(ports.operations),
    'Metrics.Provider': 'prometheus',
  };
}

function peerValues({ name, directory, mspId, msp, tls, ports }: NodeValues): Values {
  const data = join(directory, 'data');
  const service = local(ports.service);
  return {
    'peer.id': name,
    'peer.address': service,
    'peer.listenAddress': service,
    'peer.gossip.bootstrap': service,
    'peer.gossip.externalEndpoint': service,
    'peer.localMspId': mspId,
    'peer.mspConfigPath': msp,
    'peer.fileSystemPath': data,
    'peer.tls.enabled': true,
    'peer.tls.cert.file': tls.server.certificate,
    'peer.tls.key.file': tls.server.key,
    'peer.tls.rootcert.file': tls.roots,
    'ledger.snapshots.rootDir': join(data, 'snapshots'),
    // A peer needs an engine or an external builder to start.
    'vm.endpoint': '',
    'operations.listenAddress': local(ports.operations),
    'metrics.provider': 'prometheus',
  };
}

/** What core.yaml contains besides: values without a default in Fabric. No chaincode is installed. */
const completePeer = ({ directory, tls, ports }: NodeValues): Values => ({
  'peer.networkId': 'dev',
  'peer.chaincodeListenAddress': local(0),
  'peer.chaincodeAddress': local(ports.service),
  'peer.gossip.useLeaderElection': false,
  'peer.gossip.orgLeader': true,
  'peer.gossip.pvtData.pullRetryThreshold': '60s',
  'peer.gossip.pvtData.transientstoreMaxBlockRetention': 20_000,
  'peer.gossip.pvtData.pushAckTimeout': '3s',
  'peer.gossip.pvtData.reconcileSleepInterval': '1m',
  'peer.gossip.pvtData.reconciliationEnabled': true,
  'peer.BCCSP': { Default: 'SW', SW: { Hash: 'SHA2', Security: 256 } },
  'peer.localMspType': 'bccsp',
  'peer.tls.clientCert.file': tls.client.certificate,
  'peer.tls.clientKey.file': tls.client.key,
  'peer.handlers.authFilters': [{ name: 'DefaultAuth' }, { name: 'ExpirationCheck' }],
  'peer.handlers.decorators': [{ name: 'DefaultDecorator' }],
  'peer.handlers.endorsers.escc.name': 'DefaultEndorsement',
  'peer.handlers.validators.vscc.name': 'DefaultValidation',
  'peer.discovery.enabled': true,
  'peer.limits.concurrency.endorserService': 2500,
  'peer.limits.concurrency.deliverService': 2500,
  'chaincode.externalBuilders': [{ name: 'none', path: join(directory, 'builder') }],
  'chaincode.installTimeout': '300s',
  'chaincode.startuptimeout': '300s',
  'chaincode.executetimeout': '30s',
  'chaincode.mode': 'net',
  'chaincode.system': { _lifecycle: 'enable', cscc: 'enable', lscc: 'enable', qscc: 'enable' },
  'ledger.state.stateDatabase': 'goleveldb',
});

/** A peer notices soon who is there, and soon asks an orderer again that had no leader. */
export const SOON: Values = {
  'peer.deliveryclient.reConnectBackoffThreshold': '1s',
  'peer.gossip.reconnectInterval': '2s',
  'peer.gossip.membershipTrackerInterval': '1s',
  'peer.gossip.publishStateInfoInterval': '1s',
  'peer.gossip.requestStateInfoInterval': '1s',
};

/** Sections within sections. */
interface Section {
  [name: string]: unknown;
}

function nested(values: Values): Section {
  const root: Section = {};
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.');
    const last = names.pop()!;
    let section = root;
    for (const name of names) section = (section[name] ??= {}) as Section;
    section[last] = value;
  }
  return root;
}

/** Writes the MSP and the TLS files of a node of the copy, and its configuration file, into a directory. */
export function writeNode(node: CopiedNode, directory: string, ports: NodePorts): NodeValues {
  const { name, kind, mspId, tls } = node;
  const msp = join(directory, 'msp');
  writeMsp(msp, node.msp, node.signing);
  const roots = join(directory, 'tls', 'roots.crt');
  const keyFiles = (part: 'server' | 'client'): KeyFiles => {
    const [certificate, key] = [`${part}.crt`, `${part}.key`].map((file) => join(directory, 'tls', file));
    writeSecret(certificate!, tls[part].certificate);
    writeSecret(key!, tls[part].key);
    return { certificate: certificate!, key: key! };
  };
  writeSecret(roots, tls.roots.join('\n'));
  const files = { server: keyFiles('server'), client: keyFiles('client'), roots };
  const values = { name, kind, mspId, directory, msp, tls: files, ports };
  writeNodeFile(values);
  return values;
}

/** Writes the MSP directory of a person of the copy. */
export const writePerson = ({ msp, pair }: Pick<CopiedPerson, 'msp' | 'pair'>, directory: string): void =>
  writeMsp(directory, msp, pair);

function writeMsp(directory: string, files: MspFiles, { certificate, key }: KeyPair): void {
  for (const [path, text] of files) writeSecret(join(directory, path), text);
  writeSecret(join(directory, 'signcerts', 'cert.pem'), certificate);
  writeSecret(join(directory, 'keystore', 'key_sk'), key);
}

/** Only this user may read it. */
function writeSecret(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}
