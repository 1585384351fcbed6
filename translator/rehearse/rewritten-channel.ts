// A channel and its updates with new keys and addresses: the same update on the same channel.

import { sameBytes, toHex } from '../../proto/bytes.js';
import { attempt, TranslateError } from '../../proto/errors.js';
import {
  applyUpdate,
  creatorOf,
  type Config,
  type Envelope,
  readConfigUpdate,
  writeConfig,
} from '../channel/index.js';
import { type Msp, setupChannelMsps } from '../msp/index.js';
import { computeUpdate } from '../update/index.js';
import { Addresses } from './addresses.js';
import { notCopied, Originals, Pki } from './pki.js';
import {
  firstDifference,
  rewriteConfig,
  rewriteIdentity,
  rewriteUpdate,
  type Replacements,
} from './rewrite.js';

/** An update, before and after it was rewritten. */
export interface RewrittenUpdate {
  readonly original: Envelope;
  /** The serialized `common.ConfigUpdate` of the copy. */
  readonly update: Uint8Array;
  /** The configs of the channel. */
  readonly originalBefore: Config;
  readonly originalAfter: Config;
  /** The configs of the copy, before the update and after it. */
  readonly before: Config;
  readonly after: Config;
}

/** A rewritten channel. */
export interface RewrittenChannel {
  readonly pki: Pki;
  readonly addresses: Addresses;
  readonly by: Replacements;
  readonly config: Config;
  readonly updates: readonly RewrittenUpdate[];
  /** The certificates that a policy BlockValidation of the channel lists, in PEM, in their order: those of orderers. */
  readonly blockSigners: readonly Uint8Array[];
}

const BLOCK_VALIDATION = '/Channel/Orderer/BlockValidation';

/**
 * Rewrites a channel and updates that follow each other.
 *
 * @throws TranslateError NOT_REHEARSED with the path of an element that cannot be copied, or in which a copied update changes something else
 *   than the original
 */
export async function rewriteChannel(
  config: Config,
  updates: readonly Envelope[],
): Promise<RewrittenChannel> {
  const steps: { readonly original: Envelope; readonly before: Config; readonly after: Config }[] = [];
  for (const original of updates) {
    const before: Config = steps.at(-1)?.after ?? config;
    steps.push({ original, before, after: applyUpdate(before, original.update).config });
  }
  const originals = new Originals();
  const addresses = new Addresses();
  const certifiers = new Set<string>();
  const blockSigners: Uint8Array[] = [];
  const collect = (isNew: boolean): Replacements => ({
    certifiers(identifier) {
      certifiers.add(toHex(identifier));
      return identifier;
    },
    pem(pem, place, host) {
      originals.addPem(pem, place, host);
      if (place === BLOCK_VALIDATION && !blockSigners.some((each) => sameBytes(each, pem)))
        blockSigners.push(pem);
      return pem;
    },
    address(address, place) {
      addresses.add(address, place, isNew);
      return address;
    },
  });
  rewriteConfig(config, collect(false));
  for (const { original } of steps) {
    rewriteUpdate(original.update, collect(true));
    for (const identity of identitiesOf(original)) rewriteIdentity(identity, 'a signature', collect(true));
  }
  const pki = await Pki.create(originals);
  await addresses.assign();
  const copied: ReadonlyMap<string, Uint8Array> =
    certifiers.size === 0
      ? new Map()
      : await copiedIdentifiers([config, ...steps.map(({ after }) => after)], pki);
  const by: Replacements = {
    pem: (pem) => pki.rewrite(pem),
    address: addresses.copyOf,
    certifiers: (identifier) => copied.get(toHex(identifier)) ?? identifier,
  };
  return {
    pki,
    addresses,
    by,
    config: rewriteConfig(config, by),
    blockSigners,
    updates: steps.map(({ original, before, after }) => {
      const rewritten = { before: rewriteConfig(before, by), after: rewriteConfig(after, by) };
      requireSame(before, after, rewritten, by);
      const update = rewriteUpdate(original.update, by);
      return { original, update, originalBefore: before, originalAfter: after, ...rewritten };
    }),
  };
}

/** For each CA of the MSPs in some configs: the identifier by which principals name its copy, by the hexadecimal identifier of the original. */
async function copiedIdentifiers(configs: readonly Config[], pki: Pki): Promise<Map<string, Uint8Array>> {
  const onlyPem: Replacements = {
    pem: (pem) => pki.rewrite(pem),
    address: (address) => address,
    certifiers: (identifier) => identifier,
  };
  const identifiers = new Map<string, Uint8Array>();
  for (const config of configs) {
    const [{ manager: originals }, { manager: copies }] = await Promise.all([
      setupChannelMsps(config),
      setupChannelMsps(rewriteConfig(config, onlyPem)),
    ]);
    for (const [name, msp] of originals.msps) {
      const [found, copied] = await Promise.all([msp, copies.msps.get(name)].map(identifiersOf));
      for (const [index, identifier] of found!.entries())
        if (identifier !== undefined && copied?.[index] !== undefined)
          identifiers.set(toHex(identifier), copied[index]);
    }
  }
  return identifiers;
}

/** The identifiers of the CAs of an MSP, in the order of its configuration; undefined for a CA that cannot issue identities. */
async function identifiersOf(msp: Msp | undefined): Promise<(Uint8Array | undefined)[]> {
  if (msp === undefined) return [];
  const cas = [...msp.trust.roots, ...msp.trust.intermediates];
  return Promise.all(cas.map(async (ca) => (await msp.issuer(ca))(['any'])?.units[0]?.certifiersIdentifier));
}

/** The serialized identities of the signers and the submitter of an update. Those that cannot be read stay. */
function identitiesOf({ signatures, submission }: Envelope): Uint8Array[] {
  return [...signatures, ...(submission === undefined ? [] : [submission])].flatMap(({ header }) =>
    attempt(
      () => [creatorOf(header)],
      () => [],
    ),
  );
}

/** Checks that the copied configs differ in the same elements and in the same way as the originals. */
function requireSame(
  before: Config,
  after: Config,
  copy: { readonly before: Config; readonly after: Config },
  by: Replacements,
): void {
  const original = updateBetween(before, after);
  const expected = original && rewriteUpdate(readConfigUpdate(original), by);
  const found = updateBetween(copy.before, copy.after);
  const difference =
    expected === undefined || found === undefined
      ? expected === found
        ? undefined
        : 'the update'
      : firstDifference(expected, found);
  if (difference !== undefined)
    throw notCopied(difference, 'the update changes something else in the copy than in the channel');
}

/** The update between two configs; undefined if they are equal. */
const updateBetween = (before: Config, after: Config): Uint8Array | undefined =>
  attempt(
    () => computeUpdate(writeConfig(before), writeConfig(after), ''),
    (error) => {
      if (error instanceof TranslateError && error.code === 'NO_DIFFERENCES') return undefined;
      throw error;
    },
  );
