// The signers of the blocks of a BFT channel: the identities of its consenters. A quorum of them signs each block (Fabric's
// internal/peer/gossip/mcs.go).

import { addressText, bftQuorum, type Consenter } from '../channel/index.js';
import { certificateIn, type MspManager } from '../msp/index.js';

/** The consenters of a BFT channel, and the consenters with block signatures that do not count. */
export interface BlockSigners {
  readonly valid: number;
  readonly quorum: number;
  /** The MSPs of the consenters that count. */
  readonly mspids: ReadonlySet<string>;
  readonly invalid: readonly {
    readonly consenter: string;
    readonly mspid: string;
    readonly reason: string;
    /** Whether its identity is a certificate. */
    readonly isReadable: boolean;
  }[];
}

/** Judges the consenters of a BFT channel by its MSPs. */
export async function judgeBlockSigners(
  all: readonly Consenter[],
  { msps }: MspManager,
): Promise<BlockSigners> {
  const consenters = all.flatMap((each) => (each.identity === undefined ? [] : [each]));
  const judged = await Promise.all(
    consenters.map(async (consenter) => {
      const { mspId, identity } = consenter;
      const msp = msps.get(mspId);
      const reason =
        msp === undefined
          ? `MSP ${mspId} is not defined on channel`
          : (await msp.judge(identity)).fault?.text;
      return {
        consenter: addressText(consenter),
        mspid: mspId,
        reason,
        isReadable: certificateIn(identity) !== undefined,
      };
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
