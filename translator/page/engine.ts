// The slow computations of the page, so that they can run beside it.

import { creatorOf, readUpdateFile, type ConfigFile } from 'fabric-ops-agent/translator/channel';
import { mspIdsOf, setupChannelMsps } from 'fabric-ops-agent/translator/msp';
import { powersOf, wouldCount } from 'fabric-ops-agent/translator/review';
import { gainsOf, type Gains } from './gains.js';
import { explainAll } from './identities.js';
import type { OrganizationNames } from './names.js';
import { organizationsOf, pictureOf, type Picture } from './picture.js';
import { shownPowers, type ComputePowers } from './powers.js';
import { reviewAll } from './proposals.js';
import type { Standing } from './your-part.js';

/** The slow computations of the page. */
export interface Engine {
  readonly reviewAll: typeof reviewAll;
  readonly explainAll: typeof explainAll;
  readonly powersOf: ComputePowers;
  /** @param update a serialized envelope @param fabric versions of the nodes, as of `rulesOf` */
  readonly gainsOf: (base: ConfigFile, update: Uint8Array, fabric: readonly string[]) => Promise<Gains>;
  /** @param now decides which certificates end soon */
  readonly pictureOf: (base: ConfigFile, now: Date) => Promise<Picture>;
  readonly organizationsOf: (base: ConfigFile) => Promise<OrganizationNames>;
  /** For each certificate (PEM), the MSPs of the channel that accept it. */
  readonly mspIdsOf: (
    certificates: readonly Uint8Array[],
    base: ConfigFile,
  ) => Promise<readonly (readonly string[])[]>;
  /** For each update, the standing of each creator. @param updates serialized envelopes @param creators serialized identities */
  readonly standingsOf: (
    updates: readonly Uint8Array[],
    creators: readonly Uint8Array[],
    base: ConfigFile,
  ) => Promise<readonly (readonly Standing[])[]>;
}

/** Computes where it is called. */
export const ENGINE: Engine = {
  reviewAll,
  explainAll,
  pictureOf,
  organizationsOf: async (base) => organizationsOf(base),
  powersOf: async (base, fabric) => shownPowers(await powersOf(base, undefined, { fabric })),
  gainsOf: async (base, update, fabric) => gainsOf(await powersOf(base, readUpdateFile(update), { fabric })),
  mspIdsOf: async (certificates, { config }) => {
    const { manager } = await setupChannelMsps(config);
    return Promise.all(certificates.map((each) => mspIdsOf(manager, each)));
  },
  standingsOf: (updates, creators, base) =>
    Promise.all(
      updates.map((update) => Promise.all(creators.map((creator) => standingOf(update, creator, base)))),
    ),
};

async function standingOf(bytes: Uint8Array, creator: Uint8Array, base: ConfigFile): Promise<Standing> {
  const update = readUpdateFile(bytes);
  const isSigned = update.signatures.some(({ header }) => {
    try {
      return sameBytes(creatorOf(header), creator);
    } catch {
      // A header that cannot be read is a finding of the review.
      return false;
    }
  });
  if (isSigned) return 'signed';
  return (await wouldCount(update, base, { creator })) ? 'counts' : 'idle';
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);
