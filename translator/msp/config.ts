// Reads the configuration of an MSP (`msp.FabricMSPConfig`).

import { bool, bytes, chunks, message, messages, text } from '../config/message.js';
import { readMspMessage } from './message.js';

/** An organisational unit of the configuration. */
export interface UnitConfig {
  /** PEM; empty: any CA of the MSP. */
  readonly certificate: Uint8Array;
  readonly unit: string;
}

/** The roles that an organisational unit stands for. */
export const NODE_ROLES = ['client', 'peer', 'admin', 'orderer'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

/** The configuration of an MSP. Certificates are PEM. */
export interface MspConfig {
  readonly name: string;
  readonly roots: readonly Uint8Array[];
  readonly intermediates: readonly Uint8Array[];
  readonly admins: readonly Uint8Array[];
  readonly revocationLists: readonly Uint8Array[];
  readonly units: readonly UnitConfig[];
  readonly hashFamily: string;
  readonly identifierHash: string;
  readonly tlsRoots: readonly Uint8Array[];
  readonly tlsIntermediates: readonly Uint8Array[];
  readonly nodeOus:
    | { readonly isEnabled: boolean; readonly roles: ReadonlyMap<NodeRole, UnitConfig> }
    | undefined;
}

const unitShape = { certificate: bytes(1), unit: text(2) };
const nodeOusShape = {
  isEnabled: bool(1),
  client: message(2, unitShape),
  peer: message(3, unitShape),
  admin: message(4, unitShape),
  orderer: message(5, unitShape),
};
const configShape = {
  name: text(1),
  roots: chunks(2),
  intermediates: chunks(3),
  admins: chunks(4),
  revocationLists: chunks(5),
  units: messages(7, unitShape),
  crypto: message(8, { hashFamily: text(1), identifierHash: text(2) }),
  tlsRoots: chunks(9),
  tlsIntermediates: chunks(10),
  nodeOus: message(11, nodeOusShape),
};

/** Reads a `msp.FabricMSPConfig`. @throws MspError if the bytes are not a serialized message */
export function readMspConfig(serialized: Uint8Array): MspConfig {
  const { crypto, nodeOus, ...fields } = readMspMessage(configShape, serialized);
  return {
    ...fields,
    // msp/mspimplsetup.go, `setupCrypto`
    hashFamily: crypto?.hashFamily || 'SHA2',
    identifierHash: crypto?.identifierHash || 'SHA256',
    nodeOus: nodeOus && {
      isEnabled: nodeOus.isEnabled,
      roles: new Map(
        NODE_ROLES.flatMap((role) => {
          const unit = nodeOus[role];
          return unit === undefined ? [] : [[role, unit] as const];
        }),
      ),
    },
  };
}
