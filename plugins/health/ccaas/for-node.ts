import { join } from 'node:path';
import type { ForNode } from '../../../core/contract/for-node.js';

/** Where a peer stores the output of its external builders (internal/peer/node/start.go, `externalBuilderOutput`). */
export const forNode: ForNode = (node) => {
  const { value: builders } = node.get<unknown>('externalBuilders');
  const { value: data, origin } = node.get<string>('ledger');
  // In an environment variable the list is YAML.
  const isEmpty = typeof builders === 'string' ? /^\s*\[\s*\]\s*$/.test(builders) : !hasEntries(builders);
  return isEmpty || data === ''
    ? undefined
    : { paths: { value: [join(data, 'externalbuilder/builds')], origin } };
};

const hasEntries = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
