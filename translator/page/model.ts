// The state of the page: dropped files, signers, and reviews of updates. Works without a browser.
// Operations may overlap. Each operation changes the inputs at once. Its results are shown when all of them are known, unless the inputs
// have changed since. So all results on the page are for the same inputs.

import { naturally } from '../../core/common/text/naturally.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import { shellPath } from '../../core/common/text/shell-word.js';
import { attempt } from '#proto/errors.js';
import type { ConfigFile } from '#translator/channel/index.js';
import type { OrganizationNames } from '#translator/documents/index.js';
import { rulesOf } from '#translator/msp/index.js';
import { verdictOf, type Review } from '#translator/review/index.js';
import { signEnvelope } from '#translator/sign/index.js';
import { EditorModel } from './editor-model.js';
import { ENGINE, type Engine } from './engine.js';
import { readPageFile, type BlockFile, type PageFile, type UnreadFile } from './files.js';
import type { Gains } from './gains.js';
import type { IdentityResult } from './identities.js';
import { filesCalled, readAll, withAdded, type Inputs } from './inputs.js';
import { guessedMspId, type DroppedMsp, type SigningFolder } from './msp-folders.js';
import type { OutlineResult, Picture } from './picture.js';
import { PowersModel } from './powers.js';
import { percentOf, type OnProgress } from './progress.js';
import type { ShownProposal, Proposals } from './proposals.js';
import { NO_RESULTS, resultsOf, type NoSigner, type Results } from './results.js';
import { fileNameOf, yourPart, type Person, type YourPart } from './your-part.js';

/** The maximum number of files that are read at a time. */
const MAX_FILES = 2000;

/** A part of the page. */
export type PlaceId = 'review' | 'identities' | 'channel' | 'edit' | 'history';

/** Whether an update can be signed: never if the channel has it or orderers would refuse it; if it is dangerous, only after users confirm the dangers. */
export type Signing = 'applied' | 'refused' | 'dangerous' | 'possible';

/** The gains of an update, the reason that they are unknown, or the part of their computation that is done, in hundredths. */
export type ShownGains =
  | { readonly gains: Gains }
  | { readonly error: string }
  | { readonly percent: number };

/** The work of the page. */
export interface Work {
  /** `Reviewing the update` */
  readonly what: string;
  /** The part of it that is done, in hundredths. */
  readonly percent: number;
  /** The outline of the channel that is being opened; undefined if it is not known, or another channel is shown. */
  readonly outline: OutlineResult | undefined;
}

const READING: Work = { what: 'Reading', percent: 0, outline: undefined };

/** Inputs and their results. */
type Shown = Inputs & Results;

/** The state of the page. */
export class PageModel {
  /** Called after each change. */
  onChange = (): void => {};
  readonly editor: EditorModel;
  readonly powers: PowersModel;
  readonly #now: () => Date;
  readonly #engine: Engine;
  #inputs: Inputs;
  #shown: Shown;
  /** The fingerprints of dangerous updates that may be signed. */
  #allowed: ReadonlySet<string> = new Set();
  #place: PlaceId = 'channel';
  /** The fingerprint or, without a review, the file of the shown update. */
  #chosen: string | undefined;
  #picture: { readonly base: ConfigFile; readonly picture: Picture | undefined } | undefined;
  readonly #gains = new WeakMap<ShownProposal, ShownGains>();
  #operations = 0;
  /** The number of operations that have not ended. */
  #running = 0;
  #work = READING;
  #message = '';

