// The state of the page: dropped files, signers, and reviews of updates. Works without a browser.
// Operations may overlap. Each operation changes the inputs at once. Its results are shown when all of them are known, unless the inputs
// have changed since. So all results on the page are for the same inputs.

import { channelOf, type Config, signEnvelope } from 'fabric-ops-agent/translator/channel';
import { rulesOf } from 'fabric-ops-agent/translator/msp';
import { onOneLine, verdictOf, type Review } from 'fabric-ops-agent/translator/review';
import { EditorModel } from './editor-model.js';
import {
  newestConfig,
  readPageFile,
  readPageFiles,
  unreadFile,
  type BlockFile,
  type Dropped,
  type PageFile,
  type UnreadFile,
} from './files.js';
import { explainAll, type IdentityFile, type IdentityResult } from './identities.js';
import { isMspPart, mspsIn, signerOf, type DroppedMsp, type Signer } from './msp-folders.js';
import { PowersModel } from './powers.js';
import { reviewAll, type Proposal, type Proposals } from './proposals.js';

/** The maximum number of files that are read at a time. */
const MAX_FILES = 2000;

/** A part of the page. */
export type TabId = 'review' | 'identities' | 'channel' | 'powers' | 'edit' | 'tree' | 'history';

/** A folder of a person that cannot sign, and the reason. */
export interface NoSigner {
  readonly name: string;
  readonly error: string;
}

/** Whether an update can be signed: never if orderers would refuse it; if it is dangerous, only after people confirm the dangers. */
export type Signing = 'refused' | 'dangerous' | 'possible';

/** An item with the number of the operation that added it. */
type Added<Item> = Item & { readonly operation: number };

/** The inputs of everything else on the page. */
interface Inputs {
  readonly files: readonly Added<PageFile>[];
  readonly msps: readonly Added<DroppedMsp>[];
  readonly fabric: readonly string[];
  readonly mspid: string | undefined;
}

/** Inputs and their results. */
interface Shown extends Inputs {
  readonly newest: PageFile | undefined;
  readonly blocks: readonly BlockFile[];
  readonly signers: readonly (Signer | NoSigner)[];
  readonly identities: readonly IdentityResult[];
  readonly found: Proposals;
}

/** The state of the page. */
export class PageModel {
  /** Called after each change. */
  onChange = (): void => {};
  readonly editor: EditorModel;
  readonly powers = new PowersModel();
  readonly #now: () => Date;
  readonly #reviewAll: typeof reviewAll;
  #inputs: Inputs;
  #shown: Shown;
  /** The fingerprints of dangerous updates that may be signed. */
  #allowed: ReadonlySet<string> = new Set();
  #tab: TabId = 'channel';
  #operations = 0;
  /** The number of operations that have not ended. */
  #running = 0;
  #message = '';

  /**
   * @param now the time for which updates are reviewed and signed
   * @param reviewUpdates reviews updates
   */
  constructor(now: () => Date, reviewUpdates = reviewAll) {
    this.#now = now;
    this.#reviewAll = reviewUpdates;
    const inputs: Inputs = { files: [], msps: [], fabric: [], mspid: undefined };
    const nothing = { newest: undefined, blocks: [], signers: [], identities: [] };
    this.#inputs = inputs;
    this.#shown = { ...inputs, ...nothing, found: { proposals: [], conflicts: [] } };
    this.editor = new EditorModel((files, base) =>
      reviewUpdates(files, base, { now: now(), fabric: this.fabric }),
    );
    this.powers.onChange = () => this.onChange();
  }

  /** The dropped files, without the files of MSP folders. */
  get files(): readonly PageFile[] {
    return this.#shown.files;
  }

  /** The dropped MSP folders. */
  get msps(): readonly DroppedMsp[] {
    return this.#shown.msps;
  }

  /** For each MSP folder of a person: the signer, or the reason that it cannot sign. Empty without a config. */
  get signers(): readonly (Signer | NoSigner)[] {
    return this.#shown.signers;
  }

