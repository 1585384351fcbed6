// Writes the configuration files of nodes: the samples of the release with the values of the node.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { valuesOf, type NodeValues, type Values } from '../../../translator/rehearse/node-files.js';

/** What the metrics provider of a node is. */
export type NodeMetrics = 'prometheus' | 'disabled' | { readonly statsd: string; readonly prefix?: string };

/** What the file of a node contains besides the values of the node. */
export interface SampleValues {
  /** The directory of the sample configuration. */
  readonly samples: string;
  /** Whether its operations endpoint has mutual TLS. */
  readonly operationsTls: boolean;
  readonly metrics: NodeMetrics;
  /** The port for chaincodes of a peer. */
  readonly chaincode: number;
}

/** Writes `orderer.yaml` or `core.yaml`; returns its path. */
export function writeSample(node: NodeValues, sample: SampleValues): string {
  return write(node, sample, {
    ...valuesOf(node),
    ...(node.kind === 'orderer' ? ordererValues(node, sample) : peerValues(node, sample)),
  });
}

function ordererValues(
  { tls: { server, roots } }: NodeValues,
  { operationsTls, metrics }: SampleValues,
): Values {
  return {
    ...(operationsTls && {
      'Operations.TLS.Enabled': true,
      'Operations.TLS.Certificate': server.certificate,
      'Operations.TLS.PrivateKey': server.key,
      'Operations.TLS.ClientRootCAs': [roots],
    }),
    ...metricsValues(metrics, { provider: 'Metrics.Provider', statsd: 'Metrics.Statsd' }, [
      'Address',
      'WriteInterval',
      'Prefix',
    ]),
  };
}

function peerValues(
  { tls: { server, roots } }: NodeValues,
  { operationsTls, metrics, chaincode }: SampleValues,
): Values {
  const address = `127.0.0.1:${chaincode}`;
  return {
    'peer.chaincodeListenAddress': address,
    'peer.chaincodeAddress': address,
    ...(operationsTls && {
      'operations.tls.enabled': true,
      'operations.tls.cert.file': server.certificate,
      'operations.tls.key.file': server.key,
      'operations.tls.clientRootCAs.files': [roots],
    }),
    ...metricsValues(metrics, { provider: 'metrics.provider', statsd: 'metrics.statsd' }, [
      'address',
      'writeInterval',
      'prefix',
    ]),
  };
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

function write({ kind, directory }: NodeValues, { samples }: SampleValues, values: Values): string {
  const name = kind === 'orderer' ? 'orderer.yaml' : 'core.yaml';
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
