// Losses and gains of the actors of the channel by the update.

import { sameBytes } from '../../../proto/bytes.js';
import { type Change, consentersOf } from '../../channel/index.js';
import {
  compareServices,
  type BlockSigners,
  type ChannelState,
  type ServiceComparison,
} from '../../state/index.js';
import { attempt } from '../../../proto/errors.js';
import type { MspFault } from '../../msp/index.js';
import { withConsenters } from './consenters.js';

/** The changes for the actors of the channel. */
export interface ServiceFacts extends ServiceComparison {
  /** The signers of blocks before and after; undefined for a channel that is not BFT. */
  readonly blockSigners: { readonly before: BlockSigners; readonly after: BlockSigners } | undefined;
}

/** Values that decide which identities count, or that name a policy. */
const DECIDING = new Set(['MSP', 'ACLs', 'Capabilities', 'Orderers', 'ConsensusType']);

/** Returns undefined if the update changes nothing that decides about services; the reason, if they cannot be compared. */
export async function serviceFacts(
  before: ChannelState,
  after: ChannelState,
  changes: readonly Change[],
  faults: readonly MspFault[],
): Promise<ServiceFacts | string | undefined> {
  if (changes.every(({ kind, names }) => kind === 'value' && !DECIDING.has(names.at(-1) ?? '')))
    return undefined;
  // No identity counts with an MSP that is not set up.
  const [fault] = faults;
  if (fault !== undefined) return `${fault.path}/MSP: ${fault.message}`;
  return attempt(
    async () => {
      const [old, now] = [consentersOf(before.channel), consentersOf(after.channel)];
      const staying = old.filter(({ clientTlsCert }) =>
        now.some((each) => sameBytes(each.clientTlsCert, clientTlsCert)),
      );
      const [from, to] = [await before.blockSigners, await after.blockSigners];
      const consenterOrganizations =
        to !== undefined || staying.length === 0 ? [] : withConsenters(before, staying);
      const comparison = await compareServices(before, after, {
        consenterOrganizations: new Set(consenterOrganizations.map(({ path }) => path)),
        changed: new Set(changes.map(({ path }) => path)),
      });
      const blockSigners = from === undefined || to === undefined ? undefined : { before: from, after: to };
      return { ...comparison, blockSigners };
    },
    ({ message }) => message,
  );
}
