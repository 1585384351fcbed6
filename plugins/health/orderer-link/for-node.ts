import type { ForNode } from '../../../core/contract/for-node.js';

/** The orderers of the channels in the ledger folder of a peer. The checker sends its requests in the same way as the peer. */
export const forNode: ForNode = (node) => {
  const [ledger, mspid] = [node.get<string>('ledger'), node.get<string>('mspId')];
  if (node.kind !== 'peer' || ledger.value === '' || mspid.value === '') return undefined;
  const tls = node.get<boolean>('tls.enabled');
  const overrides = node.get<readonly object[]>('addressOverrides');
  const options = {
    ledger,
    msp: node.get<string>('msp'),
    mspid,
    tls,
    ...(overrides.value.length > 0 && { overrides }),
  };
  if (!tls.value || !node.get<boolean>('tls.clientAuthRequired').value) return options;
  const [clientCert, clientKey] = [node.get<string>('tls.clientCert'), node.get<string>('tls.clientKey')];
  return {
    ...options,
    tlsCert: clientCert.value === '' ? node.get<string>('tls.cert') : clientCert,
    tlsKey: clientKey.value === '' ? node.get<string>('tls.key') : clientKey,
  };
};