  /**
   * @param now the time for which updates are reviewed and signed
   * @param engine computes
   */
  constructor(now: () => Date, engine = ENGINE) {
    this.#now = now;
    this.#engine = engine;
    this.powers = new PowersModel(engine.powersOf);
    const inputs: Inputs = { files: [], msps: [], fabric: [], mspid: undefined };
    this.#inputs = inputs;
    this.#shown = { ...inputs, ...NO_RESULTS };
    this.editor = new EditorModel((files, base) =>
      engine.reviewAll(files, base, { now: now(), fabric: this.fabric }),
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
  get signers(): readonly (SigningFolder | NoSigner)[] {
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

  /** The MSP ids of the channel, in the order of users. */
  get mspids(): readonly string[] {
    return [...this.#shown.organizations.keys()].toSorted(naturally);
  }

  /** The shown part of the page. */
  get place(): PlaceId {
    return this.#place;
  }

  /** The name of the channel, which an update may know if the config does not; undefined if it is unknown. */
  get channel(): string | undefined {
    const { newest, found } = this.#shown;
    return (
      newest?.config?.channel ?? found.proposals.find(({ review }) => review !== undefined)?.review?.channel
    );
  }

  /** The outline of the channel, or the reason that it cannot be read. */
  get outline(): OutlineResult {
    return this.#shown.outline;
  }

  /** The details of the channel; undefined while they are computed. */
  get picture(): Picture | undefined {
    return this.#picture?.picture;
  }

  /** The update that is shown: the chosen one, otherwise the worst. */
  get chosen(): ShownProposal | undefined {
    const { proposals } = this.#shown.found;
    return proposals.find((each) => keyOf(each) === this.#chosen) ?? proposals[0];
  }

  /** The names of the organisations of the channel by their MSP ids. */
  get organizations(): OrganizationNames {
    return this.#shown.organizations;
  }

  /** The gains and losses of an update; undefined before their computation begins. */
  gainsOf(proposal: ShownProposal): ShownGains | undefined {
    return this.#gains.get(proposal);
  }

  /** The file for the download of an update, with the names of its signers. */
  fileNameOf({ names, review }: ShownProposal): string {
    const [name = ''] = names;
    return review === undefined ? name.replace(/^.*\//, '') : fileNameOf(name, review, this.organizations);
  }

  /** The command that rehearses an update; undefined if orderers would refuse it, or the channel has it. */
  rehearsalOf({ names: [name = ''], review }: ShownProposal): string | undefined {
    if (review === undefined || ['refused', 'applied'].includes(verdictOf(review))) return undefined;
    const { name: base = '' } = this.newest ?? {};
    // A config block in a file of a ledger has no file of its own.
    const path = base.includes(', config block ') ? 'config_block.pb' : base;
    return `configtxlator rehearse ${shellPath(name)} --block ${shellPath(path)} --programs bin`;
  }

  /** The users with an MSP folder on the page, and their standing in an update. */
  peopleOf(proposal: ShownProposal): readonly Person[] {
    const standings = this.#shown.standings.get(proposal);
    const futures = this.#shown.futures.get(proposal);
    return this.#shown.signers.map((signer) => ({
      folder: signer.name,
      title: this.titleOf(signer),
      standing: 'error' in signer ? undefined : standings?.get(signer.name),
      future: futures?.get(signer.name),
    }));
  }

  /** `Org1 admin`, or the name in the certificate of a person without an organisation. */
  titleOf(signer: SigningFolder | NoSigner): string {
    const owner = this.#shown.msps.find(({ name }) => name === signer.name)?.owner || signer.name;
    if ('error' in signer) return onOneLine(owner);
    const { commonName, units } = signer.identity.certificate.subject;
    const organization = this.organizations.get(signer.mspid) ?? signer.mspid;
    return onOneLine(`${organization} ${units.includes('admin') ? 'admin' : commonName}`);
  }

  /** The next actions of the users on the page with an update; undefined without a review. */
  yourPart(proposal: ShownProposal): YourPart | undefined {
    const { review } = proposal;
    if (review === undefined) return undefined;
    return yourPart({
      review,
      file: this.fileNameOf(proposal),
      isNew:
        proposal.names.length > 1 || filesCalled(proposal.names, this.#shown).some(({ isMade }) => isMade),
      people: this.peopleOf(proposal),
      organizations: this.organizations,
      hasOrganization: this.#shown.msps.some(({ organization }) => organization !== undefined),
    });
  }

  /** What can be done with the MSP folders of organisations, each with the name of a form. The MSP id is guessed. */
  get offers(): readonly { readonly folder: string; readonly text: string; readonly form: string }[] {
    const known = new Set(this.mspids);
    return this.#shown.msps.flatMap(({ name: folder, owner, organization }) => {
      if (organization === undefined) return [];
      const id = guessedMspId(owner);
      if (known.has(id)) return [{ folder, text: `Replace the MSP of ${id}…`, form: 'org set-msp' }];
      return [{ folder, text: `Add ${id === '' ? 'this organisation' : id}…`, form: 'org add' }];
    });
  }

  /** Whether files are being read, or a change is not shown yet. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** The current work; undefined if there is none. */
  get work(): Work | undefined {
    return this.isBusy ? this.#work : undefined;
  }

  /** The result of the last operation, or its error; may be empty. */
  get message(): string {
    return this.#message;
  }

  /** The newest config of those that continue the oldest one: updates are reviewed against it. */
  get newest(): PageFile | undefined {
    return this.#shown.newest;
  }

  /** Files with configs that are not used, or contradict each other, and why. */
  get baseNotes(): readonly string[] {
    return this.#shown.baseNotes;
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

  /** Removes a file or an MSP folder. */
  async remove(name: string): Promise<void> {
    await this.#whileBusy(async () => {
      await this.#change((inputs) => ({
        ...inputs,
        files: inputs.files.filter((each) => each.name !== name),
        msps: inputs.msps.filter((each) => each.name !== name),
      }));
    });
  }

  /** Runs an operation with its number. An error becomes the message. */
  async #whileBusy(work: (operation: number) => Promise<void>): Promise<void> {
    if (this.#running === 0) this.#work = READING;
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
      const results = await resultsOf(inputs, {
        engine: this.#engine,
        now: this.#now(),
        isOutdated: () => this.#inputs !== inputs,
        onOutline: (outline) => this.#onOutline(outline),
        begin: (what) => this.#begin(what),
      });
      if (results !== undefined) await this.#showResults({ ...inputs, ...results });
    } catch (error) {
      // The next operation starts with the shown inputs.
      if (this.#inputs === inputs) this.#inputs = this.#shown;
      throw error;
    }
  }

  /** Shows the outline of a channel that is being opened. */
  #onOutline(outline: OutlineResult): void {
    this.#work = { ...this.#work, outline: this.newest === undefined ? outline : undefined };
    this.onChange();
  }

  /** Begins a part of the work. */
  #begin(what: string): OnProgress {
    this.#work = { ...this.#work, what, percent: 0 };
    this.onChange();
    return (progress) => {
      // Another operation may have begun another part.
      if (this.#work.what !== what) return;
      this.#work = { ...this.#work, percent: percentOf(progress) };
      this.onChange();
    };
  }

  async #showResults(shown: Shown): Promise<void> {
    const before = this.#shown;
    this.#shown = shown;
    const base = shown.newest?.config;
    if (base === undefined) return;
    this.#place = this.#placeAfter(before);
    const hasSameRules = shown.fabric === before.fabric;
    // Users have confirmed dangers of the review against the former config.
    if (base !== before.newest?.config || !hasSameRules) this.#allowed = new Set();
    if (!hasSameRules) this.editor.forgetReview();
    this.powers.begin(base, shown.fabric);
    this.onChange();
    await Promise.all([this.#load(), this.editor.begin(base, shown.msps)]);
  }

  /** The part to show after a change. Updates stay shown when the folder of a person is added, because most users add it to sign. */
  #placeAfter(before: Shown): PlaceId {
    const { files, found, identities, blocks } = this.#shown;
    const known = new Set(before.files);
    const added = files.filter((file) => !known.has(file));
    const hasNew = (key: 'update' | 'identities'): boolean => added.some((each) => each[key] !== undefined);
    if (found.proposals.length > 0 && (before.found.proposals.length === 0 || hasNew('update')))
      return 'review';
    if (hasNew('identities')) return 'identities';
    const isIdle = found.proposals.length === 0 && this.#place === 'channel';
    if (isIdle && identities.length > before.identities.length) return 'identities';
    const isEmpty = {
      review: found.proposals.length === 0,
      identities: identities.length === 0,
      history: blocks.length < 2,
      channel: false,
      edit: false,
    };
    return isEmpty[this.#place] ? 'channel' : this.#place;
  }

  /** Computes what the shown part needs. */
  async #load(): Promise<void> {
    if (this.#place === 'channel') await Promise.all([this.#loadPicture(), this.powers.load()]);
    if (this.#place === 'review') await this.#loadGains();
  }

  async #loadPicture(): Promise<void> {
    const base = this.newest?.config;
    if (base === undefined || this.#picture?.base === base) return;
    this.#picture = { base, picture: undefined };
    const picture = await this.#engine.pictureOf(base, this.#now());
    if (this.newest?.config !== base) return;
    this.#picture = { base, picture };
    this.onChange();
  }

  /** Computes the gains of the shown update, unless they are known or being computed. */
  async #loadGains(): Promise<void> {
    const { chosen } = this;
    const base = this.newest?.config;
    if (chosen?.review === undefined || base === undefined || this.#gains.has(chosen)) return;
    if (chosen.review.appliedIn !== null) return;
    const show = (shown: ShownGains): void => {
      this.#gains.set(chosen, shown);
      this.onChange();
    };
    this.#gains.set(chosen, { percent: 0 });
    const onProgress: OnProgress = (progress) => show({ percent: percentOf(progress) });
    show(
      await attempt(
        async (): Promise<ShownGains> => ({
          gains: await this.#engine.gainsOf(base, chosen.bytes, this.fabric, onProgress),
        }),
        async ({ message }) => ({ error: message }),
      ),
    );
  }

  /** Shows a part of the page. */
  async show(place: PlaceId): Promise<void> {
    this.#place = place;
    this.onChange();
    await this.#load();
  }

  /** Shows an update. */
  async choose(proposal: ShownProposal): Promise<void> {
    this.#chosen = keyOf(proposal);
    await this.show('review');
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
    return verdict === 'applied' || verdict === 'refused' || verdict === 'dangerous' ? verdict : 'possible';
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
   * Signs an update and replaces its files; does nothing if the update may not be signed, or the signature would not count. If its files
   * have changed since the review, or change in the meantime, it is not signed, and the message has this reason.
   *
   * @param folder the name of the MSP folder of the signer
   */
  async sign(proposal: ShownProposal, folder: string): Promise<void> {
    const { names, bytes, review } = proposal;
    const signer = this.#shown.signers.find(({ name }) => name === folder);
    if (review === undefined || !this.isAllowed(review)) return;
    if (signer === undefined || 'error' in signer) return;
    const { identity } = signer;
    const standing = this.#shown.standings.get(proposal)?.get(folder);
    // An update of an older review has no standing: the message is that it has changed.
    if (standing !== undefined && standing !== 'counts') return;
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
        throw new Error(`${onOneLine(path)} has changed: read its new review, then sign it`);
      const file = { ...readPageFile({ path, bytes: signed, size: signed.length }), isMade: true };
      await this.#change((inputs) => {
        const files = inputs.files.filter(({ name }) => !names.includes(name));
        return { ...inputs, files: withAdded(files, [file], operation) };
      });
    });
  }

  /** Adds the update of the editor to the reviewed updates. */
  async finish(): Promise<void> {
    await this.#whileBusy(async (operation) => {
      const { name, bytes } = this.editor.update;
      const file = { ...readPageFile({ path: name, bytes, size: bytes.length }), isMade: true };
      await this.#change((inputs) => ({ ...inputs, files: withAdded(inputs.files, [file], operation) }));
      const own = this.found.proposals.find(({ names }) => names.includes(name));
      if (own !== undefined) await this.choose(own);
    });
  }
}

/** The key of an update: the same for each copy of it. */
const keyOf = ({ names, review }: ShownProposal): string => review?.fingerprint ?? names.join('\n');