  /** The explained identities of the files and MSP folders. Empty without a config. */
  get identities(): readonly IdentityResult[] {
    return this.#shown.identities;
  }

  /** The updates with their reviews. Empty without a config. */
  get found(): Proposals {
    return this.#shown.found;
  }

  /** The versions of Fabric on the nodes, as for `rulesOf`; empty if they are unknown. */
  get fabric(): readonly string[] {
    return this.#shown.fabric;
  }

  /** The MSP id that certificates are sent with; undefined for the MSP that they are valid in. */
  get mspid(): string | undefined {
    return this.#shown.mspid;
  }

  /** The MSP ids of the channel. */
  get mspids(): readonly string[] {
    const config = this.newest?.config?.config;
    const organizations = config === undefined ? [] : channelOf(config).organizations;
    return [...new Set(organizations.flatMap(({ mspId }) => mspId ?? []))];
  }

  /** The shown part of the page. */
  get tab(): TabId {
    return this.#tab;
  }

  /** Whether files are being read, or a change is not shown yet. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** The result of the last operation, or its error; may be empty. */
  get message(): string {
    return this.#message;
  }

  /** The newest config: updates are reviewed against it. */
  get newest(): PageFile | undefined {
    return this.#shown.newest;
  }

  /** The config blocks, from the oldest to the newest. */
  get blocks(): readonly BlockFile[] {
    return this.#shown.blocks;
  }

