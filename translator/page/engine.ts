// The slow computations of the page, so that they can run beside it.

import {
  applyUpdate,
  creatorOf,
  lastName,
  readUpdateFile,
  type ConfigFile,
} from '#translator/channel/index.js';
import type { OrganizationNames } from '#translator/documents/index.js';
import { explainIdentities } from '#translator/identity/index.js';
import { baseOf, type Base, type Candidate } from '#translator/ledger/base.js';
import { MspCache, mspIdsOf, setupChannelMsps } from '#translator/msp/index.js';
import { powersOf } from '#translator/powers/index.js';
import { signatureCounts, type ProposalFile } from '#translator/review/index.js';
import { gainsOf, type Gains } from './gains.js';
import { explainAll, type IdentityFile, type IdentityOptions, type IdentityResult } from './identities.js';
import { organizationsOf, pictureOf, type Picture } from './picture.js';
import { shownPowers, type ComputePowers } from './powers.js';
import type { OnProgress } from './progress.js';
import { reviewAll, type Proposals, type ReviewOptions } from './proposals.js';
import type { Standing } from './your-part.js';

/** The slow computations of the page. */
export interface Engine {
  /** Chooses the config that updates are reviewed against. */
  readonly baseOf: (configs: readonly Candidate[]) => Promise<Base>;
  readonly organizationsOf: (base: ConfigFile) => Promise<OrganizationNames>;
  readonly reviewAll: (
    files: readonly ProposalFile[],
    base: ConfigFile,
    options: ReviewOptions,
    onProgress?: OnProgress,
  ) => Promise<Proposals>;
  readonly explainAll: (
    files: readonly IdentityFile[],
    base: ConfigFile,
    options: IdentityOptions,
    onProgress?: OnProgress,
  ) => Promise<readonly IdentityResult[]>;
  readonly powersOf: ComputePowers;
  /** @param update a serialized envelope @param fabric versions of the nodes, as of `rulesOf` */
  readonly gainsOf: (
    base: ConfigFile,
    update: Uint8Array,
    fabric: readonly string[],
    onProgress?: OnProgress,
  ) => Promise<Gains>;
  /** @param now decides which certificates end soon */
  readonly pictureOf: (base: ConfigFile, now: Date) => Promise<Picture>;
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
  /**
   * For each update, what the holders of certificates (PEM) that no MSP of the channel accepts are after it, such as `an admin of Org3`;
   * undefined where they stay strangers.
   */
  readonly futuresOf: (
    updates: readonly Uint8Array[],
    certificates: readonly Uint8Array[],
    base: ConfigFile,
    options: IdentityOptions,
  ) => Promise<readonly (readonly (string | undefined)[])[]>;
}

/** The MSPs of a channel and of its updates: with hundreds of organisations their set-up takes longer than everything else. */
const MSPS = new WeakMap<ConfigFile, MspCache>();

function mspsOf(base: ConfigFile): MspCache {
  const known = MSPS.get(base) ?? new MspCache();
  MSPS.set(base, known);
  return known;
}

/** Computes where it is called. */
export const ENGINE: Engine = {
  baseOf,
  organizationsOf: async (base) => organizationsOf(base),
  reviewAll: (files, base, options, onProgress) =>
    reviewAll(files, base, { ...options, onProgress, msps: mspsOf(base) }),
  explainAll: (files, base, options, onProgress) =>
    explainAll(files, base, { ...options, onProgress, msps: mspsOf(base) }),
  pictureOf,
  powersOf: async (base, fabric, onProgress) =>
    shownPowers(await powersOf(base, undefined, { fabric, onProgress, msps: mspsOf(base) })),
  gainsOf: async (base, update, fabric, onProgress) =>
    gainsOf(await powersOf(base, readUpdateFile(update), { fabric, onProgress, msps: mspsOf(base) })),
  mspIdsOf: async (certificates, base) => {
    const { manager } = await setupChannelMsps(base.config, { cache: mspsOf(base) });
    return Promise.all(certificates.map((each) => mspIdsOf(manager, each)));
  },
  standingsOf: (updates, creators, base) =>
    Promise.all(
      updates.map((update) => Promise.all(creators.map((creator) => standingOf(update, creator, base)))),
    ),
  futuresOf: (updates, certificates, base, options) =>
    Promise.all(updates.map((update) => futureOf(update, certificates, base, options))),
};

/** The roles that are named, the most important one first. */
const ROLES = ['admin', 'orderer', 'peer', 'client'];

async function futureOf(
  bytes: Uint8Array,
  certificates: readonly Uint8Array[],
  base: ConfigFile,
  options: IdentityOptions,
): Promise<readonly (string | undefined)[]> {
  const { config } = applyUpdate(base.config, readUpdateFile(bytes).update);
  if (config === undefined) return certificates.map(() => undefined);
  const found = certificates.map((certificate) => ({ place: 'certificate', certificate }));
  const { identities } = await explainIdentities(found, { ...base, config }, options);
  return identities.map(({ valid, roles, organizations: [first] }) => {
    if (!valid || first === undefined) return undefined;
    const role = ROLES.find((each) => roles.includes(each)) ?? 'member';
    return `${/^[ao]/.test(role) ? 'an' : 'a'} ${role} of ${lastName(first)}`;
  });
}

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
  return (await signatureCounts(update, base, { creator }, { msps: mspsOf(base) })) ? 'counts' : 'idle';
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);
