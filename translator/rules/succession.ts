// Elements that must not change from one config to the next (Fabric's common/channelconfig/bundle.go, ValidateNew).

import {
  type Channel,
  type ConfigGroup,
  type Consortium,
  type Organization,
  allowsConsensusMigration,
} from '../channel/index.js';
import { quoted, words } from '../documents/index.js';
import { applying } from './facts/proposal.js';
import { type RawFinding, defineCheck, defineRule, prefixed } from './rule.js';

const groupRemoved = defineRule({
  id: 'group-removed',
  severity: 'refused',
  meaning: 'the update removes a group that must stay',
  words: ({ group }: { group: string }) =>
    words(
      `the update removes the group ${group}`,
      'keep the group; if the update was computed, the updated config was probably not a whole config',
    ),
});

const consortiumsAdded = defineRule({
  id: 'consortiums-added',
  severity: 'refused',
  meaning: 'the update adds the group Consortiums',
  words: () =>
    words(
      'the update adds the group Consortiums, which only a system channel has',
      'remove the group from the updated config',
    ),
});

export const consensusType = defineRule({
  id: 'consensus-type',
  severity: 'refused',
  meaning: 'the consensus type must not change, or is unknown',
  words: ({ type, isAllowed }: { type: string; isAllowed: boolean }) =>
    isAllowed
      ? words(
          `a channel cannot have the consensus type ${quoted(type)}`,
          'keep the consensus type, or migrate to BFT',
        )
      : words(
          'the capabilities of the channel do not allow another consensus type',
          'set the channel capability V1_4_2 or later first',
        ),
});

const mspIdChanged = defineRule({
  id: 'msp-id-changed',
  severity: 'refused',
  meaning: 'the MSP id of an organisation changes',
  words: (data: { organization: string; before: string; after: string }) =>
    words(
      `the MSP id of the organisation ${data.organization} changes from ${data.before} to ${data.after}`,
      'keep the MSP id, or remove the organisation and add a new one with another group name',
    ),
});

function ofSection(old: ConfigGroup, now: ConfigGroup, name: string): RawFinding[] {
  const word = name.toLowerCase();
  const path = `/Channel/${name}`;
  if (old.groups.has(name) && !now.groups.has(name))
    return [
      groupRemoved.refused(
        name === 'Orderer'
          ? 'config update is not compatible: config does not contain orderer config'
          : `current config has ${word} section, but new config does not`,
        path,
        { group: name },
      ),
    ];
  if (name !== 'Consortiums' || old.groups.has(name) || !now.groups.has(name)) return [];
  return [consortiumsAdded.refused(`current config has no ${word} section, but new config does`, path, {})];
}

function ofConsensusType(old: Channel, now: Channel): RawFinding[] {
  if (old.orderer.group === undefined || now.orderer.group === undefined) return [];
  if (allowsConsensusMigration(old.capabilities)) return [];
  const [before, after] = [old.orderer.consensus.type, now.orderer.consensus.type];
  if (before === after) return [];
  return [
    consensusType.refused(
      `attempted to change consensus type from ${before} to ${after}`,
      '/Channel/Orderer/ConsensusType',
      { type: after, isAllowed: false },
    ),
  ];
}

type Organizations = readonly Pick<Organization, 'name' | 'path' | 'mspId'>[];

function changedMspIds(old: Organizations, now: Organizations, word: string): RawFinding[] {
  const ids = new Map(now.map(({ name, mspId }) => [name, mspId]));
  return old.flatMap(({ name, path, mspId: from }): RawFinding[] => {
    const to = ids.get(name);
    if (from === undefined || to === undefined || from === to) return [];
    return [
      mspIdChanged.refused(
        `${word} org ${name} attempted to change MSP ID from ${from} to ${to}`,
        `${path}/MSP`,
        { organization: name, before: from, after: to },
      ),
    ];
  });
}

const ofConsortiums = (
  old: readonly Consortium[] = [],
  now: readonly Consortium[] = [],
): readonly RawFinding[] =>
  old.flatMap(({ name, organizations }) => {
    const next = now.find((each) => each.name === name);
    return changedMspIds(organizations, next?.organizations ?? [], `consortium ${name}`);
  });

/** One pass in the order of `ValidateNew`. */
export const succession = defineCheck({
  needs: 'proposal',
  rules: [groupRemoved, consortiumsAdded, consensusType, mspIdChanged],
  find(proposal) {
    const { before, after } = proposal;
    const [old, now] = [before.channel, after.channel];
    const section = (name: string): RawFinding[] =>
      ofSection(before.config.channelGroup, after.config.channelGroup, name);
    return prefixed(applying(proposal), [
      ...section('Orderer'),
      ...ofConsensusType(old, now),
      ...changedMspIds(old.orderer.organizations, now.orderer.organizations, 'orderer'),
      ...section('Application'),
      ...changedMspIds(old.application.organizations, now.application.organizations, 'application'),
      ...section('Consortiums'),
      ...ofConsortiums(old.consortiums, now.consortiums),
    ]);
  },
});