  /** Reads and adds at most {@link MAX_FILES} files. A file replaces an earlier file with the same name. */
  async add(given: readonly UnreadFile[] | Promise<readonly UnreadFile[]>): Promise<void> {
    await this.#whileBusy(async (operation) => {
      const all = await given;
      const { files, msps } = await readAll(all.slice(0, MAX_FILES));
      await this.#change((inputs) => ({
        ...inputs,
        files: withAdded(inputs.files, files, operation),
        msps: withAdded(inputs.msps, msps, operation),
      }));
      const unread = all.length - MAX_FILES;
      if (unread > 0)
        this.#message = `${unread} of ${all.length} files were not read: the page reads at most ${MAX_FILES} at a time`;
    });
  }

  /** Runs an operation with its number. An error becomes the message. */
  async #whileBusy(work: (operation: number) => Promise<void>): Promise<void> {
    this.#running += 1;
    this.#message = '';
    this.onChange();
    try {
      await work((this.#operations += 1));
    } catch (error) {
      this.#message = (error as Error).message;
    } finally {
      this.#running -= 1;
      this.onChange();
    }
  }

  /** Changes the inputs and shows the results, unless a later change, which includes this one, shows its results. */
  async #change(change: (inputs: Inputs) => Inputs): Promise<void> {
    const inputs = change(this.#inputs);
    this.#inputs = inputs;
    try {
      const shown = await this.#resultsOf(inputs);
      if (shown !== undefined) await this.#showResults(shown);
    } catch (error) {
      // The next operation starts with the shown inputs.
      if (this.#inputs === inputs) this.#inputs = this.#shown;
      throw error;
    }
  }

  /** The results of inputs; undefined if the inputs have changed in the meantime. */
  async #resultsOf(inputs: Inputs): Promise<Shown | undefined> {
    const { files, msps, fabric, mspid } = inputs;
    const isOutdated = (): boolean => this.#inputs !== inputs;
    const newest = newestConfig(files);
    const base = newest?.config;
    const blocks = blocksIn(files);
    if (base === undefined) return { ...this.#shown, ...inputs, newest, blocks };
    const signers = await signersIn(msps, base.config);
    if (isOutdated()) return undefined;
    const now = this.#now();
    const found = await this.#reviewAll(updatesIn(files), base, { now, fabric });
    if (isOutdated()) return undefined;
    const identities = await explainAll(identitiesIn(inputs), base, { now, fabric, mspid });
    return isOutdated() ? undefined : { ...inputs, newest, blocks, signers, found, identities };
  }

  async #showResults(shown: Shown): Promise<void> {
    const before = this.#shown;
    this.#shown = shown;
    const base = shown.newest?.config;
    if (base === undefined) return;
    this.#tab = this.#tabAfter(before);
    const hasSameRules = shown.fabric === before.fabric;
    // People have confirmed dangers of the review against the former config.
    if (base !== before.newest?.config || !hasSameRules) this.#allowed = new Set();
    if (!hasSameRules) this.editor.forgetReview();
    this.powers.begin(base, shown.found.proposals, shown.fabric);
    this.onChange();
    await Promise.all([
      this.#tab === 'powers' ? this.powers.load() : undefined,
      this.editor.begin(base, shown.msps),
    ]);
  }

  /** The part to show after a change. Updates stay shown when the folder of a person is added, because most people add it to sign. */
  #tabAfter(before: Shown): TabId {
    const { files, found, identities } = this.#shown;
    const known = new Set(before.files);
    const added = files.filter((file) => !known.has(file));
    const hasNew = (key: 'update' | 'identities'): boolean => added.some((each) => each[key] !== undefined);
    if (found.proposals.length > 0 && (before.found.proposals.length === 0 || hasNew('update')))
      return 'review';
    if (hasNew('identities')) return 'identities';
    const isIdle = found.proposals.length === 0 && this.#tab === 'channel';
    return isIdle && identities.length > before.identities.length ? 'identities' : this.#tab;
  }

  /** Shows a part of the page. */
  show(tab: TabId): void {
    this.#tab = tab;
    this.onChange();
    if (tab === 'powers') void this.powers.load();
  }

  /** Shows the powers with an update. */
  async showPowers(update: Proposal): Promise<void> {
    this.#tab = 'powers';
    await this.powers.choose(update);
  }

  /**
   * Reviews and explains everything again for the versions of Fabric on the nodes.
   *
   * @param text versions with commas, such as `2.5.12, 3.1`; empty if they are unknown. An unknown version only becomes the message.
   */
  async chooseFabric(text: string): Promise<void> {
    const fabric = text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
    await this.#whileBusy(async () => {
      rulesOf(fabric);
      await this.#change((inputs) => ({ ...inputs, fabric }));
    });
  }

  /** Explains the certificates again, for an MSP; undefined for the MSP that they are valid in. */
  async chooseMsp(mspid: string | undefined): Promise<void> {
    await this.#whileBusy(async () => {
      await this.#change((inputs) => ({ ...inputs, mspid }));
    });
  }

  /** Whether an update can be signed. */
  signing(review: Review): Signing {
    const verdict = verdictOf(review);
    return verdict === 'refused' || verdict === 'dangerous' ? verdict : 'possible';
  }

  /** Whether an update may be signed now. */
  isAllowed(review: Review): boolean {
    const signing = this.signing(review);
    return signing === 'possible' || (signing === 'dangerous' && this.#allowed.has(review.fingerprint));
  }

  /** Allows to sign a dangerous update, or not. */
  allow({ fingerprint }: Review, isAllowed: boolean): void {
    const allowed = new Set(this.#allowed);
    if (isAllowed) allowed.add(fingerprint);
    else allowed.delete(fingerprint);
    this.#allowed = allowed;
    this.onChange();
  }

  /**
   * Signs an update and replaces its files; does nothing if the update may not be signed. If its files have changed since the review, or
   * change in the meantime, it is not signed, and the message says so.
   */
  async sign(proposal: Proposal, { identity }: Signer): Promise<void> {
    const { names, bytes, review } = proposal;
    if (review === undefined || !this.isAllowed(review)) return;
    await this.#whileBusy(async (operation) => {
      const [path = ''] = names;
      const reviewed = filesCalled(names, this.#shown);
      const isSame = (): boolean => {
        const files = filesCalled(names, this.#inputs);
        return files.length === reviewed.length && files.every((file, index) => file === reviewed[index]);
      };
      const isCurrent = this.found.proposals.includes(proposal);
      const signed = await signEnvelope(bytes, identity, this.#now());
      if (!isCurrent || !isSame())
        throw new Error(`${onOneLine(path)} has changed: look at its new review, then sign it`);
      const file = readPageFile({ path, bytes: signed, size: signed.length });
      await this.#change((inputs) => {
        const files = inputs.files.filter(({ name }) => !names.includes(name));
        return { ...inputs, files: withAdded(files, [file], operation) };
      });
      this.#message = `${onOneLine(path)} is signed: download it, and send it on`;
    });
  }

  /** Adds the update of the editor to the reviewed updates. */
  async finish(): Promise<void> {
    await this.#whileBusy(async (operation) => {
      const { name, bytes } = this.editor.update;
      const file = readPageFile({ path: name, bytes, size: bytes.length });
      await this.#change((inputs) => ({ ...inputs, files: withAdded(inputs.files, [file], operation) }));
    });
  }
}

