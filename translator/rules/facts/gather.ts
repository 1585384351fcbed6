// Collects the facts of a review once: applies the update, checks its signatures, judges the policies.

import {
  applyInSteps,
  consentersOf,
  fingerprintOf,
  type ConfigUpdate,
  type Envelope,
  type ConfigFile,
} from '../../channel/index.js';
import { describeChanges, type ElementChange } from '../../documents/index.js';
import { MspCache, type Program } from '../../msp/index.js';
import {
  SignerList,
  Evaluation,
  judgeInSteps,
  policiesOf,
  type Judgement,
  findMissingInSteps,
  type Missing,
  isSatisfiable,
  findOrder,
  type PolicyNode,
  type Signer,
} from '../../policy/index.js';
import type { Active, Proposal } from './proposal.js';
import { activeConsenters, type OrdererProgress } from './orderers.js';
import { serviceFacts, type ServiceFacts } from './services.js';
import { LongCall, type CallOptions } from '../../long-call.js';
import { ChannelState } from '../../state/index.js';
import {
  assumeSignature,
  checkSignatures,
  checkSubmitter,
  countsFor,
  signersByPolicy,
  type CheckedSignature,
} from './signers.js';

/** Options of a review. */
export interface ReviewOptions extends CallOptions {
  /** The time of the review. @default the current time */
  readonly now?: Date | undefined;
  /** The versions of the nodes of the channel, such as `3.1.5`, or `3.1` for any of its releases; see `rulesOf`. */
  readonly fabric?: readonly string[] | undefined;
  /** The consenters that are alive; by default, the ones that `orderers` shows as alive. */
  readonly active?: Active | undefined;
  /** The orderers of the running channel, if they were asked. */
  readonly orderers?: readonly OrdererProgress[] | undefined;
  /**
   * The serialized identity of the future submitter of the update with `peer channel update`, which adds a signature to it and signs the
   * envelope. The review then includes both signatures.
   */
  readonly submitter?: Uint8Array | undefined;
  /** Whether the block is known to be the newest of the channel. */
  readonly isNewest?: boolean | undefined;
  /** MSPs that other calls have set up. */
  readonly msps?: MspCache | undefined;
}

/** The input of rules and reports: a proposal with its signatures, its block, and the losses of actors. */
export interface Facts extends Proposal {
  readonly update: ConfigUpdate;
  readonly file: Envelope;
  /** See `fingerprintOf`. */
  readonly fingerprint: string;
  readonly block: ConfigFile;
  /** The orderers of the running channel; empty if they were not asked. */
  readonly orderers: readonly OrdererProgress[];
  /** Whether the block is known to be the newest one of the channel. */
  readonly isNewest: boolean;
  readonly signatures: readonly CheckedSignature[];
  readonly submitter: CheckedSignature | undefined;
  readonly judgements: readonly Judgement[];
  readonly evaluation: Evaluation;
  readonly missing: Missing;
  /** Whether the signatures satisfy all policies, in their order or in another one that was found. */
  readonly hasOrder: boolean;
  readonly signersOf: ReadonlyMap<PolicyNode, ReadonlySet<Signer>>;
  /** The paths of the policies that each signature counts for. */
  readonly countsFor: readonly (readonly string[])[];
  /** Losses and gains of services; undefined if the update changes nothing that decides about services. */
  readonly services: ServiceFacts | undefined;
  /** The reason that losses and gains of services could not be judged; undefined if they could. */
  readonly notJudged: string | undefined;
  /** The changes of the update, in words. */
  readonly changes: readonly ElementChange[];
}

/** The usual shares of a review, in hundredths; the rules have the rest. */
const MSPS = 25;
const SERVICES = 20;

/**
 * Collects the facts.
 *
 * @param call reports the progress, and is told by its signal when to end
 * @throws TranslateError BAD_BYTES if a value of the current config does not parse
 */
export async function gatherFacts(
  file: Envelope,
  block: ConfigFile,
  {
    now,
    orderers = [],
    active = orderers.length === 0 ? undefined : activeConsenters(block.config, orderers),
    submitter: willSubmit,
    isNewest = false,
    msps: cache = new MspCache(),
  }: Omit<ReviewOptions, 'fabric' | 'now' | keyof CallOptions> & { readonly now: Date },
  program: Program,
  call = new LongCall(),
): Promise<Facts> {
  const channel = block.channel ?? file.channel ?? file.update.channelId;
  const applied = await call.run(applyInSteps(block.config, file.update, channel));
  const before = new ChannelState(block.config, { program, now, cache, call });
  const after = new ChannelState(applied.config, { program, now, cache, call });
  call.begin('msps', MSPS);
  const old = await before.msps;
  call.begin('msps', MSPS);
  const result = await after.msps;
  for (const state of [before, after]) await state.readAhead();
  const present = await checkSignatures(file.update.bytes, file.signatures, old.manager, call);
  const added = willSubmit === undefined ? undefined : await assumeSignature(willSubmit, old.manager);
  const signatures = added === undefined ? present : [...present, added];
  const evaluation = new Evaluation(new SignerList(signatures.flatMap(({ identity }) => identity ?? [])));
  const judgements = await call.run(judgeInSteps(before.policies, applied.changes, evaluation));
  const policies = policiesOf(judgements);
  const signersOf = await signersByPolicy(policies, evaluation.list, call);
  const isSatisfied = judgements.every(({ satisfied }) => satisfied);
  const hasMsp = (mspid: string): boolean => old.manager.msps.has(mspid);
  const missing = await call.run(
    findMissingInSteps(judgements, evaluation, (principal) => isSatisfiable(principal, hasMsp)),
  );
  const hasOrder = isSatisfied || (await call.run(findOrder(policies, evaluation.list))) !== undefined;
  await call.pause();
  // Throws if the consenters cannot be read: such an update is not reviewed.
  consentersOf(before.channel);
  const submitter = added ?? (await checkSubmitter(file.submission, old.manager));
  call.begin('services', SERVICES);
  const services = await serviceFacts(before, after, applied.changes, [...old.faults, ...result.faults]);
  const changes: ElementChange[] = [];
  for (const change of describeChanges(applied, before, after)) {
    changes.push(change);
    await call.pause();
  }
  return {
    channel,
    before,
    after,
    update: file.update,
    applied,
    active,
    file,
    fingerprint: fingerprintOf(file.update.bytes),
    block,
    orderers,
    isNewest,
    signatures,
    submitter,
    judgements,
    evaluation,
    missing,
    hasOrder,
    signersOf,
    countsFor: countsFor(signatures, signersOf),
    ...(typeof services === 'string'
      ? { services: undefined, notJudged: services }
      : { services, notJudged: undefined }),
    changes,
  };
}
