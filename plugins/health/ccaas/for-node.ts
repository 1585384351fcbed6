import { join } from 'node:path';
import type { ForNode } from '../../../core/contract/for-node.js';

/** Where a peer stores the output of its external builders (internal/peer/node/start.go, `externalBuilderOutput`). */
export const forNode: ForNode = (node) => {
  const { value: builders } = node.get<readonly unknown[]>('externalBuilders');
  const { value: data, origin } = node.get<string>('ledger');
  return builders.length === 0 || data === ''
    ? undefined
    : { paths: { value: [join(data, 'externalbuilder/builds')], origin } };
};