/** Reads files one after the other, so that only the useful files stay in memory. */
async function readAll(
  unread: readonly UnreadFile[],
): Promise<{ readonly files: readonly PageFile[]; readonly msps: readonly DroppedMsp[] }> {
  const files: PageFile[] = [];
  const parts: Dropped[] = [];
  for (const file of unread) {
    try {
      const dropped = await file.read();
      if (isMspPart(dropped.path)) parts.push(dropped);
      else files.push(...readPageFiles(dropped));
    } catch (error) {
      files.push(unreadFile(file.path, `it cannot be read: ${(error as Error).message}`));
    }
  }
  return { files, msps: mspsIn(parts) };
}

/** An item replaces an item with the same name, unless a later operation has added that one. */
function withAdded<Item extends { readonly name: string }>(
  items: readonly Added<Item>[],
  found: readonly Item[],
  operation: number,
): readonly Added<Item>[] {
  const newer = new Set(items.filter((item) => item.operation > operation).map(({ name }) => name));
  const added = found.filter(({ name }) => !newer.has(name)).map((item) => ({ ...item, operation }));
  return [...withoutNames(items, added), ...added];
}

const filesCalled = (names: readonly string[], { files }: Inputs): readonly PageFile[] =>
  files.filter(({ name }) => names.includes(name));

const blocksIn = (files: readonly PageFile[]): readonly BlockFile[] =>
  files
    .flatMap(({ config, block }) => (config === undefined || block === undefined ? [] : [{ config, block }]))
    .toSorted((left, right) => Number(left.config.number! - right.config.number!));

const signersIn = (msps: readonly DroppedMsp[], config: Config): Promise<readonly (Signer | NoSigner)[]> =>
  Promise.all(
    msps.flatMap(({ name, person }) =>
      person === undefined
        ? []
        : [signerOf(name, person, config).catch((error: Error) => ({ name, error: error.message }))],
    ),
  );

const updatesIn = (files: readonly PageFile[]): Parameters<typeof reviewAll>[0] =>
  files.flatMap(({ name, update }) => (update === undefined ? [] : [{ name, bytes: update.bytes }]));

function identitiesIn({ files, msps }: Inputs): readonly IdentityFile[] {
  const folders = msps.map(({ name, identity }) => ({
    name,
    identities: identity === undefined ? undefined : [identity],
  }));
  return [...files, ...folders].flatMap(({ name, identities }) =>
    identities === undefined ? [] : [{ name, identities }],
  );
}

const withoutNames = <Item extends { readonly name: string }>(
  items: readonly Item[],
  others: readonly { readonly name: string }[],
): readonly Item[] => {
  const names = new Set(others.map(({ name }) => name));
  return items.filter(({ name }) => !names.has(name));
};
