// Checks whether the config blocks of several orderers belong to the same chain, and whether that chain leads back to a trusted block.

import { is, requireTypes } from '../../proto/arguments.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import { toHex } from '../../proto/bytes.js';
import { type Config, nameOf, readConfigFile } from '../channel/index.js';
import { blockBytes, blockHash, parseBlock, type StoredBlock } from '../ledger/index.js';
import type { ConfigSetups } from './config-setups.js';
import type { Orderer } from './connection.js';
import { supportOf } from './orderers-of.js';
import { isNewest, type Newest, type OrdererResponse } from './responses.js';
import { badBlock, checkChannel, checkData, verifiedBefore, type Fetch } from './verify-block.js';

/** The time limit for comparing the config blocks of all orderers, in milliseconds. */
const COMPARING = 60_000;

/** A config block that the user has from another source. */
export interface Trusted {
  /** SHA-256 of its header, in hexadecimal. */
  readonly hash: string;
  /** Its number; undefined if only the hash is known. */
  readonly number?: bigint;
}

/** Reads a trusted block. @param bytes a serialized `common.Block` @throws TranslateError if it is not a config block of the channel */
export function trustedBlock(bytes: Uint8Array, channel: string): Trusted {
  requireTypes({ bytes, channel }, { bytes: is.bytes, channel: is.text });
  const file = readConfigFile(bytes);
  if (file.form !== 'block')
    throw new TranslateError('WRONG_MESSAGE', `this is ${nameOf(file)}; a config block is needed`);
  const block = parseBlock(bytes);
  checkData(block);
  checkChannel(block, channel);
  return { hash: hashOf(block), number: block.number };
}

/** The hash of a block in hexadecimal. */
export const hashOf = (block: StoredBlock): string => toHex(blockHash(block));

/** The config in a config block. */
export const configIn = (block: StoredBlock): Config => readConfigFile(blockBytes(block)).config;

/** The config blocks of an orderer, newest first, each verified with the previous one. @throws TranslateError as `verifiedBefore` */
export async function* configsOf(
  { config, before }: Newest,
  fetch: Fetch,
  setups: ConfigSetups,
): AsyncGenerator<StoredBlock> {
  yield config;
  for (let block = before; block !== undefined; block = await verifiedBefore(block, fetch, setups))
    yield block;
}

/** How chains are read and verified. */
interface Comparing {
  readonly trusted: Trusted | undefined;
  /** Previously verified branches. Each leads back to the trusted block. */
  readonly known: readonly Branch[];
  /** Reads blocks from the first of several orderers that has them. */
  readonly fetchFrom: (orderers: readonly Orderer[], signal: AbortSignal) => Fetch;
  readonly setups: ConfigSetups;
}

/** The chains of some orderers. */
export interface Chains {
  /** The branch with the highest sequence comes first. With a trusted block, all branches lead back to it. */
  readonly branches: readonly Branch[];
  /** All responses; a response with a chain that is broken or does not lead back to the trusted block is replaced by an error. */
  readonly responses: readonly OrdererResponse[];
}

/** The chain that is used. */
export interface Agreement {
  /** The orderers with its newest config block; empty if no chain can be used. */
  readonly used: readonly Newest[];
  /** All responses; a response with another chain is replaced by an error. */
  readonly responses: readonly OrdererResponse[];
  /** The number of the trusted block; undefined without one. */
  readonly trusted: bigint | undefined;
}

/**
 * Follows the config blocks of the orderers back to a common block, or to the trusted block.
 *
 * @throws TranslateError BAD_BLOCK if the trusted block is newer than all config blocks
 */
export async function chainsOf(responses: readonly OrdererResponse[], comparing: Comparing): Promise<Chains> {
  const errors = new Map<Orderer, TranslateError>();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), COMPARING);
  const found = await branchesOf(responses.filter(isNewest), comparing, controller.signal, errors).finally(
    () => clearTimeout(timer),
  );
  const { trusted } = comparing;
  const branches = trusted === undefined ? found : trustedAmong(found, trusted, errors);
  return { branches, responses: withErrors(responses, errors) };
}

