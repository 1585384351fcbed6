// The document about the state of a migration.

import { is, requireTypes } from '../../proto/arguments.js';
import { listOf, type Document } from '../documents/index.js';
import type { MigrationStatus, Phase } from './status.js';

const PHASES: Readonly<Record<Phase, string>> = {
  'no V3_0': 'Raft, without the channel capability V3_0',
  ready: 'Raft, ready for maintenance',
  maintenance: 'Raft, in maintenance',
  BlockValidation: 'BFT, but BlockValidation does not match the consenters',
  restart: 'BFT, in maintenance',
  done: 'BFT',
};

const STATUS = is.named(
  'a result of migrationStatus',
  is.record({ phase: is.text, orderers: is.list(is.any) }),
);

/** Describes the state of the migration of a channel, with its orderers and the next steps. */
export function migrationDocument(status: MigrationStatus): Document {
  requireTypes({ status }, { status: STATUS });
  const { channel, block, phase, orderers, next } = status;
  const rows = orderers.map(({ address, block: own, reason }) => [
    address,
    reason ?? `config block ${own ?? ''}`,
  ]);
  return {
    title: `channel ${channel}, block ${block}: ${PHASES[phase]}`,
    blocks: [listOf(rows)],
    sections: [{ id: 'next', title: 'next', blocks: [listOf(next)] }],
  };
}
