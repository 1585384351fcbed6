// Stage: what must not change from one config to the next (Fabric's common/channelconfig/bundle.go, ValidateNew).

import { allowsConsensusMigration } from '../../channel/capabilities.js';
import type { ConfigGroup } from '../../channel/element.js';
import { mspIdOf, valueOrEmpty } from '../../channel/values.js';
import type { Proposal } from '../facts/proposal.js';
import type { Finding } from '../../describe/findings/index.js';
import { applying, refused, type Refusal } from '../finding.js';

export function successionFindings(proposal: Proposal): Finding[] {
  const { before, applied } = proposal;
  const [old, now] = [before.channelGroup, applied.config.channelGroup];
  return [
    ...section(old, now, 'Orderer'),
    ...consensusTypeRefusals(old, now),
    ...mspIdRefusals(old.groups.get('Orderer'), now.groups.get('Orderer'), 'orderer', '/Channel/Orderer'),
    ...section(old, now, 'Application'),
    ...mspIdRefusals(
      old.groups.get('Application'),
      now.groups.get('Application'),
      'application',
      '/Channel/Application',
    ),
    ...section(old, now, 'Consortiums'),
    ...consortiumRefusals(old.groups.get('Consortiums'), now.groups.get('Consortiums')),
  ].map((refusal) => refused(applying(proposal), refusal));
}

function section(old: ConfigGroup, now: ConfigGroup, name: string): Refusal[] {
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

function consensusTypeRefusals(old: ConfigGroup, now: ConfigGroup): Refusal[] {
  const [from, to] = [old.groups.get('Orderer'), now.groups.get('Orderer')];
  if (from === undefined || to === undefined) return [];
  if (allowsConsensusMigration(valueOrEmpty(old, 'channel', 'Capabilities').capabilities)) return [];
  const [before, after] = [from, to].map((group) => valueOrEmpty(group, 'orderer', 'ConsensusType').type);
  if (before === after) return [];
  return [
    {
      id: 'consensus-type',
      orderer: `attempted to change consensus type from ${before} to ${after}`,
      path: '/Channel/Orderer/ConsensusType',
      data: { type: after!, isAllowed: false },
    },
  ];
}

function mspIdRefusals(
  old: ConfigGroup | undefined,
  now: ConfigGroup | undefined,
  word: string,
  path: string,
): Refusal[] {
  return [...(old?.groups ?? [])].flatMap(([name, group]): Refusal[] => {
    const next = now?.groups.get(name);
    const [from, to] = [mspIdOf(group), next === undefined ? undefined : mspIdOf(next)];
    if (from === undefined || to === undefined || from === to) return [];
    return [
      {
        id: 'msp-id-changed',
        orderer: `${word} org ${name} attempted to change MSP ID from ${from} to ${to}`,
        path: `${path}/${name}/MSP`,
        data: { organization: name, before: from, after: to },
      },
    ];
  });
}

function consortiumRefusals(old: ConfigGroup | undefined, now: ConfigGroup | undefined): Refusal[] {
  return [...(old?.groups ?? [])].flatMap(([name, consortium]) =>
    mspIdRefusals(consortium, now?.groups.get(name), `consortium ${name}`, `/Channel/Consortiums/${name}`),
  );
}
