// Random changes of policies, MSPs, ACLs and organisations.

import {
  parseSignaturePolicy,
  writeImplicitMeta,
  writeSignaturePolicy,
} from '../../../translator/policy/index.js';
import { inMsp, type Group } from '../../helpers/changed-config.js';
import { certificateOf } from '../../helpers/channel-vectors.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import type { Random } from '../random.js';
import { parse, serialize, type Tree } from '../review/messages.js';

const NAMES = ['Readers', 'Writers', 'Admins', 'Endorsement', 'LifecycleEndorsement', 'BlockValidation'];
const MSPS = ['Org1MSP', 'Org2MSP', 'Org3MSP', 'OrdererMSP'];
const UNITS = ['peer', 'client', 'orderer', 'admin'].map((role) => `${role}_ou_identifier`);
const RESOURCES = [
  'peer/Propose',
  'event/Block',
  'qscc/GetChainInfo',
  '_lifecycle/CommitChaincodeDefinition',
];
/** Who may be listed as an admin: nobody whose services are compared. */
const ADMINS = ['Org1/admin2', 'Org1/user2', 'OrdererOrg/o2'];
const ACL_POLICIES = ['/Channel/Orderer/Writers', 'Admins', '/Channel/Application/Readers', 'Missing'];

/** Changes a channel once, or twice. */
export function changeChannel(random: Random, channel: Group): void {
  for (let count = 1 + random.below(2); count > 0; count--) change(random, channel);
}

/** A principal of which a recorded identity exists. */
function principalOf(random: Random): string {
  const mspid = random.pick(MSPS);
  const node = mspid === 'OrdererMSP' ? ['orderer'] : ['client', 'peer'];
  return `'${mspid}.${random.pick(['member', 'admin', ...node])}'`;
}

function policyOf(random: Random): Tree {
  if (random.below(2) === 0)
    return { type: 3, value: writeImplicitMeta({ rule: random.below(3), subPolicy: random.pick(NAMES) }) };
  const principals = new Set(Array.from({ length: 3 }, () => principalOf(random)));
  const [one, two = one] = principals;
  const text = random.pick([
    `OR(${one})`,
    `OR(${one}, ${two})`,
    `AND(${[...principals].slice(0, 2).join()})`,
    `OutOf(${Math.min(2, principals.size)}, ${[...principals].join()})`,
  ]);
  return { type: 1, value: writeSignaturePolicy(parseSignaturePolicy(text)) };
}

const groupsIn = (group: Group): Group[] => [group, ...Object.values(group.groups ?? {}).flatMap(groupsIn)];

function change(random: Random, channel: Group): void {
  const how = random.below(10);
  if (how < 6) {
    const { policies } = random.pick(
      groupsIn(channel).filter((group) => Object.keys(group.policies ?? {}).length > 0),
    );
    const name = random.pick(Object.keys(policies));
    if (random.below(8) === 0) delete policies[name];
    else policies[name]!.policy = policyOf(random);
  } else if (how < 8)
    inMsp(random.pick(groupsIn(channel).filter(({ values }) => values?.MSP !== undefined)), (msp) =>
      changeMsp(random, msp),
    );
  else if (how < 9)
    channel.groups.Application!.values.ACLs = {
      mod_policy: 'Admins',
      value: serialize('protos.ACLs', {
        acls: { [random.pick(RESOURCES)]: { policy_ref: random.pick(ACL_POLICIES) } },
      }),
    };
  else changeMembers(random, channel.groups.Application!);
}

/** Removes an organisation, or adds one: with its own policies, or with those of another one. */
function changeMembers(random: Random, { groups }: Group): void {
  const names = Object.keys(groups);
  if (random.below(2) === 0) {
    if (names.length > 1) delete groups[random.pick(names)];
    return;
  }
  const added = newOrganization();
  if (random.below(2) === 0) Object.assign(added.policies, groups[random.pick(names)]!.policies);
  groups.Org4 = added;
}

const BYTES = bytesIn(readReviewCases().configs.meta4!);
const newOrganization = (): Group =>
  (parse('common.Config', BYTES).channel_group as Group).groups.Application!.groups.Org4!;

/** The MSP of Org4. */
const newMsp = (): Tree => {
  let found: Tree = {};
  inMsp(newOrganization(), (msp) => (found = msp));
  return found;
};

function changeMsp(random: Random, msp: Tree): void {
  const units = msp.fabric_node_ous as (Tree & { enable: boolean }) | undefined;
  const how = random.below(7);
  if (how === 5) msp.admins = [certificateOf(random.pick(ADMINS))];
  else if (how === 6) msp.root_certs = (newMsp().root_certs as Uint8Array[]).slice(0, 1);
  else if (how === 0 || units === undefined)
    msp.organizational_unit_identifiers = [
      {
        certificate: (msp.root_certs as Uint8Array[])[0],
        organizational_unit_identifier: random.pick(['peer', 'admin', 'zz']),
      },
    ];
  else if (how === 1) units.enable = !units.enable;
  else if (how === 2) delete units[random.pick(UNITS)];
  else {
    const unit = units[random.pick(UNITS)] as Tree | null | undefined;
    if (unit == null) return;
    if (how === 3) unit.organizational_unit_identifier = random.pick(['x', 'admin', 'peer']);
    else unit.certificate = new Uint8Array();
  }
}
