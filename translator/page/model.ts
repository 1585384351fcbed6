// What the page knows: the files that were dropped, who can sign, and the reviews of the updates. Works without a browser.

import { channelOf } from 'fabric-ops-agent/translator/channel';
import { onOneLine } from 'fabric-ops-agent/translator/describe';
import { rulesOf } from 'fabric-ops-agent/translator/msp';
import { exitStatusOf, type Review } from 'fabric-ops-agent/translator/review';
import { signEnvelope } from 'fabric-ops-agent/translator/sign';
import { EditorModel } from './editor-model.js';
import { newestConfig, readPageFiles, type BlockFile, type Dropped, type PageFile } from './files.js';
import { explainAll, type IdentityFile, type IdentityResult } from './identities.js';
import { signerOf, splitMsps, type DroppedMsp, type Signer } from './msp-folders.js';
import { PowersModel } from './powers.js';
import { reviewAll, type Proposal, type Proposals } from './proposals.js';

/** A part of the page. */
export type TabId = 'review' | 'identities' | 'channel' | 'powers' | 'edit' | 'tree' | 'history';

/** Why a folder of a person cannot sign. */
export interface NoSigner {
  readonly name: string;
  readonly error: string;
}

/** Whether an update can be signed: what orderers would refuse never, what is dangerous only if people say that they know it. */
export type Signing = 'refused' | 'dangerous' | 'possible';

/** The state of the page. */
export class PageModel {
  /** Called after each change. */
  onChange = (): void => {};
  readonly editor: EditorModel;
  readonly powers = new PowersModel();
  readonly #now: () => Date;
  #files: readonly PageFile[] = [];
  #msps: readonly DroppedMsp[] = [];
  #signers: readonly (Signer | NoSigner)[] = [];
  #identities: readonly IdentityResult[] = [];
  #found: Proposals = { proposals: [], conflicts: [] };
  /** The fingerprints of dangerous updates that may be signed. */
  #allowed: ReadonlySet<string> = new Set();
  #fabric: readonly string[] = [];
  #mspid: string | undefined;
  #tab: TabId = 'channel';
  #isBusy = false;
  #message = '';

  /** @param now the time for which updates are reviewed and signed */
  constructor(now: () => Date) {
    this.#now = now;
    this.editor = new EditorModel((files, base) =>
      reviewAll(files, base, { now: now(), fabric: this.#fabric }),
    );
    this.powers.onChange = () => this.onChange();
  }

  /** The files that were dropped, except those of MSP folders. */
  get files(): readonly PageFile[] {
    return this.#files;
  }

  /** The MSP folders that were dropped. */
  get msps(): readonly DroppedMsp[] {
    return this.#msps;
  }

  /** For each MSP folder of a person: who can sign, or why nobody can. Empty without a config. */
  get signers(): readonly (Signer | NoSigner)[] {
    return this.#signers;
  }

  /** What the identities in the files and MSP folders are on the channel. Empty without a config. */
  get identities(): readonly IdentityResult[] {
    return this.#identities;
  }

  /** The updates with their reviews. Empty without a config. */
  get found(): Proposals {
    return this.#found;
  }

  /** The versions of Fabric that the nodes run, as of `rulesOf`; empty if they are unknown. */
  get fabric(): readonly string[] {
    return this.#fabric;
  }

  /** The MSP id that certificates are sent with; undefined for the MSP in which they are valid. */
  get mspid(): string | undefined {
    return this.#mspid;
  }

  /** The MSP ids of the channel. */
  get mspids(): readonly string[] {
    const config = this.newest?.config?.config;
    const organizations = config === undefined ? [] : channelOf(config).organizations;
    return [...new Set(organizations.flatMap(({ mspId }) => mspId ?? []))];
  }

  /** The part of the page that is shown. */
  get tab(): TabId {
    return this.#tab;
  }

  /** Whether files are being read. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** What was done last, or why it was not possible; empty if there is nothing to say. */
  get message(): string {
    return this.#message;
  }

  /** The newest config: updates are reviewed against it. */
  get newest(): PageFile | undefined {
    return newestConfig(this.#files);
  }

  /** The config blocks, the oldest first. */
  get blocks(): readonly BlockFile[] {
    return this.#files
      .flatMap(({ config, block }) =>
        config === undefined || block === undefined ? [] : [{ config, block }],
      )
      .toSorted((left, right) => Number(left.config.number! - right.config.number!));
  }

  /** Adds files; one with the name of an earlier one replaces it. */
  async add(given: readonly Dropped[] | Promise<readonly Dropped[]>): Promise<void> {
    await this.#whileBusy(async () => {
      const { msps, files } = splitMsps(await given);
      const read = files.flatMap(readPageFiles);
      this.#files = [...withoutNames(this.#files, read), ...read];
      this.#msps = [...withoutNames(this.#msps, msps), ...msps];
      await this.#update(read);
    });
  }

  /** An error is the message. */
  async #whileBusy(work: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    this.#message = '';
    this.onChange();
    try {
      await work();
    } catch (error) {
      this.#message = (error as Error).message;
    } finally {
      this.#isBusy = false;
      this.onChange();
    }
  }

