// Stage: the groups Application and Consortiums of the resulting config (Fabric's common/channelconfig: application.go,
// applicationorg.go, consortiums.go, consortium.go).

import { allowsAcls, type ConfigGroup, valueOrEmpty } from '../../channel/index.js';
import type { Refusal } from '../finding.js';
import { organizationRefusals, valueRefusals } from './group-values.js';

const APPLICATION = '/Channel/Application';

export function applicationRefusals(application: ConfigGroup): Refusal[] {
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

export function consortiumsRefusals(consortiums: ConfigGroup): Refusal[] {
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

function aclRefusals(application: ConfigGroup): Refusal[] {
  const { capabilities } = valueOrEmpty(application, 'application', 'Capabilities');
  if (allowsAcls(capabilities) || !application.values.has('ACLs')) return [];
  return [
    {
      id: 'acls-not-allowed',
      orderer: 'ACLs may not be specified without the required capability',
      path: `${APPLICATION}/ACLs`,
      data: {},
    },
  ];
}

const nestedGroups = (name: string, path: string, orderer: string): Refusal => ({
  id: 'group-in-organization',
  orderer,
  path,
  data: { organization: name },
});
