// The groups Application and Consortiums (Fabric's common/channelconfig: application.go, applicationorg.go, consortiums.go, consortium.go),
// and ACLs (core/aclmgmt).

import {
  ACL_RESOURCES,
  type ConfigGroup,
  aclPolicyPath,
  allowsAcls,
  valueOrEmpty,
} from '../channel/index.js';
import { quoted, words } from '../documents/index.js';
import { policyAt } from '../policy/index.js';
import { satisfiabilityIn } from './policies.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';
import { groupInOrganization, organizationRefusals, valueRefusals } from './values.js';

const aclsNotAllowed = defineRule({
  id: 'acls-not-allowed',
  severity: 'refused',
  meaning: 'the application capabilities do not allow ACLs',
  words: () =>
    words(
      'the capabilities of the application do not allow ACLs',
      'set the application capability V1_2 or later, or remove ACLs',
    ),
});

const aclPolicyMissing = defineRule({
  id: 'acl-policy-missing',
  severity: 'danger',
  tellsLosses: true,
  subjects: ({ acl }) => [acl],
  meaning: 'an ACL names a policy that does not exist',
  words: ({ acl, policy }: { acl: string; policy: string }) =>
    words(
      `the ACL ${quoted(acl)} names the policy ${quoted(policy)}, which does not exist: peers refuse everybody`,
      'name a policy that exists, for example /Channel/Application/Writers',
    ),
});

const aclPolicyOpen = defineRule({
  id: 'acl-policy-open',
  severity: 'danger',
  subjects: ({ acl }) => [acl],
  meaning: 'an ACL names a policy that anybody satisfies',
  words: ({ acl, policy }: { acl: string; policy: string }) =>
    words(
      `the ACL ${quoted(acl)} names ${policy}, which anybody satisfies without a signature: also users whom no organisation of the channel knows can use it`,
      'name a policy that needs a signature, for example /Channel/Application/Readers',
      `the ACL ${quoted(acl)} names a policy that anybody satisfies without a signature`,
    ),
});

const aclUnknownResource = defineRule({
  id: 'acl-unknown-resource',
  severity: 'warning',
  meaning: 'an ACL names a resource that peers do not know',
  words: ({ acl }: { acl: string }) =>
    words(
      `peers know no resource ${quoted(acl)}; the ACL has no effect`,
      'correct the name, for example peer/Propose or qscc/GetChainInfo',
    ),
});

/** The rules for refusals of these groups, besides `VALUE_RULES`. */
export const APPLICATION_RULES = [aclsNotAllowed] as const;

const APPLICATION = '/Channel/Application';

export function applicationRefusals(application: ConfigGroup): RawFinding[] {
  const garbage = valueRefusals(application, 'application', APPLICATION);
  return [
    ...(garbage.length > 0 ? garbage : aclRefusals(application)),
    ...[...application.groups].flatMap(([name, group]) => {
      const path = `${APPLICATION}/${name}`;
      return group.groups.size > 0
        ? [nestedGroups(name, path, 'ApplicationOrg config does not allow sub-groups')]
        : organizationRefusals(name, group, 'applicationOrganization', path);
    }),
  ];
}

export function consortiumsRefusals(consortiums: ConfigGroup): RawFinding[] {
  return [...consortiums.groups].flatMap(([name, consortium]) => {
    const path = `/Channel/Consortiums/${name}`;
    return [
      ...valueRefusals(consortium, 'consortium', path),
      ...[...consortium.groups].flatMap(([member, group]) =>
        group.groups.size > 0
          ? [nestedGroups(member, `${path}/${member}`, 'organizations do not support sub-groups')]
          : organizationRefusals(member, group, 'consortiumOrganization', `${path}/${member}`),
      ),
    ];
  });
}

function aclRefusals(application: ConfigGroup): RawFinding[] {
  const { capabilities } = valueOrEmpty(application, 'application', 'Capabilities');
  if (allowsAcls(capabilities) || !application.values.has('ACLs')) return [];
  return [
    aclsNotAllowed.refused(
      'ACLs may not be specified without the required capability',
      `${APPLICATION}/ACLs`,
      {},
    ),
  ];
}

const nestedGroups = (name: string, path: string, orderer: string): RawFinding =>
  groupInOrganization.refused(orderer, path, { organization: name });

const PATH = '/Channel/Application/ACLs';

/** One pass over the ACLs that yields between two of them: a channel can have thousands. */
export const acls = defineCheck({
  needs: 'config',
  rules: [aclPolicyMissing, aclPolicyOpen, aclUnknownResource],
  async find(state) {
    const { channel, policies, call } = state;
    const { acls: all } = channel.application;
    const satisfiability = all.size === 0 ? undefined : await satisfiabilityIn(state);
    const findings: RawFinding[] = [];
    for (const [acl, policyRef] of all) {
      await call.pause();
      const at = aclPolicyPath(policyRef);
      const policy = at === undefined ? undefined : policyAt(policies, at);
      if (policy !== undefined && satisfiability?.get(policy) === 'anybody')
        findings.push(aclPolicyOpen.at(PATH, { acl, policy: policy.path }));
      if (at !== undefined && policy === undefined)
        findings.push(aclPolicyMissing.at(PATH, { acl, policy: policyRef }));
      if (!ACL_RESOURCES.has(acl)) findings.push(aclUnknownResource.at(PATH, { acl }));
    }
    return findings;
  },
});
