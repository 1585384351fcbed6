// Who signs the blocks of a BFT channel: the identities of its consenters, of whom a quorum signs each block (Fabric's
// internal/peer/gossip/mcs.go).

import { addressText, bftQuorum, type Channel } from '../channel/index.js';
import type { MspManager } from '../msp/index.js';
import { attempt } from '../../proto/errors.js';

interface BlockSignersState {
  readonly channel: Channel;
  readonly msps: MspManager;
}

/** The consenters of a BFT channel, and those whose signatures on blocks do not count. */
export interface BlockSigners {
  readonly valid: number;
  readonly quorum: number;
  /** The MSPs of those that count. */
  readonly mspids: ReadonlySet<string>;
  readonly invalid: readonly {
    readonly consenter: string;
    readonly mspid: string;
    readonly reason: string;
  }[];
}

/**
 * Judges the consenters of a BFT channel by its MSPs; undefined for another channel.
 *
 * @throws TranslateError BAD_BYTES if a value of the config does not parse
 */
export async function blockSignersOf({
  channel: { orderer },
  msps,
}: BlockSignersState): Promise<BlockSigners | undefined> {
  if (!orderer.isBft) return undefined;
  const consenters = orderer.consenters.flatMap((each) => (each.identity === undefined ? [] : [each]));
  const judged = await Promise.all(
    consenters.map(async (consenter) => {
      const { mspId, identity } = consenter;
      const msp = msps.msps.get(mspId);
      const reason =
        msp === undefined
          ? `MSP ${mspId} is not defined on channel`
          : await attempt(
              async () => (await msp.identityOf(identity)).validationError,
              ({ message }) => message,
            );
      return { consenter: addressText(consenter), mspid: mspId, reason };
    }),
  );
  const invalid = judged.flatMap(({ reason, ...each }) =>
    reason === undefined ? [] : [{ ...each, reason }],
  );
  const mspids = new Set(judged.flatMap(({ reason, mspid }) => (reason === undefined ? [mspid] : [])));
  return {
    valid: consenters.length - invalid.length,
    quorum: bftQuorum(consenters.length).quorum,
    mspids,
    invalid,
  };
}
