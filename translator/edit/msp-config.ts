// The value MSP of an organisation, as configtxgen makes it from an MSP directory (msp/configbuilder.go, getMspConfig).

import { concatBytes } from '../config/bytes.js';
import { badEdit } from './edited.js';
import { bytesField, listField, messageField, numberField, textField } from './fields.js';

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

const CRYPTO = concatBytes(textField(1, 'SHA2'), textField(2, 'SHA256'));

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
  return bytesField(
    2,
    concatBytes(
      textField(1, mspId),
      listField(2, files.roots),
      listField(3, files.intermediates),
      listField(4, files.admins),
      listField(5, files.revocationLists),
      listField(7, files.units.map(unitMessage)),
      messageField(8, CRYPTO),
      listField(9, files.tlsRoots),
      listField(10, files.tlsIntermediates),
      nodeOus === undefined ? new Uint8Array() : messageField(11, nodeOusMessage(nodeOus)),
    ),
  );
}

const unitMessage = ({ certificate = new Uint8Array(), unit }: MspUnit): Uint8Array =>
  concatBytes(bytesField(1, certificate), textField(2, unit));

function nodeOusMessage({ client, peer, admin, orderer }: NodeOus): Uint8Array {
  const roles = [client, peer, admin, orderer].map((unit, index) =>
    unit === undefined ? new Uint8Array() : messageField(index + 2, unitMessage(unit)),
  );
  return concatBytes(numberField(1, 1), ...roles);
}
