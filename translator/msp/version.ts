// The versions of the rules of MSPs, which depend on the capabilities of the channel.

/** The versions, oldest first. */
export const MSP_VERSIONS = ['V1_0', 'V1_1', 'V1_3', 'V1_4_3', 'V3_0'] as const;
export type MspVersion = (typeof MSP_VERSIONS)[number];

/** Channel capabilities and the version that each brings (common/capabilities/channel.go, `MSPVersion`). */
const VERSION_OF: ReadonlyMap<string, MspVersion> = new Map([
  ['V1_1', 'V1_1'],
  ['V1_3', 'V1_3'],
  ['V1_4_2', 'V1_3'],
  ['V1_4_3', 'V1_4_3'],
  ['V2_0', 'V1_4_3'],
  ['V3_0', 'V3_0'],
]);

/** The version for the capabilities in `/Channel/Capabilities`. */
export function mspVersionOf(capabilities: Iterable<string>): MspVersion {
  const versions = [...capabilities].map((capability) => MSP_VERSIONS.indexOf(VERSION_OF.get(capability) ?? 'V1_0'));
  return MSP_VERSIONS[Math.max(0, ...versions)]!;
}

/** Whether a version is another one or newer. */
export function isAtLeast(version: MspVersion, other: MspVersion): boolean {
  return MSP_VERSIONS.indexOf(version) >= MSP_VERSIONS.indexOf(other);
}
