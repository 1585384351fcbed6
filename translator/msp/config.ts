// Reads the configuration of an MSP (`msp.FabricMSPConfig`).

import { Fields } from './message.js';

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

/** Reads a `msp.FabricMSPConfig`. @throws MspError if the bytes are not a serialized message */
export function readMspConfig(bytes: Uint8Array): MspConfig {
  const fields = new Fields(bytes);
  const crypto = fields.message(8);
  const nodeOus = fields.message(11);
  return {
    name: fields.text(1),
    roots: fields.all(2),
    intermediates: fields.all(3),
    admins: fields.all(4),
    revocationLists: fields.all(5),
    units: fields.all(7).map((unit) => readUnit(new Fields(unit))),
    // msp/mspimplsetup.go, `setupCrypto`
    hashFamily: crypto?.text(1) || 'SHA2',
    identifierHash: crypto?.text(2) || 'SHA256',
    tlsRoots: fields.all(9),
    tlsIntermediates: fields.all(10),
    nodeOus:
      nodeOus === undefined
        ? undefined
        : {
            isEnabled: nodeOus.number(1) !== 0n,
            roles: new Map(
              NODE_ROLES.flatMap((role, index) => {
                const unit = nodeOus.message(index + 2);
                return unit === undefined ? [] : [[role, readUnit(unit)] as const];
              }),
            ),
          },
  };
}

function readUnit(fields: Fields): UnitConfig {
  return { certificate: fields.bytes(1), unit: fields.text(2) };
}
