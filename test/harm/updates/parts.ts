// Parts of configs in their JSON form that updates change.

import type { ConfigGroupJson } from '../../e2e/fabric/channel-edits.js';

export const orderer = ({ groups }: ConfigGroupJson): ConfigGroupJson => groups.Orderer!;
export const application = ({ groups }: ConfigGroupJson): ConfigGroupJson => groups.Application!;

/** The names of the organisations. */
export const ORGANIZATIONS = ['Org1MSP', 'Org2MSP', 'OrdererOrg'] as const;

export type OrganizationName = (typeof ORGANIZATIONS)[number];

/** The group of an organisation. */
export const organization = (channel: ConfigGroupJson, name: OrganizationName): ConfigGroupJson =>
  (name === 'OrdererOrg' ? orderer(channel) : application(channel)).groups[name]!;

/** The MSP id of an organisation. */
export const mspIdOf = (name: OrganizationName): string => (name === 'OrdererOrg' ? 'OrdererMSP' : name);

/** A new element. */
export const element = (value: unknown): object => ({ mod_policy: 'Admins', value });

/** The value of a group; made if it does not exist. */
// The values of a group have many forms.
// oxlint-disable-next-line typescript/no-explicit-any
export function valueOf(group: ConfigGroupJson, name: string): any {
  group.values[name] ??= { mod_policy: 'Admins', value: {} };
  group.values[name].value ??= {};
  return group.values[name].value;
}

/** A principal, such as `Org1MSP.peer`. */
export type Principal = `${string}.${'member' | 'admin' | 'client' | 'peer' | 'orderer'}`;

/** `OutOf(n, principals)`, as a policy of a config. */
export const outOf = (n: number, principals: readonly Principal[]): object => ({
  type: 1,
  value: {
    identities: principals.map((each) => {
      const [msp_identifier, role = ''] = each.split('.');
      return { principal_classification: 'ROLE', principal: { msp_identifier, role: role.toUpperCase() } };
    }),
    rule: { n_out_of: { n, rules: principals.map((_, signed_by) => ({ signed_by })) } },
    version: 0,
  },
});

/** `ANY Readers` and so on, as a policy of a config. */
export const meta = (rule: 'ANY' | 'ALL' | 'MAJORITY', sub_policy: string): object => ({
  type: 3,
  value: { rule, sub_policy },
});

/** Sets a policy of a group. */
export function setPolicy(group: ConfigGroupJson, name: string, policy: object): void {
  group.policies[name] = { mod_policy: 'Admins', ...group.policies[name], policy };
}
