// Stage: what must not change from one config to the next (Fabric's common/channelconfig/bundle.go, ValidateNew).

import {
  allowsConsensusMigration,
  channelOf,
  type Channel,
  type Consortium,
  type Organization,
  type ConfigGroup,
} from '../../channel/index.js';
import type { Proposal } from '../facts/proposal.js';
import type { Finding } from '../../documents/index.js';
import { applying, refused, type Refusal } from '../finding.js';

export function successionFindings(proposal: Proposal): Finding[] {
  const { before, applied } = proposal;
  const [old, now] = [channelOf(before), channelOf(applied.config)];
  const section = (name: string): Refusal[] =>
    sectionRefusals(before.channelGroup, applied.config.channelGroup, name);
  return [
    ...section('Orderer'),
    ...consensusTypeRefusals(old, now),
    ...mspIdRefusals(old.orderer.organizations, now.orderer.organizations, 'orderer'),
    ...section('Application'),
    ...mspIdRefusals(old.application.organizations, now.application.organizations, 'application'),
    ...section('Consortiums'),
    ...consortiumRefusals(old.consortiums, now.consortiums),
  ].map((refusal) => refused(applying(proposal), refusal));
}

function sectionRefusals(old: ConfigGroup, now: ConfigGroup, name: string): Refusal[] {
  const word = name.toLowerCase();
  const path = `/Channel/${name}`;
  if (old.groups.has(name) && !now.groups.has(name))
    return [
      {
        id: 'group-removed',
        orderer:
          name === 'Orderer'
            ? 'config update is not compatible: config does not contain orderer config'
            : `current config has ${word} section, but new config does not`,
        path,
        data: { group: name },
      },
    ];
  if (name !== 'Consortiums' || old.groups.has(name) || !now.groups.has(name)) return [];
  return [
    {
      id: 'consortiums-added',
      orderer: `current config has no ${word} section, but new config does`,
      path,
      data: {},
    },
  ];
}

function consensusTypeRefusals(old: Channel, now: Channel): Refusal[] {
  if (old.orderer.group === undefined || now.orderer.group === undefined) return [];
  if (allowsConsensusMigration(old.capabilities)) return [];
  const [before, after] = [old.orderer.consensus.type, now.orderer.consensus.type];
  if (before === after) return [];
  return [
    {
      id: 'consensus-type',
      orderer: `attempted to change consensus type from ${before} to ${after}`,
      path: '/Channel/Orderer/ConsensusType',
      data: { type: after, isAllowed: false },
    },
  ];
}

type Organizations = readonly Pick<Organization, 'name' | 'path' | 'mspId'>[];

function mspIdRefusals(old: Organizations, now: Organizations, word: string): Refusal[] {
  const ids = new Map(now.map(({ name, mspId }) => [name, mspId]));
  return old.flatMap(({ name, path, mspId: from }): Refusal[] => {
    const to = ids.get(name);
    if (from === undefined || to === undefined || from === to) return [];
    return [
      {
        id: 'msp-id-changed',
        orderer: `${word} org ${name} attempted to change MSP ID from ${from} to ${to}`,
        path: `${path}/MSP`,
        data: { organization: name, before: from, after: to },
      },
    ];
  });
}

const consortiumRefusals = (
  old: readonly Consortium[] = [],
  now: readonly Consortium[] = [],
): readonly Refusal[] =>
  old.flatMap(({ name, organizations }) => {
    const next = now.find((each) => each.name === name);
    return mspIdRefusals(organizations, next?.organizations ?? [], `consortium ${name}`);
  });
