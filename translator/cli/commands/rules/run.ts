// `capabilities set`, `acl set|remove`, `policy set|remove` and `mod-policy set`.

import { removeAcl, setAcl } from '../../../edit/acl.js';
import { LEVELS, setCapabilities } from '../../../edit/capabilities.js';
import { removePolicy, setModPolicy, setPolicy } from '../../../edit/policy.js';
import type { Context } from '../../context.js';
import { runEdit } from '../../edit-update.js';
import { UsageError } from '../../errors.js';
import { requiredArgument, requiredList, type Values } from '../../values.js';

/** `capabilities set` @throws CommandError */
export async function capabilitiesSet(values: Values, context: Context): Promise<void> {
  const given = requiredArgument(values, 1, 'level');
  const level = LEVELS.find((each) => each === given.toLowerCase());
  if (level === undefined)
    throw new UsageError(`level is ${JSON.stringify(given)}, expected ${LEVELS.join(', ')}`);
  const names = requiredList(values, 2, 'capability');
  await runEdit(values, context, (config) => setCapabilities(config, level, names));
}

/** `acl set` @throws CommandError */
export async function aclSet(values: Values, context: Context): Promise<void> {
  const resource = requiredArgument(values, 1, 'resource');
  const policy = requiredArgument(values, 2, 'policy');
  await runEdit(values, context, (config) => setAcl(config, resource, policy));
}

/** `acl remove` @throws CommandError */
export async function aclRemove(values: Values, context: Context): Promise<void> {
  const resource = requiredArgument(values, 1, 'resource');
  await runEdit(values, context, (config) => removeAcl(config, resource));
}

/** `policy set` @throws CommandError */
export async function policySet(values: Values, context: Context): Promise<void> {
  const path = requiredArgument(values, 1, 'path');
  const rule = requiredArgument(values, 2, 'rule');
  await runEdit(values, context, (config) => setPolicy(config, path, rule));
}

/** `policy remove` @throws CommandError */
export async function policyRemove(values: Values, context: Context): Promise<void> {
  const path = requiredArgument(values, 1, 'path');
  await runEdit(values, context, (config) => removePolicy(config, path));
}

/** `mod-policy set` @throws CommandError */
export async function modPolicySet(values: Values, context: Context): Promise<void> {
  const path = requiredArgument(values, 1, 'path');
  const policy = requiredArgument(values, 2, 'policy');
  await runEdit(values, context, (config) => setModPolicy(config, path, policy));
}
