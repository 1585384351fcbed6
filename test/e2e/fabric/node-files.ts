// Writes the configuration files of nodes: the samples of the release with the values of the node.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import type { Identity } from './network-files.js';

/** What the metrics provider of a node is. */
export type NodeMetrics = 'prometheus' | 'disabled' | { readonly statsd: string; readonly prefix?: string };

/** What the file of a node says. */
export interface NodeValues {
  /** The directory of the sample configuration. */
  readonly samples: string;
  /** The directory of the file, which `FABRIC_CFG_PATH` names. */
  readonly directory: string;
  readonly name: string;
  readonly identity: Identity;
  /** Its ports: its service, its operations endpoint, and for an orderer its Admin endpoint, for a peer the chaincode port. */
  readonly ports: readonly [service: number, operations: number, other: number];
  /** Whether its operations endpoint has mutual TLS. */
  readonly operationsTls: boolean;
  readonly metrics: NodeMetrics;
}

/** Values by their path, such as `Operations.ListenAddress`. */
type Values = Readonly<Record<string, unknown>>;

const local = (port: number): string => `127.0.0.1:${port}`;

/** Writes `orderer.yaml`; returns its path. */
export function writeOrdererFile(node: NodeValues): string {
  const { identity, ports } = node;
  const { cert, key, ca } = identity.tls;
  const [service, operations, admin] = ports;
  const data = join(node.directory, 'data');
  return write(node, 'orderer.yaml', {
    'General.ListenAddress': '127.0.0.1',
    'General.ListenPort': service,
    'General.BootstrapMethod': 'none',
    'General.LocalMSPID': identity.mspId,
    'General.LocalMSPDir': identity.msp,
    'General.TLS.Enabled': true,
    'General.TLS.PrivateKey': key,
    'General.TLS.Certificate': cert,
    'General.TLS.RootCAs': [ca],
    'General.Cluster.ClientCertificate': cert,
    'General.Cluster.ClientPrivateKey': key,
    'General.Cluster.RootCAs': [ca],
    'FileLedger.Location': data,
    'Consensus.WALDir': join(data, 'wal'),
    'Consensus.SnapDir': join(data, 'snap'),
    'ChannelParticipation.Enabled': true,
    'Admin.ListenAddress': local(admin),
    'Admin.TLS.Enabled': true,
    'Admin.TLS.Certificate': cert,
    'Admin.TLS.PrivateKey': key,
    'Admin.TLS.ClientAuthRequired': true,
    'Admin.TLS.ClientRootCAs': [ca],
    'Operations.ListenAddress': local(operations),
    ...(node.operationsTls && {
      'Operations.TLS.Enabled': true,
      'Operations.TLS.Certificate': cert,
      'Operations.TLS.PrivateKey': key,
      'Operations.TLS.ClientRootCAs': [ca],
    }),
    ...metricsValues(node.metrics, { provider: 'Metrics.Provider', statsd: 'Metrics.Statsd' }, [
      'Address',
      'WriteInterval',
      'Prefix',
    ]),
  });
}

/** Writes `core.yaml`; returns its path. */
export function writePeerFile(node: NodeValues): string {
  const { identity, ports } = node;
  const { cert, key, ca } = identity.tls;
  const [service, operations, chaincode] = ports;
  const data = join(node.directory, 'data');
  return write(node, 'core.yaml', {
    'peer.id': node.name,
    'peer.address': local(service),
    'peer.listenAddress': local(service),
    'peer.chaincodeListenAddress': local(chaincode),
    'peer.chaincodeAddress': local(chaincode),
    'peer.gossip.bootstrap': local(service),
    'peer.gossip.externalEndpoint': local(service),
    'peer.localMspId': identity.mspId,
    'peer.mspConfigPath': identity.msp,
    'peer.fileSystemPath': data,
    'peer.tls.enabled': true,
    'peer.tls.cert.file': cert,
    'peer.tls.key.file': key,
    'peer.tls.rootcert.file': ca,
    'ledger.snapshots.rootDir': join(data, 'snapshots'),
    // Without an engine the peer has no checker of its own; the external builder of the sample is what it needs to start.
    'vm.endpoint': '',
    'operations.listenAddress': local(operations),
    ...(node.operationsTls && {
      'operations.tls.enabled': true,
      'operations.tls.cert.file': cert,
      'operations.tls.key.file': key,
      'operations.tls.clientRootCAs.files': [ca],
    }),
    ...metricsValues(node.metrics, { provider: 'metrics.provider', statsd: 'metrics.statsd' }, [
      'address',
      'writeInterval',
      'prefix',
    ]),
  });
}

function metricsValues(
  metrics: NodeMetrics,
  paths: { provider: string; statsd: string },
  [address, writeInterval, prefix]: readonly [string, string, string],
): Values {
  if (typeof metrics === 'string') return { [paths.provider]: metrics };
  return {
    [paths.provider]: 'statsd',
    [`${paths.statsd}.${address}`]: metrics.statsd,
    [`${paths.statsd}.${writeInterval}`]: '1s',
    [`${paths.statsd}.${prefix}`]: metrics.prefix ?? '',
  };
}

function write({ samples, directory }: NodeValues, name: string, values: Values): string {
  const document = parseDocument(readFileSync(join(samples, name), 'utf8'));
  for (const [path, value] of Object.entries(values)) {
    const keys = path.split('.');
    // A section without values is null in the samples, and setIn does not replace it.
    for (let depth = 1; depth < keys.length; depth += 1) {
      const section = keys.slice(0, depth);
      if (document.getIn(section) === null) document.setIn(section, document.createNode({}));
    }
    document.setIn(keys, document.createNode(value));
  }
  mkdirSync(directory, { recursive: true });
  const file = join(directory, name);
  writeFileSync(file, document.toString());
  return file;
}
