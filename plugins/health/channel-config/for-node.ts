import type { ForNode } from '../../../core/contract/for-node.js';

/** The channels in the ledger folder of a node. Its TLS certificate should have a CA of the channels; that of an orderer should belong to a consenter. */
export const forNode: ForNode = (node) => {
  const ledger = node.get<string>('ledger');
  if (ledger.value === '') return undefined;
  const tlsCert = node.get<string>('tls.cert');
  return {
    ledger,
    kind: node.kind,
    mspid: node.get<string>('mspId'),
    ...((node.kind === 'peer' || node.metrics.value) && { node: node.name }),
    ...(node.get<boolean>('tls.enabled').value && tlsCert.value !== '' && { tlsCert }),
  };
};
