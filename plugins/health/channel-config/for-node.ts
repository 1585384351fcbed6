import { formatHostPort, type ConfiguredNode, type ForNode } from '../../../core/contract/for-node.js';

/**
 * The channels in the ledger folder of a node. A TLS CA in the channels should have issued its TLS certificate, or the certificate of the
 * TLS server of its cluster. An orderer should be a consenter with this certificate, or with BFT with its identity.
 */
export const forNode: ForNode = (node) => {
  const ledger = node.get<string>('ledger');
  if (ledger.value === '') return undefined;
  const isOrderer = node.kind === 'orderer';
  const cluster = isOrderer ? node.get<string>('cluster.serverCertificate') : undefined;
  const hasCluster = cluster !== undefined && cluster.value !== '';
  const tlsCert = hasCluster ? cluster : node.get<string>('tls.cert');
  const hasTls = hasCluster || node.get<boolean>('tls.enabled').value;
  const msp = node.get<string>('msp');
  return {
    ledger,
    kind: node.kind,
    mspid: node.get<string>('mspId'),
    ...(hasTls && tlsCert.value !== '' && { tlsCert }),
    ...(isOrderer && msp.value !== '' && { msp }),
    ...(isOrderer && { listen: listenAddress(node) }),
  };
};

/** Where other orderers reach an orderer: at a listener of its own (orderer/common/server/main.go, `reuseListener`), or at the general one. */
function listenAddress(node: ConfiguredNode): string {
  const section = String(node.get('cluster.listenPort').value) === '' ? '' : 'cluster.';
  const [host, port] = ['listenAddress', 'listenPort'].map((key) =>
    String(node.get(`${section}${key}`).value),
  );
  return formatHostPort({ host: host || '127.0.0.1', port: Number(port || 7050) });
}
