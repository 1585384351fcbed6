// What to do after a review, and what it cannot know.

import {
  describeNeed,
  identityWords,
  unknownRevocation,
  type Finding,
  type FindingData,
} from '../describe/index.js';
import type { Facts } from './facts/gather.js';
import { isDecodable } from './finding.js';
import { consentersOf } from '../channel/index.js';
import { unknownMembers } from '../powers/index.js';

const SHOWN = 5;

/** What to do next, in order. */
export function nextSteps({ missing, before, after }: Facts, findings: readonly Finding[]): string[] {
  const has = (severity: Finding['severity']): boolean => findings.some((each) => each.severity === severity);
  const steps = todosOf(findings.filter(({ severity }) => severity === 'refused'));
  if (steps.length > 0) return [...steps, 'review again'];
  if (findings.some(({ id }) => id === 'signatures-missing'))
    steps.push(
      `collect the signatures of ${describeNeed(missing.need, identityWords)} with configtxlator sign`,
    );
  if (findings.some(({ id }) => id === 'signatures-order'))
    steps.push('merge the signed files with configtxlator merge --block');
  if (has('danger')) steps.push('check the dangers before anybody submits this');
  steps.push('submit the update with configtxlator submit, which waits for its block');
  if (consentersOf(after.channel).length > consentersOf(before.channel).length)
    steps.push('let the new node join with osnadmin channel join');
  return steps;
}

function todosOf(findings: readonly Finding[]): string[] {
  const todos = [...new Set(findings.map(({ todo }) => todo))];
  return todos.length <= SHOWN
    ? todos
    : [...todos.slice(0, SHOWN), `${todos.length - SHOWN} more corrections`];
}

/** What a review cannot know of this update. @param areVersionsGiven whether the versions of the nodes were given */
export function unknowns(
  { block, isNewest, proposal, before, after, services, notJudged }: Facts,
  findings: readonly Finding[],
  areVersionsGiven: boolean,
): string[] {
  const unknown = [
    ...(isNewest
      ? []
      : [
          `whether ${block.number === undefined ? 'this config' : `block ${block.number}`} is the newest of the channel`,
        ]),
    ...(areVersionsGiven ? [] : [`whether the orderers run Fabric ${proposal.fabric}`]),
  ];
  const undecodable = findings.find(({ id }) => id === 'value-undecodable');
  const reason = undecodable === undefined ? notJudged : `${undecodable.path} does not parse`;
  if (reason !== undefined) unknown.push(`who loses or gains something by this update: ${reason}`);
  if (!isDecodable(findings)) return unknown;
  const [old, now] = [consentersOf(before.channel), consentersOf(after.channel)];
  if (
    proposal.active === undefined &&
    proposal.applied.changes.some(({ path }) => path === after.channel.orderer.consentersPath)
  )
    unknown.push(
      `whether all ${old.length} consenters are alive: give their number or addresses with --active`,
    );
  for (const { id, data } of findings) {
    if ('sets' in data)
      unknown.push(
        `whether one of ${data.sets} sets of organisations that were not compared controls more than before`,
      );
    if (id === 'msp-revocation') unknown.push(unknownRevocation(data as FindingData<'msp-revocation'>));
  }
  if (now.length > old.length) unknown.push('whether the new consenter can be reached');
  return [...unknown, ...unknownMembers(after.channel, services?.unknown ?? [])];
}
