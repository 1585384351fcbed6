// Private keys in the configuration of an MSP, as Fabric imports them (bccsp/sw/keys.go, `derToPrivateKey`; Go's crypto/x509).

import { BIT_STRING, OCTET_STRING, OID, bitStringOf, oidOf } from '../../core/common/certificates/der.js';
import { toBigint } from '../../proto/bytes.js';
import type { FabricVersion } from '../channel/index.js';
import { Asn1Error, Asn1Reader } from './asn1.js';
import { CURVES } from './ecdsa.js';
import { EC, ED25519, RSA } from './public-key.js';

/** The tag number, without the bit for constructed elements. */
const SEQUENCE = 16;
const EC_VERSION = 1n;
const PREFIX = 'Failed importing key with opts [&{true}]';
const PKCS1 = 'PKCS #1';
const X25519 = '1.3.101.110';
/** The other algorithms that Go reads. */
const OTHERS = [RSA, ED25519, X25519];

/**
 * Fabric's text if a program cannot import a private key for signatures (bccsp/sw/keyimport.go, `ecdsaPrivateKeyImportOptsKeyImporter`);
 * undefined if it can.
 *
 * @param der the content of its PEM block
 */
export function privateKeyError(der: Uint8Array, fabric: FabricVersion): string | undefined {
  if (der.length === 0) return `${PREFIX}: [ECDSADERPrivateKeyImportOpts] Invalid raw. It must not be nil.`;
  const content = contentOf(der);
  if (content === EC) return undefined;
  if (content === undefined) {
    const ed25519 = fabric === '2.5' ? '' : ' or an ed25519.PrivateKey';
    return `${PREFIX}: Failed converting PKIX to ECDSA public key [invalid key type. The DER must contain an ecdsa.PrivateKey${ed25519}]`;
  }
  return content === PKCS1 || (content === ED25519 && fabric !== '2.5')
    ? `${PREFIX}: Failed casting to ECDSA private key. Invalid raw material.`
    : `${PREFIX}: Failed converting PKIX to ECDSA public key [found unknown private key type in PKCS#8 wrapping]`;
}

/** The content of a private key: of an elliptic curve, or another algorithm (PKCS #8), or RSA without an algorithm (PKCS #1); undefined: none. */
const contentOf = (der: Uint8Array): string | undefined =>
  parsed(() => pkcs8Content(der)) ?? parsed(() => ecContent(der)) ?? parsed(() => pkcs1Content(der));

function parsed<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Asn1Error) return undefined;
    throw error;
  }
}

const fieldsOf = (der: Uint8Array): Asn1Reader => new Asn1Reader(new Asn1Reader(der).read(SEQUENCE, ''));

/** `ParsePKCS8PrivateKey` @throws Asn1Error */
function pkcs8Content(der: Uint8Array): string | undefined {
  const fields = fieldsOf(der);
  fields.readInteger();
  const algorithm = new Asn1Reader(fields.read(SEQUENCE, ''));
  const oid = oidOf(algorithm.read(OID, ''));
  const parameters = algorithm.isEmpty ? undefined : algorithm.readAny();
  const key = fields.read(OCTET_STRING, '');
  if (oid !== EC) return OTHERS.find((each) => each === oid);
  return ecContent(key, parameters && parsed(() => oidOf(new Asn1Reader(parameters).read(OID, ''))));
}

/** `parseECPrivateKey` (RFC 5915) @param outer the curve that stands before it @throws Asn1Error */
function ecContent(der: Uint8Array, outer?: string): string | undefined {
  const fields = fieldsOf(der);
  const version = fields.readInteger();
  const bytes = fields.read(OCTET_STRING, '');
  const inner = fields.readExplicit(0, OID);
  const point = fields.readExplicit(1, BIT_STRING);
  const own = inner && oidOf(inner);
  const isComplete =
    (inner === undefined || own !== undefined) && (point === undefined || bitStringOf(point) !== undefined);
  const curve = CURVES.find(({ oid }) => oid === (outer ?? own));
  if (version !== EC_VERSION || !isComplete || curve === undefined) return undefined;
  // Go accepts zeros before the number.
  const number = bytes.subarray(
    Math.max(
      0,
      bytes.findIndex((byte) => byte !== 0),
    ),
  );
  return number.length <= curve.size && toBigint(number) < curve.order ? EC : undefined;
}

/** `ParsePKCS1PrivateKey` @throws Asn1Error */
function pkcs1Content(der: Uint8Array): string {
  const fields = fieldsOf(der);
  for (let count = 0; count < 6; count += 1) fields.readInteger();
  return PKCS1;
}
