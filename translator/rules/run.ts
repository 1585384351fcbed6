// Runs the checks in the order of Fabric's stages, without findings from before the update or that another finding explains.

import type { LongCall } from '../long-call.js';
import type { ChannelState } from '../state/index.js';
import { acls } from './application.js';
import { eachAddress, lostAnchors, movedAddresses } from './addresses.js';
import { bftConsenters, bftPolicy, bftPolicyAfterSwitch, bftPolicyOfConfig } from './bft.js';
import { bftOptionValues, refusedBftOptions } from './bft-options.js';
import { blockSignatures } from './block-validation.js';
import { bundle, consenterCertificates } from './bundle.js';
import { changedCapabilities, unknownCapabilities, unsupportedCapabilities } from './capabilities.js';
import { channelConfig } from './channel-config.js';
import { changedConsenters, eachConsenter, unreachable } from './consenters.js';
import { control } from './control.js';
import type { Facts } from './facts/gather.js';
import type { Proposal } from './facts/proposal.js';
import { join } from './join.js';
import { maintenance, migrationSteps } from './migration.js';
import { mspChanges } from './msp-changes.js';
import { batchBytes, batchInterval, consensus } from './orderer.js';
import { eachOrganization } from './organizations.js';
import { eachPolicy, modPolicies, removedPolicies } from './policies.js';
import { raftMembership } from './raft-metadata.js';
import { raftOptionValues } from './raft-options.js';
import { textOf, type Check, type RawFinding, type Losing, type Rule, type Severity } from './rule.js';
import { SERVICE_RULES, withServices } from './services.js';
import { authorization, cutOff, signatures } from './signatures.js';
import { expiration, finalSize, messageSize, requestSize, writers } from './submission.js';
import { succession } from './succession.js';
import { channelOfEnvelope, effects, notShown, understood, versions } from './update.js';
import { VERSION_RULES } from './versions.js';

/**
 * The stages of refusals, in Fabric's order (orderer/common/msgprocessor/standardchannel.go, multichannel/chainsupport.go). Fabric stops at
 * the first stage that refuses; a review goes on, so that everything can be corrected at once.
 */
const STAGES = [
  understood,
  channelOfEnvelope,
  messageSize,
  expiration,
  writers,
  versions,
  authorization,
  channelConfig,
  bundle,
  unsupportedCapabilities,
  succession,
  consenterCertificates,
  raftMembership,
  maintenance,
  bftPolicy,
  refusedBftOptions,
  finalSize,
  requestSize,
] as const;

/** The checks for harm in a config. A review leaves out findings from before, except of elements that the update changes. */
const OF_CONFIG = [
  batchBytes,
  batchInterval,
  unknownCapabilities,
  consensus,
  raftOptionValues,
  eachConsenter,
  bftConsenters,
  bftOptionValues,
  blockSignatures,
  eachAddress,
  eachOrganization,
  eachPolicy,
  modPolicies,
  acls,
] as const;

/** The checks for harm in a change. */
const OF_CHANGE = [
  lostAnchors,
  movedAddresses,
  bftPolicyAfterSwitch,
  changedConsenters,
  unreachable,
  changedCapabilities,
  migrationSteps,
  removedPolicies,
  mspChanges,
  cutOff,
  control,
  notShown,
  effects,
] as const;

/** The checks for a config by itself only: refusals of a block to join with, and harmful values that orderers load. */
const OF_CONFIG_ALONE = [join, bftPolicyOfConfig] as const;

const CHECKS = [...STAGES, ...OF_CONFIG, ...OF_CHANGE, ...OF_CONFIG_ALONE, signatures] as const;

type AnyRule =
  | (typeof CHECKS)[number]['rules'][number]
  | (typeof SERVICE_RULES)[number]
  | (typeof VERSION_RULES)[number];

/** All rules, each once, by id. */
export const RULES: ReadonlyMap<string, AnyRule> = new Map(
  [...CHECKS.flatMap(({ rules }): readonly AnyRule[] => rules), ...SERVICE_RULES, ...VERSION_RULES].map(
    (rule) => [rule.id, rule],
  ),
);

/** Whether an id is of findings that can be dangers, and of which none leaves open whether orderers accept the update. */
export function canBeAllowed(id: string): boolean {
  const rule = RULES.get(id);
  return rule !== undefined && rule.isOpen !== true && rule.severities.includes('danger');
}

/** The id of a finding. */
export type FindingId = AnyRule['id'];

type FindingOf<One> =
  One extends Rule<infer Id, infer Data, infer Tells>
    ? {
        /** The kind of finding, for programs and for the table in the documentation. */
        readonly id: Id;
        readonly severity: Severity;
        /** One plain sentence without a period. */
        readonly text: string;
        /** The orderer's text, after the status. `…` at its end stands for a dump of messages or certificates. */
        readonly orderer?: string;
        /** The element, for example `/Channel/Orderer/BatchSize`; empty if the finding is not about one. */
        readonly path: string;
        /** The correction, without a period. */
        readonly todo: string;
        /** The data in `text` and `todo`: JSON values. Times are in ISO 8601, 64-bit numbers are decimal texts. */
        readonly data: Tells extends true ? Data & Losing : Data;
      }
    : never;

/** A finding about a config update or a config. Its id determines the type of its data. */
export type Finding = FindingOf<AnyRule>;

