import type { ForNode } from '../../../core/contract/for-node.js';

/** The channels in the ledger folder of a node. The TLS certificate of an orderer should belong to a consenter. */
export const forNode: ForNode = (node) => {
  const ledger = node.get<string>('ledger');
  if (ledger.value === '') return undefined;
  const tlsCert = node.get<string>('tls.cert');
  const isConsenter =
    node.kind === 'orderer' && node.get<boolean>('tls.enabled').value && tlsCert.value !== '';
  return {
    ledger,
    ...((node.kind === 'peer' || node.metrics.value) && { node: node.name }),
    ...(isConsenter && { tlsCert }),
  };
};
