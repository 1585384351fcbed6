// Runs the checks: without findings that a config has before the update, and with the cause of findings that follow from others.

import { sameContent, type Applied } from '../channel/index.js';
import type { LongCall } from '../long-call.js';
import type { ChannelState } from '../state/index.js';
import { OF_CHANGE, OF_CONFIG, OF_STATE, STAGES } from './all.js';
import { unreachable } from './consenters.js';
import { withCauses } from './explanations.js';
import type { Facts } from './facts/gather.js';
import type { Proposal } from './facts/proposal.js';
import { join } from './join.js';
import type { Check, RawFinding } from './rule.js';
import { withServices } from './services.js';
import { signatures } from './signatures.js';

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
  const refusals = withCauses(await run<Facts>(STAGES, facts, call, onCheck), []);
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
  const known = new Set((await run(OF_CONFIG, before, call, onCheck)).flatMap(keysOf));
  const touched = touchedBy(applied);
  const isNew = (each: RawFinding): boolean => keysOf(each).some((key) => !known.has(key)) || touched(each);
  const found = [
    ...(await run(OF_CONFIG, after, call, onCheck)).filter(isNew),
    ...(await run<Facts>(OF_CHANGE, facts, call, onCheck)),
  ];
  return dangersFirst(withCauses(withServices(facts, found), refusals));
}

/** The identity of a finding: its rule, element, severity, and each of its subjects. Other data may differ although nothing got worse. */
const keysOf = ({ rule, path, severity, subjects }: RawFinding): readonly string[] =>
  (subjects.length === 0 ? [''] : subjects).map((each) => JSON.stringify([rule.id, path, severity, each]));

/** Whether a finding is about content, or a mod_policy, that the update sets: then it is told although the config has it already. */
function touchedBy({ changes }: Applied): (found: RawFinding) => boolean {
  const contents = new Set<string>();
  const modPolicies = new Set<string>();
  for (const { kind, path, before, element } of changes) {
    if (before === undefined || !sameContent(kind, before, element)) contents.add(path);
    if (before === undefined || before.modPolicy !== element.modPolicy) modPolicies.add(path);
  }
  return ({ rule, path }) => (rule.isOfModPolicy === true ? modPolicies : contents).has(path);
}

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
    ...(await run(OF_STATE, proposal.after, call)),
    ...(await run([unreachable], proposal, call)),
    ...(await findInConfig(proposal.after)),
  ];
  const kept = withCauses(found, refusals);
  return [
    ...(await run([join], block, call)),
    ...refusals,
    ...kept.filter((each) => !expiresSoon(each)),
    ...kept.filter(expiresSoon),
  ];
}

const expiresSoon = ({ data }: RawFinding): boolean => 'isExpired' in data && data.isExpired === false;

const dangersFirst = (found: readonly RawFinding[]): RawFinding[] => [
  ...found.filter(({ severity }) => severity === 'danger'),
  ...found.filter(({ severity }) => severity !== 'danger'),
];
