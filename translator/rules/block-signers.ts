// The members of a new orderer organisation who can sign blocks.

import { shortList, words } from '../documents/index.js';
import { NODE_ROLES, type NodeRole, mspVersionOf } from '../msp/index.js';
import { givenRoles } from '../control/index.js';
import { findPolicy, needOf, type Principal } from '../policy/index.js';
import { mspOf, organizationNames } from '../state/index.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The members of a new orderer organisation who can sign blocks. */
export interface BlockSignersAdded {
  readonly organization: string;
  readonly roles: readonly (NodeRole | 'member')[];
  /** Whether the organisation is an application organisation, too: applications have identities of it. */
  readonly hasApplications: boolean;
}

const blockSignersAdded = defineRule({
  id: 'block-signers-added',
  severity: ['danger', 'warning'],
  meaning: 'members of a new orderer organisation who are no orderers can sign blocks',
  words: ({ organization, roles, hasApplications }: BlockSignersAdded) =>
    words(
      `${
        roles.includes('member')
          ? 'all members'
          : shortList(
              roles.map((role) => `${role}s`),
              ' and ',
            )
      } of ${organization}${hasApplications ? ', an application organisation,' : ''} can sign blocks that peers accept`,
      'let the policy Writers of the organisation in the group Orderer name its orderers only',
    ),
});

/**
 * Orderer organisations that the update adds to a Raft channel, if BlockValidation counts others than orderers of them. Blocks of BFT channels
 * are signed by their consenters.
 */
export const addedBlockSigners = defineCheck({
  needs: 'update',
  rules: [blockSignersAdded],
  find({ before, after }) {
    const { orderer, application, capabilities } = after.channel;
    const policy = findPolicy(after.policies.root, '/Channel/Orderer/BlockValidation');
    if (orderer.isBft || policy === undefined) return [];
    const known = new Set(before.channel.orderer.organizations.map(({ mspId }) => mspId));
    const names = organizationNames([before.channel, after.channel]);
    return orderer.organizations.flatMap((organization): RawFinding[] => {
      const { mspId = '', path } = organization;
      if (known.has(mspId)) return [];
      const given = givenRoles(mspOf(organization), mspVersionOf(capabilities));
      const roles = [...NODE_ROLES, 'member' as const].filter(
        (role) => given?.has(role) !== false && needOf(policy, isRoleOf(mspId, role)).kind !== 'impossible',
      );
      if (roles.every((role) => role === 'orderer')) return [];
      const hasApplications = application.organizations.some((each) => each.mspId === mspId);
      const data = { organization: names.get(path)!, roles, hasApplications };
      return [blockSignersAdded.at(path, data, hasApplications ? 'danger' : 'warning')];
    });
  },
});

const isRoleOf =
  (mspid: string, role: NodeRole | 'member') =>
  (principal: Principal): boolean =>
    principal.kind === 'role' && principal.mspid === mspid && principal.role === role;
