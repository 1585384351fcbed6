// What the page computes from its inputs: reviews, signers and identities. Works without a browser.

import { attempt } from '#proto/errors.js';
import type { ConfigFile } from '#translator/channel/index.js';
import type { OrganizationNames } from '#translator/documents/index.js';
import type { Engine } from './engine.js';
import { sourceOf, type BlockFile, type PageFile } from './files.js';
import type { IdentityResult } from './identities.js';
import { blocksIn, identitiesIn, updatesIn, type Inputs } from './inputs.js';
import { signerOf, type DroppedMsp, type SigningFolder } from './msp-folders.js';
import { outlineOf, type OutlineResult } from './picture.js';
import type { OnProgress } from './progress.js';
import type { ShownProposal, Proposals } from './proposals.js';
import type { Standing } from './your-part.js';

/** A folder of a person that cannot sign, and the reason. */
export interface NoSigner {
  readonly name: string;
  readonly error: string;
}

/** The standings of the signers in each update, by the keys of their folders. */
type Standings = ReadonlyMap<ShownProposal, ReadonlyMap<string, Standing>>;

/** What persons of no organisation are after each update, as of `Engine.futuresOf`, by the keys of their folders. */
type Futures = ReadonlyMap<ShownProposal, ReadonlyMap<string, string | undefined>>;

/** The results of inputs. */
export interface Results {
  /** The newest config of those that continue the oldest one: updates are reviewed against it. */
  readonly newest: PageFile | undefined;
  /** Files with configs that are not used, or contradict each other, and why. */
  readonly baseNotes: readonly string[];
  readonly blocks: readonly BlockFile[];
  readonly outline: OutlineResult;
  readonly signers: readonly (SigningFolder | NoSigner)[];
  readonly identities: readonly IdentityResult[];
  readonly found: Proposals;
  readonly organizations: OrganizationNames;
  readonly standings: Standings;
  readonly futures: Futures;
}

/** The results without a config. */
export const NO_RESULTS: Results = {
  newest: undefined,
  baseNotes: [],
  blocks: [],
  outline: { error: 'there is no config' },
  signers: [],
  identities: [],
  found: { proposals: [], conflicts: [] },
  organizations: new Map(),
  standings: new Map(),
  futures: new Map(),
};

/** The inputs of a computation of results, and its callbacks. */
interface ResultsOptions {
  readonly engine: Engine;
  readonly now: Date;
  /** Whether the inputs have changed in the meantime. */
  readonly isOutdated: () => boolean;
  /** Is called with the outline of the newest config, which is known long before everything else. */
  readonly onOutline: (outline: OutlineResult) => void;
  /** Is called at the begin of a part, with a function for the progress of the part. */
  readonly begin: (what: string) => OnProgress;
}

/** The results of inputs; undefined if the inputs have changed in the meantime. */
export async function resultsOf(inputs: Inputs, options: ResultsOptions): Promise<Results | undefined> {
  const { engine, now, isOutdated, onOutline, begin } = options;
  const { files, msps, fabric, mspid } = inputs;
  const { newest, baseNotes } = await newestIn(files, engine);
  if (isOutdated()) return undefined;
  const base = newest?.config;
  const blocks = blocksIn(files);
  if (base === undefined) return { ...NO_RESULTS, baseNotes, blocks };
  // The config is read already: a worker would have to read it, too, before users see anything.
  const outline = attempt(
    (): OutlineResult => ({ outline: outlineOf(base) }),
    ({ message }) => ({ error: message }),
  );
  onOutline(outline);
  const organizations = await engine.organizationsOf(base);
  const updates = updatesIn(files);
  const what = updates.length === 1 ? 'Reviewing the update' : `Reviewing ${updates.length} updates`;
  const found = await engine.reviewAll(updates, base, { now, fabric }, begin(what));
  if (isOutdated()) return undefined;
  const onIdentities = begin('Explaining identities');
  const identities = await engine.explainAll(
    identitiesIn(inputs),
    base,
    { now, fabric, mspid },
    onIdentities,
  );
  if (isOutdated()) return undefined;
  begin('Looking for signers');
  const signers = await signersIn(msps, base, engine);
  if (isOutdated()) return undefined;
  const standings = await standingsOf(found.proposals, signers, base, engine);
  const strangers = msps.filter(({ name }) => signers.some((each) => each.name === name && 'error' in each));
  const futures = await futuresOf(found.proposals, strangers, (envelopes, certificates) =>
    engine.futuresOf(envelopes, certificates, base, { now, fabric, mspid }),
  );
  return isOutdated()
    ? undefined
    : { newest, baseNotes, blocks, outline, organizations, signers, found, standings, futures, identities };
}

/** Chooses the config that updates are reviewed against. One alone needs no choice. */
async function newestIn(
  files: readonly PageFile[],
  engine: Engine,
): Promise<Pick<Results, 'newest' | 'baseNotes'>> {
  const configs = files.filter(({ config }) => config !== undefined);
  if (configs.length <= 1) return { newest: configs[0], baseNotes: [] };
  const { used, notes } = await engine.baseOf(
    configs.map(({ name, config }) => ({ name, bytes: sourceOf(config!)! })),
  );
  return { newest: configs.find(({ name }) => name === used), baseNotes: notes };
}

async function signersIn(
  msps: readonly DroppedMsp[],
  base: ConfigFile,
  engine: Engine,
): Promise<readonly (SigningFolder | NoSigner)[]> {
  const people = msps.flatMap(({ name, person }) => (person === undefined ? [] : [{ name, person }]));
  if (people.length === 0) return [];
  const certificates = people.map(({ person }) => person.certificate);
  const mspids = await engine.mspIdsOf(certificates, base);
  return Promise.all(
    people.map(({ name, person }, index) =>
      signerOf(name, person, mspids[index]!).catch((error: Error) => ({ name, error: error.message })),
    ),
  );
}

async function standingsOf(
  proposals: readonly ShownProposal[],
  all: readonly (SigningFolder | NoSigner)[],
  base: ConfigFile,
  engine: Engine,
): Promise<Standings> {
  const signers = all.flatMap((each) => ('error' in each ? [] : [each]));
  const reviewed = proposals.filter(({ review }) => review !== undefined);
  if (signers.length === 0 || reviewed.length === 0) return new Map();
  const creators = signers.map(({ identity }) => identity.creator);
  const standings = await engine.standingsOf(
    reviewed.map(({ bytes }) => bytes),
    creators,
    base,
  );
  return new Map(
    reviewed.map((proposal, at) => [
      proposal,
      new Map(signers.map(({ name }, index) => [name, standings[at]![index]!])),
    ]),
  );
}

async function futuresOf(
  proposals: readonly ShownProposal[],
  strangers: readonly DroppedMsp[],
  compute: (
    updates: readonly Uint8Array[],
    certificates: readonly Uint8Array[],
  ) => ReturnType<Engine['futuresOf']>,
): Promise<Futures> {
  const people = strangers.flatMap(({ name, person }) => (person === undefined ? [] : [{ name, person }]));
  const reviewed = proposals.filter(({ review }) => review !== undefined);
  if (people.length === 0 || reviewed.length === 0) return new Map();
  const futures = await compute(
    reviewed.map(({ bytes }) => bytes),
    people.map(({ person }) => person.certificate),
  );
  return new Map(
    reviewed.map((proposal, at) => [
      proposal,
      new Map(people.map(({ name }, index) => [name, futures[at]![index]])),
    ]),
  );
}
