import { formatHostPort, isAnyHost, type HostPort, type ForNode } from '../../../core/contract/for-node.js';

/** The Admin endpoint of an orderer. */
export const forNode: ForNode = (node) => {
  const { value: listen, origin } = node.get<HostPort | null>('admin.listenAddress');
  if (node.kind !== 'orderer' || !node.get<boolean>('participation.enabled').value) return undefined;
  if (listen === null || listen.port === 0) return undefined;
  // An endpoint that listens on all addresses is reached at the host of the operations endpoint.
  const { host } = isAnyHost(listen.host) ? node.address.value : listen;
  const tls = node.get<boolean>('admin.tls.enabled');
  const certificate = node.get<string>('admin.tls.certificate');
  return {
    address: { value: formatHostPort({ host, port: listen.port }), origin },
    tls,
    ...(tls.value && { certificate, ...node.admin }),
  };
};
