// Changes ACLs of the application: the policies that resources of the peers require.

import { ProtosACLs } from '../../proto/messages.js';
import { replaceFields } from '../../proto/typed.js';
import { NO_BYTES } from '../../proto/bytes.js';
import { allowsAcls, channelOf, type Config, type ConfigGroup, groupAt, pathOf } from '../channel/index.js';
import { badEdit, edited, unknownName, type Edited } from './edited.js';
import { changeGroup, requiredGroup, withValue } from './tree.js';

const APPLICATION = ['Application'];
const RESOURCE = /^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/;

/**
 * Sets the policy of a resource: `peer/Propose`.
 *
 * @param policy a path such as `/Channel/Application/Writers`, or the name of a policy of the application
 * @throws TranslateError BAD_EDIT
 */
export function setAcl(config: Config, resource: string, policy: string): Edited {
  requiredGroup(config.channelGroup, APPLICATION);
  if (!allowsAcls(channelOf(config).application.capabilities))
    throw badEdit(
      'ACLs need the application capability V1_2 or a newer one: set V2_5 first, in the same update',
    );
  if (!RESOURCE.test(resource))
    throw badEdit(`${JSON.stringify(resource)} is not a resource; expected one such as peer/Propose`);
  checkPolicy(config, policy);
  const acls = new Map(channelOf(config).application.acls);
  const old = acls.get(resource) ?? 'the default of the peers';
  acls.set(resource, policy);
  return withAcls(config, acls, `ACL ${resource}: ${old} -> ${policy}`);
}

/** Removes the policy of a resource, so that the default of the peers applies. @throws TranslateError BAD_EDIT */
export function removeAcl(config: Config, resource: string): Edited {
  requiredGroup(config.channelGroup, APPLICATION);
  const acls = new Map(channelOf(config).application.acls);
  if (!acls.has(resource))
    throw unknownName(`${pathOf('Application', 'ACLs')} has no resource`, resource, acls.keys());
  acls.delete(resource);
  return withAcls(config, acls, `ACL ${resource} removed, the default of the peers applies`);
}

/** Peers look up a name without a slash in the application (Fabric: common/channelconfig/api.go). */
function checkPolicy({ channelGroup }: Config, policy: string): void {
  const path = policy.startsWith('/') ? policy : pathOf('Application', policy);
  const [, root, ...names] = path.split('/');
  const name = names.pop() ?? '';
  const group = root === 'Channel' ? groupAt(channelGroup, names) : undefined;
  if (group?.policies.has(name) === true) return;
  const known = [...channelGroup.groups].flatMap(([section, { policies }]) =>
    [...policies.keys()].map((each) => pathOf(section, each)),
  );
  throw unknownName('there is no policy', path, [
    ...[...channelGroup.policies.keys()].map((each) => pathOf(each)),
    ...known,
  ]);
}

function withAcls(config: Config, acls: ReadonlyMap<string, string>, note: string): Edited {
  const entries = new Map([...acls].map(([name, policyRef]) => [name, { policyRef }]));
  const contentOf = (group: ConfigGroup): Uint8Array =>
    replaceFields(ProtosACLs, group.values.get('ACLs')?.value ?? NO_BYTES, { acls: entries });
  return edited(
    config,
    changeGroup(config.channelGroup, APPLICATION, (group) => withValue(group, 'ACLs', contentOf(group))),
    note,
  );
}