/** The data of the findings with an id. */
export type FindingData<Id extends FindingId = FindingId> = Extract<Finding, { readonly id: Id }>['data'];

/** A finding in words. */
export function toFinding(found: RawFinding): Finding {
  const { rule, severity, orderer, path, data } = found;
  const { todo } = found.words();
  const text = textOf(found);
  const finding = {
    id: rule.id,
    severity,
    text,
    ...(orderer !== undefined && { orderer }),
    path,
    todo,
    data,
  };
  // A rule makes findings with its own id and data. The compiler cannot infer the rule here.
  return finding as Finding;
}

/** Whether all values of the config could be decoded. Later checks need them. */
export const isDecodable = (found: readonly RawFinding[]): boolean =>
  !found.some(({ rule }) => rule.stops === true);

/**
 * Runs checks in order, until one finds that the config cannot be read any further. Pauses between two checks.
 *
 * @param onCheck is called after each check
 */
async function run<Context>(
  checks: readonly { find(context: Context): readonly RawFinding[] | Promise<readonly RawFinding[]> }[],
  context: Context,
  call: LongCall,
  onCheck = (): void => {},
): Promise<RawFinding[]> {
  const found: RawFinding[] = [];
  for (const check of checks) {
    await call.pause();
    for (const each of await check.find(context)) found.push(each);
    onCheck();
    if (!isDecodable(found)) break;
  }
  return found;
}

/** Finds the refusals of an update by its values alone: without certificates, policies and signatures. */
export const findInValues = async (proposal: Proposal): Promise<RawFinding[]> =>
  run(
    STAGES.filter((check): check is Extract<typeof check, Check<'proposal'>> => check.needs === 'proposal'),
    proposal,
    proposal.after.call,
  );

/** Finds everything harmful in one config; dangers first. */
export const findInConfig = async (state: ChannelState): Promise<RawFinding[]> =>
  dangersFirst(await run(OF_CONFIG, state, state.call));

/** Returns all findings about an update: refusals in Fabric's order, then dangers, then warnings. */
export async function findInUpdate(facts: Facts): Promise<RawFinding[]> {
  const { call } = facts.after;
  const onCheck = counted(call, STAGES.length + 2 * OF_CONFIG.length + OF_CHANGE.length);
  const refusals = withoutExplained(await run<Facts>(STAGES, facts, call, onCheck), []);
  const dangers = isDecodable(refusals) ? await findDangers(facts, refusals, onCheck) : [];
  return [...refusals, ...dangers, ...(await run([signatures], facts, call))];
}

/** Counts the checks that have run, for the progress. */
function counted(call: LongCall, all: number): () => void {
  let done = 0;
  return () => call.advance(++done, all);
}

async function findDangers(
  facts: Facts,
  refusals: readonly RawFinding[],
  onCheck: () => void,
): Promise<RawFinding[]> {
  const { before, after, applied } = facts;
  const { call } = after;
  const known = new Set((await run(OF_CONFIG, before, call, onCheck)).map(keyOf));
  const changed = new Set(applied.changes.map(({ path }) => path));
  const isNew = (each: RawFinding): boolean => !known.has(keyOf(each)) || changed.has(each.path);
  const found = [
    ...(await run(OF_CONFIG, after, call, onCheck)).filter(isNew),
    ...(await run<Facts>(OF_CHANGE, facts, call, onCheck)),
  ];
  return dangersFirst(withServices(facts, withoutExplained(found, refusals)));
}

const keyOf = ({ rule, path, data }: RawFinding): string => JSON.stringify([rule.id, path, data]);

/** Returns all findings about a config by itself, for example of a block to join with. Certificates that expire soon come last. */
export async function findInConfigAlone(
  proposal: Proposal,
  block: Parameters<(typeof join)['find']>[0],
): Promise<RawFinding[]> {
  const { call } = proposal.after;
  const refusals = await run(
    STAGES.filter(
      (check): check is Extract<typeof check, Check<'proposal' | 'certificates'>> =>
        check.isOfConfig === true,
    ),
    proposal,
    call,
  );
  if (!isDecodable(refusals)) return refusals;
  const found = [
    ...(await run([bftPolicyOfConfig], proposal.after, call)),
    ...(await run([unreachable], proposal, call)),
    ...(await findInConfig(proposal.after)),
  ];
  const kept = withoutExplained(found, refusals);
  return [
    ...(await run([join], block, call)),
    ...refusals,
    ...kept.filter((each) => !expiresSoon(each)),
    ...kept.filter(expiresSoon),
  ];
}

const expiresSoon = ({ data }: RawFinding): boolean => 'isExpired' in data && data.isExpired === false;

/** One cause, one finding. An explained finding explains nothing itself. @param causes other findings that can explain */
function withoutExplained(found: readonly RawFinding[], causes: readonly RawFinding[]): RawFinding[] {
  const explaining = [...causes, ...found].filter(({ rule }) => rule.explains !== undefined);
  const isExplained = (other: RawFinding): boolean =>
    explaining.some(
      (cause) => cause.rule.explains?.[other.rule.id]?.(other, cause) === true && !isExplained(cause),
    );
  return found.filter((each) => !isExplained(each));
}

const dangersFirst = (found: readonly RawFinding[]): RawFinding[] => [
  ...found.filter(({ severity }) => severity === 'danger'),
  ...found.filter(({ severity }) => severity !== 'danger'),
];