/**
 * Chooses the chain to use. Different chains are an error, unless one of them is supported by so many BFT consenters that not all can be
 * faulty, and by more than half of the orderers that the user named.
 *
 * @param given the orderers that the user named
 * @throws TranslateError BAD_BLOCK if orderers have different chains
 */
export function agree({ branches, responses }: Chains, given: readonly Orderer[]): Agreement {
  const errors = new Map<Orderer, TranslateError>();
  const branch = branches.length > 1 ? supportedAmong(branches, given, errors) : branches[0];
  return {
    used: branch?.members.filter(({ config }) => hashOf(config) === branch.hash) ?? [],
    responses: withErrors(responses, errors),
    trusted: branch?.trusted?.number,
  };
}

const withErrors = (
  responses: readonly OrdererResponse[],
  errors: ReadonlyMap<Orderer, TranslateError>,
): readonly OrdererResponse[] =>
  responses.map((response) => {
    const error = errors.get(response.orderer);
    return error === undefined ? response : { orderer: response.orderer, error };
  });

/** A config block in a chain. */
interface Link {
  readonly number: bigint;
  readonly hash: string;
}

/** Config blocks that were each verified with the previous one, and the orderers with one of them as their newest config block. */
interface Branch {
  readonly members: readonly Newest[];
  /** The newest config block, its hash and its sequence. */
  readonly head: StoredBlock;
  readonly hash: string;
  readonly sequence: bigint;
  /** By the sequence of the config. */
  readonly links: ReadonlyMap<bigint, Link>;
  /** The link to the trusted block. */
  readonly trusted: Link | undefined;
  /** Whether the time limit ended the search. */
  readonly isCut: boolean;
}

/** The chains of the orderers, the one with the highest sequence first. @param errors receives orderers with a broken chain */
async function branchesOf(
  newest: readonly Newest[],
  comparing: Comparing,
  signal: AbortSignal,
  errors: Map<Orderer, TranslateError>,
): Promise<readonly Branch[]> {
  let rest = newest.map((each) => ({
    ...each,
    hash: hashOf(each.config),
    sequence: configIn(each.config).sequence,
  }));
  const branches: Branch[] = [];
  while (rest.length > 0) {
    const head = rest.reduce((high, each) => (each.sequence > high.sequence ? each : high));
    const same = rest.filter(({ hash }) => hash === head.hash);
    const fetch = comparing.fetchFrom(
      same.map(({ orderer }) => orderer),
      signal,
    );
    const branch = await attempt(
      async () => follow(head, rest, { ...comparing, fetch, signal }),
      (error) => {
        for (const { orderer } of same) errors.set(orderer, error);
      },
    );
    if (branch !== undefined) branches.push(branch);
    const done = new Set((branch?.members ?? same).map(({ orderer }) => orderer));
    rest = rest.filter(({ orderer }) => !done.has(orderer));
  }
  return branches;
}

type Placed = Newest & Pick<Branch, 'hash' | 'sequence'>;

