// The next steps after a review, and facts that it cannot know.

import { consentersOf } from '../channel/index.js';
import { roleWords } from '../documents/index.js';
import { unknownMembers } from '../powers/index.js';
import {
  isDecodable,
  RULES,
  type Facts,
  type RawFinding,
  type NextStep,
  type Severity,
} from '../rules/index.js';
import {
  changedNodes,
  consenterNodes,
  organizationNames,
  type ChannelState,
  type ConsenterNodes,
} from '../state/index.js';
import type { Review } from './result.js';

const SHOWN = 5;

/** The next steps, in order. @param areVersionsGiven whether the versions of the nodes were given */
export function nextSteps(facts: Facts, found: readonly RawFinding[], areVersionsGiven: boolean): NextStep[] {
  const { before, after } = facts;
  const has = (severity: Severity): boolean => found.some((each) => each.severity === severity);
  const steps = todosOf(found.filter(({ severity }) => severity === 'refused'));
  if (steps.length > 0) return [...steps, { do: 'review', text: 'review again' }];
  // In the order of the rules.
  for (const { id, next } of RULES.values())
    if (next !== undefined && found.some(({ rule }) => rule.id === id)) steps.push(next(facts));
  if (has('danger')) steps.push({ do: 'check', text: 'check the dangers before anybody submits this' });
  steps.push({
    do: 'submit',
    text: 'submit the update with configtxlator submit, which waits for its block',
  });
  if (consentersOf(after.channel).length > consentersOf(before.channel).length) {
    // A Raft orderer that was down at its removal keeps its old Raft id, and stops at each message to the new one (etcdraft/chain.go).
    const first = after.channel.orderer.isBft
      ? ''
      : '; if it has the channel from before its removal, remove it there first with osnadmin channel remove';
    steps.push({ do: 'join', text: `let the new node join with osnadmin channel join${first}` });
  }
  return [...steps, ...restarts(before, after, areVersionsGiven)];
}

/**
 * The restart of existing consenters whose key in the config changes, or before 3.1.2 their BFT identity. Without versions, such a restart
 * is a step as well, because it is right for all versions.
 */
function restarts(before: ChannelState, after: ChannelState, areVersionsGiven: boolean): NextStep[] {
  const [old, now] = [before, after].map(({ channel, program }) =>
    consenterNodes(channel, areVersionsGiven ? program.bft : '3.0'),
  ) as [ConsenterNodes, ConsenterNodes];
  const { renewed, moved } = changedNodes(old, now);
  const consenters = now.nodes
    .filter((node) => renewed.includes(node) || moved.includes(node))
    .map(({ name }) => name);
  if (consenters.length === 0) return [];
  const signs = after.channel.orderer.isBft && renewed.length > 0;
  const text = `restart the orderers of ${consenters.join(', ')} with what the update changes, one after the other${signs ? '; until then their signatures on blocks do not count' : ''}`;
  return [{ do: 'restart', consenters, text }];
}

function todosOf(found: readonly RawFinding[]): NextStep[] {
  const todos = [...new Set(found.map(({ words }) => words().todo))];
  const texts =
    todos.length <= SHOWN ? todos : [...todos.slice(0, SHOWN), `${todos.length - SHOWN} more corrections`];
  return texts.map((text) => ({ do: 'correct', text }));
}

/** Values that orderers of 2.5 and 3.0 judge differently, whatever the certificates. */
const DIFFERENT: ReadonlySet<string> = new Set(['Capabilities', 'ConsensusType', 'Orderers', 'KafkaBrokers']);

const dependsOnFabric = ({ applied }: Facts): boolean =>
  applied.changes.some(({ kind, names }) => kind === 'value' && DIFFERENT.has(names.at(-1) ?? ''));

const newestText = (block: string | null): string =>
  `whether ${block === null ? 'this config' : `block ${block}`} is the newest of the channel`;

/** The facts under `unknown` that depend on the update. The newest block is unknown to every review without a network. */
export const unknownOfUpdate = ({ unknown, block }: Pick<Review, 'unknown' | 'block'>): readonly string[] =>
  unknown.filter((each) => each !== newestText(block));

/** The facts that a review cannot know of this update; the one of every update is last. @param areVersionsGiven whether the versions of the nodes were given */
export function unknowns(facts: Facts, found: readonly RawFinding[], areVersionsGiven: boolean): string[] {
  const { active, applied, block, isNewest, before, after, services, notJudged } = facts;
  const newest = isNewest ? [] : [newestText(block.number === undefined ? null : String(block.number))];
  const unknown =
    areVersionsGiven || !dependsOnFabric(facts)
      ? []
      : [`whether the orderers run Fabric ${after.program.fabric}`];
  const undecodable = found.find(({ rule }) => rule.stops === true);
  const reason = undecodable === undefined ? notJudged : `${undecodable.path} does not parse`;
  if (reason !== undefined) unknown.push(`who loses or gains something by this update: ${reason}`);
  if (!isDecodable(found)) return [...unknown, ...newest];
  const [old, now] = [consentersOf(before.channel), consentersOf(after.channel)];
  if (
    active === undefined &&
    applied.changes.some(({ path }) => path === after.channel.orderer.consentersPath)
  )
    unknown.push(
      `whether all ${old.length} consenters are alive: give their number or addresses with --active`,
    );
  unknown.push(...found.flatMap((each) => each.unknown ?? []));
  const names = organizationNames([before.channel, after.channel]);
  for (const { role, organization } of services?.notNamed ?? [])
    unknown.push(
      `whether ${names.get(organization.path)} has ${roleWords(role)} with other certificates than those in policies`,
    );
  for (const { path } of services?.needPeers ?? [])
    unknown.push(
      `whether ${names.get(path)} has as many peers as its policy Endorsement needs: without them it cannot approve chaincode definitions`,
    );
  if (now.length > old.length) unknown.push('whether the new consenter can be reached');
  return [...unknown, ...unknownMembers(after.channel, services?.unknown ?? []), ...newest];
}
