// Policies and ACLs.

import type { Random } from '../../fuzz/random.js';
import type { Update } from '../case.js';
import {
  application,
  element,
  meta,
  mspIdOf,
  orderer,
  organization,
  ORGANIZATIONS,
  outOf,
  setPolicy,
  type Principal,
} from './parts.js';

const ROLES = ['member', 'admin', 'client', 'peer', 'orderer'] as const;
const MSPS = ['Org1MSP', 'Org2MSP', 'OrdererMSP'] as const;
const SUB_POLICIES = ['Readers', 'Writers', 'Admins', 'Endorsement', 'Missing'] as const;

const principal = (random: Random, own?: string): Principal =>
  `${own !== undefined && random.below(3) > 0 ? own : random.pick(MSPS)}.${random.pick(ROLES)}`;

/** A signature policy with its text. */
function signaturePolicy(random: Random, own?: string): readonly [text: string, policy: object] {
  const principals = Array.from({ length: 1 + random.below(3) }, () => principal(random, own));
  const n = random.below(4) === 0 ? principals.length : 1;
  return [`OutOf(${n}, ${principals.join(', ')})`, outOf(n, principals)];
}

function metaPolicy(random: Random): readonly [text: string, policy: object] {
  const rule = random.pick(['ANY', 'ALL', 'MAJORITY'] as const);
  const name = random.pick(SUB_POLICIES);
  return [`${rule} ${name}`, meta(rule, name)];
}

/** A policy of an organisation. */
function ofOrganization(random: Random): Update {
  const name = random.pick(ORGANIZATIONS);
  const policies = [
    'Readers',
    'Writers',
    'Admins',
    ...(name === 'OrdererOrg' ? [] : ['Endorsement', 'Endorsement']),
  ];
  const policy = random.pick(policies);
  if (random.below(8) === 0)
    return {
      text: `${name} ${policy} removed`,
      edit: (channel) => delete organization(channel, name).policies[policy],
    };
  const [text, value] = signaturePolicy(random, mspIdOf(name));
  return {
    text: `${name} ${policy} = ${text}`,
    edit: (channel) => setPolicy(organization(channel, name), policy, value),
  };
}

/** A policy of the channel, the orderers or the application. */
function ofGroup(random: Random): Update {
  const [level, policies] = random.pick([
    ['Channel', ['Readers', 'Writers', 'Admins']],
    ['Orderer', ['Readers', 'Writers', 'Admins', 'BlockValidation', 'BlockValidation']],
    [
      'Application',
      [
        'Readers',
        'Readers',
        'Writers',
        'Admins',
        'LifecycleEndorsement',
        'LifecycleEndorsement',
        'Endorsement',
      ],
    ],
  ] as const);
  const policy = random.pick<string>(policies);
  const [text, value] = random.below(3) === 0 ? signaturePolicy(random) : metaPolicy(random);
  const isRemoved = random.below(10) === 0;
  return {
    text: `${level} ${policy} ${isRemoved ? 'removed' : `= ${text}`}`,
    edit: (channel) => {
      const group = { Channel: channel, Orderer: orderer(channel), Application: application(channel) }[level];
      if (isRemoved) delete group.policies[policy];
      else setPolicy(group, policy, value);
    },
  };
}

const RESOURCES = [
  'peer/Propose',
  'event/FilteredBlock',
  'event/Block',
  '_lifecycle/CommitChaincodeDefinition',
  'qscc/GetChainInfo',
  'cscc/GetConfigBlock',
] as const;
const ACL_POLICIES = [
  '/Channel/Application/Readers',
  '/Channel/Application/Writers',
  '/Channel/Application/Admins',
  '/Channel/Orderer/Writers',
  '/Channel/Application/Missing',
  'Admins',
  '',
] as const;

function acl(random: Random): Update {
  const pairs = Array.from(
    { length: 1 + random.below(2) },
    () => [random.pick(RESOURCES), random.pick(ACL_POLICIES)] as const,
  );
  return {
    text: `Application ACLs ${pairs.map(([resource, policy]) => `${resource} = ${policy}`).join(', ')}`,
    edit: (channel) =>
      (application(channel).values.ACLs = element({
        acls: Object.fromEntries(pairs.map(([resource, policy_ref]) => [resource, { policy_ref }])),
      })),
  };
}

const modPolicy = (random: Random): Update => {
  const name = random.pick(ORGANIZATIONS);
  const policy = random.pick(['Readers', 'Missing', '/Channel/Application/Admins']);
  return {
    text: `${name} mod_policy = ${policy}`,
    edit: (channel) => void Object.assign(organization(channel, name), { mod_policy: policy }),
  };
};

/** A change of a policy or an ACL. */
export const changePolicy = (random: Random): Update =>
  random.pick([ofOrganization, ofOrganization, ofOrganization, ofGroup, ofGroup, ofGroup, acl, modPolicy])(
    random,
  );