/** Follows the chain of an orderer back to the trusted block, or to the lowest sequence of all. @throws TranslateError if it is broken */
async function follow(
  head: Placed,
  all: readonly Placed[],
  {
    fetch,
    signal,
    trusted,
    known,
    setups,
  }: { readonly fetch: Fetch; readonly signal: AbortSignal } & Omit<Comparing, 'fetchFrom'>,
): Promise<Branch> {
  const lowest = all.reduce((low, { sequence }) => (sequence < low ? sequence : low), head.sequence);
  const links = new Map<bigint, Link>();
  let found: Link | undefined;
  let isCut = false;
  try {
    for await (const block of configsOf(head, fetch, setups)) {
      const link = { number: block.number, hash: hashOf(block) };
      const { sequence } = configIn(block);
      links.set(sequence, link);
      if (link.hash === trusted?.hash) found = link;
      const same = known.find((branch) => branch.links.get(sequence)?.hash === link.hash);
      if (same !== undefined) {
        for (const [lower, each] of same.links) if (lower < sequence) links.set(lower, each);
        found = same.trusted;
        break;
      }
      const isEnd =
        trusted === undefined
          ? sequence <= lowest
          : found !== undefined || (trusted.number !== undefined && block.number <= trusted.number);
      if (isEnd) break;
      isCut = signal.aborted;
      if (isCut) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    isCut = true;
  }
  const members = all.filter(({ hash, sequence }) => links.get(sequence)?.hash === hash);
  return { ...head, members, head: head.config, links, trusted: found, isCut };
}

/** The chains that lead back to the trusted block. @param errors receives the other orderers @throws TranslateError BAD_BLOCK */
function trustedAmong(
  branches: readonly Branch[],
  trusted: Trusted,
  errors: Map<Orderer, TranslateError>,
): readonly Branch[] {
  const possible = branches.filter((branch) => branch.trusted !== undefined);
  const number = trusted.number ?? possible[0]?.trusted?.number;
  const newest = branches[0]?.head.number;
  if (number !== undefined && newest !== undefined && branches.every(({ head }) => head.number < number))
    throw new TranslateError(
      'BAD_BLOCK',
      `the trusted block ${number} is newer than config block ${newest}, the newest one of the orderers`,
    );
  for (const branch of branches) {
    if (branch.trusted !== undefined) continue;
    for (const { orderer, config } of branch.members) {
      // A chain that has not reached the trusted block yet is not wrong.
      if (number === undefined || config.number >= number)
        errors.set(orderer, badBlock(config, notTrusted(branch, trusted)));
    }
  }
  return possible;
}

function notTrusted({ links, isCut }: Branch, trusted: Trusted): string {
  if (isCut)
    return `it was not followed back to the trusted block within ${COMPARING / 1000} s; a newer trusted block takes less time`;
  const link = [...links.values()].find(({ number }) => number === trusted.number);
  return link === undefined
    ? `it does not lead back to the trusted block with the hash ${trusted.hash}`
    : `it leads back to block ${link.number} with the hash ${link.hash}, the trusted one has the hash ${trusted.hash}`;
}

/** The chain that faulty orderers cannot forge, see `agree`. @param errors receives the other orderers @throws TranslateError BAD_BLOCK */
function supportedAmong(
  branches: readonly Branch[],
  given: readonly Orderer[],
  errors: Map<Orderer, TranslateError>,
): Branch {
  const ofGiven = ({ members }: Branch): number =>
    members.filter(({ orderer }) => given.includes(orderer)).length;
  const all = branches.reduce((count, branch) => count + ofGiven(branch), 0);
  const used = branches.find((branch) => {
    const { faulty, isEnough } = supportOf(
      configIn(branch.head),
      branch.members.map(({ orderer }) => orderer.address),
    );
    return faulty > 0 && isEnough && 2 * ofGiven(branch) > all;
  });
  const [first, second] = branches;
  if (used === undefined) throw new TranslateError('BAD_BLOCK', difference(first!, second!));
  for (const branch of branches) {
    if (branch === used) continue;
    const text =
      branches.indexOf(used) < branches.indexOf(branch) ? difference(used, branch) : difference(branch, used);
    for (const { orderer } of branch.members) errors.set(orderer, new TranslateError('BAD_BLOCK', text));
  }
  return used;
}

/** Describes how two branches differ. @param lower has the lower or the same sequence */
function difference(higher: Branch, lower: Branch): string {
  const link = higher.links.get(lower.sequence);
  const advice = 'find out which of them are wrong, or name a block that you trust';
  if (link === undefined)
    return `config block ${lower.head.number} of ${namesOf(lower)} was not compared with config block ${higher.head.number} of ${namesOf(higher)} within ${COMPARING / 1000} s; ${advice}`;
  return `orderers have different configs with the sequence ${lower.sequence}: block ${link.number} with the hash ${link.hash} at ${namesOf(higher)}; block ${lower.head.number} with the hash ${lower.hash} at ${namesOf(lower)}; ${advice}`;
}

const namesOf = ({ members }: Branch): string =>
  members.map(({ orderer, newest }) => `${orderer.address} (newest block ${newest.number})`).join(', ');
