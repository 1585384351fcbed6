// Parses the configuration of an MSP (`msp.FabricMSPConfig`); also the versions of MSP rules and the hash functions.

import { is, requireTypes } from '../../proto/arguments.js';
import { MspFabricMSPConfig, MspMSPConfig, type MspFabricOUIdentifier } from '../../proto/messages.js';
import { readMessage } from '../../proto/typed.js';
import { digest } from '../crypto/index.js';

/** An organisational unit of the configuration. */
export interface UnitConfig {
  /** PEM; empty means any CA of the MSP. */
  readonly certificate: Uint8Array;
  readonly unit: string;
}

/** The roles of NodeOUs. */
export const NODE_ROLES = ['client', 'peer', 'admin', 'orderer'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

/** The configuration of an MSP. Certificates are PEM. */
export interface MspConfig {
  readonly name: string;
  readonly roots: readonly Uint8Array[];
  readonly intermediates: readonly Uint8Array[];
  readonly admins: readonly Uint8Array[];
  readonly revocationLists: readonly Uint8Array[];
  /** The certificate and key of a node (PEM), which do not belong in the MSP of a channel. */
  readonly signingIdentity: { readonly certificate: Uint8Array; readonly key: Uint8Array } | undefined;
  readonly units: readonly UnitConfig[];
  readonly hashFamily: string;
  readonly identifierHash: string;
  /** The names of the hash functions in the message: `none` without the message, `default` for an empty name. */
  readonly namedHashes: { readonly family: string; readonly identifiers: string };
  readonly tlsRoots: readonly Uint8Array[];
  readonly tlsIntermediates: readonly Uint8Array[];
  readonly nodeOus:
    | { readonly isEnabled: boolean; readonly roles: ReadonlyMap<NodeRole, UnitConfig> }
    | undefined;
}

const unitOf = ({ certificate, organizationalUnitIdentifier: unit }: MspFabricOUIdentifier): UnitConfig => ({
  certificate,
  unit,
});

/** `MSPConfig.type` of an MSP with X.509 certificates. */
export const FABRIC = 0;
/** `MSPConfig.type` of an Idemix MSP. */
export const IDEMIX = 1;

/**
 * Reads a `msp.MSPConfig`.
 *
 * @returns undefined for an MSP of another type, such as Idemix
 * @throws TranslateError BAD_BYTES
 */
export function readX509Msp(serialized: Uint8Array): MspConfig | undefined {
  const { type, config } = readMessage(MspMSPConfig, serialized);
  return type === FABRIC ? readMspConfig(config) : undefined;
}

/** Reads a `msp.FabricMSPConfig`. @throws TranslateError if the bytes are not a serialized message */
export function readMspConfig(serialized: Uint8Array): MspConfig {
  const config = readMessage(MspFabricMSPConfig, serialized);
  const { cryptoConfig, fabricNodeOus: nodeOus, signingIdentity: signer } = config;
  return {
    name: config.name,
    roots: config.rootCerts,
    intermediates: config.intermediateCerts,
    admins: config.admins,
    revocationLists: config.revocationList,
    signingIdentity: signer && {
      certificate: signer.publicSigner,
      key: signer.privateSigner?.keyMaterial ?? new Uint8Array(),
    },
    units: config.organizationalUnitIdentifiers.map(unitOf),
    // msp/mspimplsetup.go, `setupCrypto`
    hashFamily: cryptoConfig?.signatureHashFamily || 'SHA2',
    identifierHash: cryptoConfig?.identityIdentifierHashFunction || 'SHA256',
    namedHashes: {
      family: cryptoConfig === undefined ? 'none' : cryptoConfig.signatureHashFamily || 'default',
      identifiers:
        cryptoConfig === undefined ? 'none' : cryptoConfig.identityIdentifierHashFunction || 'default',
    },
    tlsRoots: config.tlsRootCerts,
    tlsIntermediates: config.tlsIntermediateCerts,
    nodeOus: nodeOus && {
      isEnabled: nodeOus.enable,
      roles: new Map(
        NODE_ROLES.flatMap((role) => {
          const unit = nodeOus[`${role}OuIdentifier`];
          return unit === undefined ? [] : [[role, unitOf(unit)] as const];
        }),
      ),
    },
  };
}

/** The versions, oldest first. */
const MSP_VERSIONS = ['V1_0', 'V1_1', 'V1_3', 'V1_4_3', 'V3_0'] as const;
export type MspVersion = (typeof MSP_VERSIONS)[number];

/** Channel capabilities and their MSP versions (common/capabilities/channel.go, `MSPVersion`). */
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
  requireTypes({ capabilities }, { capabilities: is.listOrSet });
  const versions = [...capabilities].map((capability) =>
    MSP_VERSIONS.indexOf(VERSION_OF.get(capability) ?? 'V1_0'),
  );
  return MSP_VERSIONS[Math.max(0, ...versions)]!;
}

/** Whether a version is the same as another one or newer. */
export function isAtLeast(version: MspVersion, other: MspVersion): boolean {
  return MSP_VERSIONS.indexOf(version) >= MSP_VERSIONS.indexOf(other);
}

/** A hash function. */
export type Hash = (bytes: Uint8Array) => Uint8Array;

const HASHES: ReadonlyMap<string, Hash> = new Map<string, Hash>([
  ['SHA256', (bytes) => digest('SHA-256', [bytes])],
  ['SHA384', (bytes) => digest('SHA-384', [bytes])],
  ['SHA3_256', (bytes) => digest('SHA3-256', [bytes])],
  ['SHA3_384', (bytes) => digest('SHA3-384', [bytes])],
]);

/** The hash function with a name; undefined if Fabric does not know it. */
export function hashOf(name: string): Hash | undefined {
  return HASHES.get(name);
}