  /** Makes everything that depends on the newest config. @param added the new files */
  async #update(added: readonly PageFile[]): Promise<void> {
    const base = this.newest?.config;
    if (base === undefined) return;
    this.#signers = await Promise.all(
      this.#msps.flatMap(({ name, person }) =>
        person === undefined
          ? []
          : [signerOf(name, person, base.config).catch((error: Error) => ({ name, error: error.message }))],
      ),
    );
    const updates = this.#files.flatMap(({ name, update }) =>
      update === undefined ? [] : [{ name, bytes: update.bytes }],
    );
    const known = { proposals: this.#found.proposals.length, identities: this.#identities.length };
    const [now, fabric] = [this.#now(), this.#fabric];
    this.#found = await reviewAll(updates, base, { now, fabric });
    this.#identities = await explainAll(this.#identityFiles(), base, { now, fabric, mspid: this.#mspid });
    this.#tab = this.#tabFor(added, known);
    this.powers.begin(base, this.#found.proposals, fabric);
    if (this.#tab === 'powers') await this.powers.load();
    await this.editor.begin(base, this.#msps);
  }

  /** The part to show after files were added. A folder of a person is mostly there to sign: it does not hide updates. */
  #tabFor(added: readonly PageFile[], known: { proposals: number; identities: number }): TabId {
    const { proposals } = this.#found;
    const hasNew = (key: 'update' | 'identities'): boolean => added.some((each) => each[key] !== undefined);
    if (proposals.length > 0 && (known.proposals === 0 || hasNew('update'))) return 'review';
    if (hasNew('identities')) return 'identities';
    const isIdle = proposals.length === 0 && this.#tab === 'channel';
    return isIdle && this.#identities.length > known.identities ? 'identities' : this.#tab;
  }

  #identityFiles(): readonly IdentityFile[] {
    const folders = this.#msps.map(({ name, identity }) => ({
      name,
      identities: identity === undefined ? undefined : [identity],
    }));
    return [...this.#files, ...folders].flatMap(({ name, identities }) =>
      identities === undefined ? [] : [{ name, identities }],
    );
  }

  /** Shows a part of the page. */
  show(tab: TabId): void {
    this.#tab = tab;
    this.onChange();
    if (tab === 'powers') void this.powers.load();
  }

  /** Shows who can do what with an update. */
  async showPowers(update: Proposal): Promise<void> {
    this.#tab = 'powers';
    await this.powers.choose(update);
  }

  /**
   * Judges everything again for the versions of Fabric that the nodes run.
   *
   * @param text versions with commas, such as `2.5.12, 3.1`; empty if they are unknown. An unknown version changes nothing, and is a message.
   */
  async chooseFabric(text: string): Promise<void> {
    const fabric = text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
    await this.#whileBusy(async () => {
      rulesOf(fabric);
      this.#fabric = fabric;
      this.editor.forgetReview();
      await this.#update([]);
    });
  }

  /** Explains the certificates again, as those of an MSP; undefined for the MSP in which they are valid. */
  async chooseMsp(mspid: string | undefined): Promise<void> {
    await this.#whileBusy(async () => {
      this.#mspid = mspid;
      await this.#update([]);
    });
  }

  /** Whether an update can be signed. */
  signing(review: Review): Signing {
    const status = exitStatusOf(review);
    return status === 2 ? 'refused' : status === 4 ? 'dangerous' : 'possible';
  }

  /** Whether an update may be signed now. */
  isAllowed(review: Review): boolean {
    const signing = this.signing(review);
    return signing === 'possible' || (signing === 'dangerous' && this.#allowed.has(review.fingerprint));
  }

  /** Says whether a dangerous update may be signed. */
  allow({ fingerprint }: Review, isAllowed: boolean): void {
    const allowed = new Set(this.#allowed);
    if (isAllowed) allowed.add(fingerprint);
    else allowed.delete(fingerprint);
    this.#allowed = allowed;
    this.onChange();
  }

  /** Signs an update, which replaces the files that contained it; does nothing if it may not be signed. */
  async sign({ names, bytes, review }: Proposal, { identity }: Signer): Promise<void> {
    if (review === undefined || !this.isAllowed(review)) return;
    try {
      const signed = await signEnvelope(bytes, identity, this.#now());
      const [path = ''] = names;
      this.#files = this.#files.filter(({ name }) => !names.includes(name));
      await this.add([{ path, bytes: signed, size: signed.length }]);
      this.#message = `${onOneLine(path)} is signed: download it, and send it on`;
    } catch (error) {
      this.#message = (error as Error).message;
    }
    this.onChange();
  }

  /** Adds the update of the editor to those that are reviewed. */
  async finish(): Promise<void> {
    const { name, bytes } = this.editor.update;
    await this.add([{ path: name, bytes, size: bytes.length }]);
  }
}

const withoutNames = <Item extends { readonly name: string }>(
  items: readonly Item[],
  others: readonly { readonly name: string }[],
): readonly Item[] => {
  const names = new Set(others.map(({ name }) => name));
  return items.filter(({ name }) => !names.has(name));
};
