import { pathsOption, type ForNode } from '../../../core/contract/for-node.js';

/** TLS files are checked only if TLS is enabled: the sample configurations name files that do not exist. */
const TLS_FILES: Readonly<Record<string, readonly string[]>> = {
  'tls.enabled': ['tls.cert', 'tls.rootCert', 'tls.rootCAs', 'tls.clientCert', 'cluster.rootCAs'],
  'operations.tls.enabled': ['operations.tls.cert.file', 'operations.tls.clientRootCAs.files'],
  'admin.tls.enabled': ['admin.tls.certificate', 'admin.tls.clientRootCAs'],
};

/** The certificates in the file of a node. */
export const forNode: ForNode = (node) => {
  const enabled = Object.entries(TLS_FILES).filter(([key]) => node.get<boolean>(key).value);
  const paths = pathsOption(node, ['msp', ...enabled.flatMap(([, files]) => files)]);
  return paths && { ...paths, signer: node.kind };
};
