// The value MSP of an organisation, as configtxgen makes it from an MSP directory (msp/configbuilder.go, getMspConfig).

import { MspFabricMSPConfig, MspMSPConfig, type MspFabricOUIdentifier } from '../../proto/messages.js';
import { type FieldsOf, writeMessage } from '../../proto/typed.js';
import { badEdit } from './edited.js';

/** An organisational unit, and the PEM of the CA that must have issued its certificates; without one: any CA of the MSP. */
export interface MspUnit {
  readonly certificate?: Uint8Array | undefined;
  readonly unit: string;
}

/** The content of an MSP directory. Certificates and CRLs are files in PEM. */
export interface MspFiles {
  readonly roots: readonly Uint8Array[];
  readonly intermediates: readonly Uint8Array[];
  readonly admins: readonly Uint8Array[];
  readonly revocationLists: readonly Uint8Array[];
  readonly tlsRoots: readonly Uint8Array[];
  readonly tlsIntermediates: readonly Uint8Array[];
  readonly units: readonly MspUnit[];
  /** The units of the roles; undefined without NodeOUs. */
  readonly nodeOus: NodeOus | undefined;
}

/** The units of the roles of NodeOUs. */
export type NodeOus = Readonly<Partial<Record<'client' | 'peer' | 'admin' | 'orderer', MspUnit>>>;

/**
 * The serialized `msp.MSPConfig` of an organisation.
 *
 * @throws TranslateError BAD_EDIT without a root certificate or an MSP id
 */
export function mspValue(mspId: string, files: MspFiles): Uint8Array {
  if (mspId === '') throw badEdit('the MSP id is empty');
  if (files.roots.length === 0)
    throw badEdit('the MSP has no root certificate: cacerts must contain at least one certificate in PEM');
  const { nodeOus } = files;
  return writeMessage(MspMSPConfig, {
    config: writeMessage(MspFabricMSPConfig, {
      name: mspId,
      rootCerts: files.roots,
      intermediateCerts: files.intermediates,
      admins: files.admins,
      revocationList: files.revocationLists,
      organizationalUnitIdentifiers: files.units.map(unitMessage),
      cryptoConfig: { signatureHashFamily: 'SHA2', identityIdentifierHashFunction: 'SHA256' },
      tlsRootCerts: files.tlsRoots,
      tlsIntermediateCerts: files.tlsIntermediates,
      fabricNodeOus: nodeOus && {
        enable: true,
        clientOuIdentifier: nodeOus.client && unitMessage(nodeOus.client),
        peerOuIdentifier: nodeOus.peer && unitMessage(nodeOus.peer),
        adminOuIdentifier: nodeOus.admin && unitMessage(nodeOus.admin),
        ordererOuIdentifier: nodeOus.orderer && unitMessage(nodeOus.orderer),
      },
    }),
  });
}

const unitMessage = ({ certificate, unit }: MspUnit): FieldsOf<MspFabricOUIdentifier> => ({
  certificate,
  organizationalUnitIdentifier: unit,
});
