// Capabilities: which ones each version of the orderer supports, and what they change (Fabric's common/capabilities).

/** A version of the orderer. */
export type FabricVersion = '2.5' | '3.0';

/** The supported capabilities, in ascending order, by the kind of group. A newer one implies the changes of the older ones. */
const SUPPORTED: Readonly<Record<FabricVersion, Readonly<Record<'channel' | 'orderer', readonly string[]>>>> =
  {
    '2.5': {
      channel: ['V1_1', 'V1_3', 'V1_4_2', 'V1_4_3', 'V2_0'],
      orderer: ['V1_1', 'V1_4_2', 'V2_0'],
    },
    '3.0': {
      channel: ['V1_1', 'V1_3', 'V1_4_2', 'V1_4_3', 'V2_0', 'V3_0'],
      orderer: ['V1_1', 'V1_4_2', 'V2_0'],
    },
  };

/** The application capabilities that peers of version 3.0 support. Orderers accept any application capability. */
export const APPLICATION_CAPABILITIES: readonly string[] = ['V1_1', 'V1_2', 'V1_3', 'V1_4_2', 'V2_0', 'V2_5'];

/** Peers support these too (Fabric's common/capabilities/application.go); since 2.0 they have no effect. */
export const EXPERIMENTAL: readonly string[] = [
  'V1_1_PVTDATA_EXPERIMENTAL',
  'V1_1_RESOURCETREE_EXPERIMENTAL',
];

/** The capabilities that Fabric 3.0 supports, in ascending order. */
export const knownCapabilities = (kind: 'channel' | 'orderer' | 'application'): readonly string[] =>
  kind === 'application' ? APPLICATION_CAPABILITIES : SUPPORTED['3.0'][kind];

/** Names of capabilities: a set, or the map of a value `Capabilities`. */
export type Names = Pick<ReadonlySet<string>, 'has' | 'keys'> | undefined;

/** The capabilities that orderers of a version do not support, sorted. */
export function unsupported(kind: 'channel' | 'orderer', names: Names, fabric: FabricVersion): string[] {
  return [...(names?.keys() ?? [])].filter((name) => !SUPPORTED[fabric][kind].includes(name)).toSorted();
}

/** Whether one of the given capabilities is set. */
const hasAny = (names: Names, ...of: readonly string[]): boolean =>
  of.some((name) => names?.has(name) === true);

/** Channel: orderer organisations may have endpoints, and global addresses are optional. */
export const allowsOrganizationEndpoints = (channel: Names): boolean =>
  hasAny(channel, 'V1_4_2', 'V1_4_3', 'V2_0', 'V3_0');

/** Channel: the consensus type may change in maintenance mode. */
export const allowsConsensusMigration = (channel: Names): boolean =>
  hasAny(channel, 'V1_4_2', 'V1_4_3', 'V2_0', 'V3_0');

/** Channel: every orderer organisation needs endpoints, global addresses are refused, BFT is possible. */
export const requiresOrganizationEndpoints = (channel: Names): boolean => hasAny(channel, 'V3_0');

/** Orderer: the maintenance state exists. */
export const allowsMaintenance = (orderer: Names): boolean => hasAny(orderer, 'V1_4_2', 'V2_0');

/** Application: the value `ACLs` is allowed. */
export const allowsAcls = (application: Names): boolean =>
  hasAny(application, 'V1_2', 'V1_3', 'V1_4_2', 'V2_0', 'V2_5');

/** Orderer: submitters with an expired certificate are refused. */
export const checksExpiration = (orderer: Names): boolean => hasAny(orderer, 'V1_1', 'V1_4_2', 'V2_0');
