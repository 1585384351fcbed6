// An identity of an MSP: checks whether it is valid, and which principals it satisfies. The rules and texts are from Fabric's
// msp/mspimpl.go (`SatisfiesPrincipal`) and msp/mspimplvalidate.go.

import { decodePem, encodePem } from '../../core/common/certificates/pem.js';
import { withPrefix, attempt, type TranslateError } from '../../proto/errors.js';
import { MspSerializedIdentity } from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import { sameBytes, toHex } from '../../proto/bytes.js';
import type { Curve } from './ecdsa.js';
import type { Program } from './releases.js';
import type { Name } from './name.js';
import type { Principal } from './principal.js';
import type { Revocation } from './crl.js';
import { readCertificate, withLowS, type Certificate } from './certificate.js';
import { isAtLeast, type MspVersion, type NodeRole } from './config.js';

/** The roles of principals. */
export type Role = Extract<Principal, { kind: 'role' }>['role'];

/** An organisational unit, and the hash of the CAs that must issue its identities; an empty hash means any CA of the MSP. */
export interface Unit {
  readonly unit: string;
  readonly certifiersIdentifier: Uint8Array;
}

/** The rules of an MSP for its identities. */
export interface MspRules {
  readonly name: string;
  /** The program with the rules to apply. */
  readonly program: Program;
  readonly version: MspVersion;
  /** The hash family of signatures, `SHA2` or `SHA3`. */
  readonly hashFamily: string;
  /** The DER of the certificates listed as admins, in low-S form. */
  readonly admins: readonly Uint8Array[];
  /** An identity must have one of these units; empty means no such rule. */
  readonly requiredUnits: readonly Unit[];
  /** Whether organisational units decide the roles of identities. */
  readonly hasNodeOus: boolean;
  readonly nodeOus: ReadonlyMap<NodeRole, Unit>;
}

/** Fabric's text of a fault. */
interface FaultText {
  readonly text: string;
  /** The text without the steps of Fabric before it, such as `x509: certificate signed by unknown authority`. */
  readonly reason: string;
}

/** Why an identity is not valid in its MSP. */
export type IdentityFault = FaultText &
  (
    | { readonly kind: 'unreadable' | 'is-ca' | 'revocation-unclear' }
    | { readonly kind: 'key-type'; readonly type: Certificate['publicKey']['type'] }
    /** It has no chain to the CAs of the MSP. */
    | { readonly kind: 'chain'; readonly issuer: Name }
    | { readonly kind: 'revoked'; readonly serial: bigint }
    /** It has the organisational `units`, and none of `wanted`. */
    | { readonly kind: 'unit-missing'; readonly units: readonly string[]; readonly wanted: readonly string[] }
    /** It has the units of several roles, or the unit of a role that only another CA gives out. */
    | { readonly kind: 'units-several' | 'unit-of-other-ca'; readonly units: readonly string[] }
  );

/** An identity and why it is not valid; no identity if the MSP does not take the certificate. */
export interface JudgedIdentity {
  readonly identity: Identity | undefined;
  readonly fault: IdentityFault | undefined;
}

/** Why a certificate has no chain to the CAs of an MSP. That it is a CA, or has another key, is the reason in any MSP. */
export function certificateFault(
  { extensions, publicKey: { type }, issuer }: Certificate,
  version: MspVersion,
  text: FaultText,
): IdentityFault {
  if (extensions.isCa) return { kind: 'is-ca', ...text };
  return isKeySupported(type, version)
    ? { kind: 'chain', issuer, ...text }
    : { kind: 'key-type', type, ...text };
}

const isKeySupported = (type: Certificate['publicKey']['type'], version: MspVersion): boolean =>
  type === 'ECDSA' || (type === 'Ed25519' && isAtLeast(version, 'V3_0'));

/** The parts of an identity. */
interface IdentityParts {
  readonly rules: MspRules;
  readonly certificate: Certificate;
  readonly id: string;
  /** From the certificate to a root CA of the MSP; undefined if there is no such chain. */
  readonly chain: readonly Certificate[] | undefined;
  /** Why there is no chain to the CAs of the MSP. */
  readonly chainError: TranslateError | undefined;
  readonly revocation: Revocation | undefined;
  /** The hash over the chain above the certificate; undefined without a chain. */
  readonly certifiersIdentifier: Uint8Array | undefined;
}

/** The enum `MSPRole.MSPRoleType`. */
const ROLE_NUMBERS: Readonly<Record<Role, number>> = { member: 0, admin: 1, client: 2, peer: 3, orderer: 4 };
const SHORT_HASH = 8;

type IdentityPrincipal = Extract<Principal, { kind: 'identity' }>;

/**
 * A cache of the certificates in identity principals, in the form in which identities with issuers of a curve are compared. The same policy
 * is evaluated for each signer of each block.
 */
const named = new WeakMap<
  IdentityPrincipal,
  { readonly rules: MspRules; readonly curve: Curve | undefined; readonly certificate: Certificate }
>();

/** An identity. */
export class Identity {
  readonly #parts: IdentityParts;
  /** The certificate, with its signature in low-S form. */
  readonly certificate: Certificate;
  /**
   * The identifier of the identity in its MSP: the hash (SHA-256, unless the MSP has another hash function) of the certificate in low-S
   * form, in hexadecimal. Policies count each identifier of an MSP once.
   */
  readonly id: string;
  /** The organisational units of the certificate; none without a chain to the CAs of the MSP. */
  readonly units: readonly Unit[];
  /** The fault if the identity is not valid (`Validate`); undefined if it is valid. */
  readonly fault: IdentityFault | undefined;

  constructor(parts: IdentityParts) {
    this.#parts = parts;
    this.certificate = parts.certificate;
    this.id = parts.id;
    const { certifiersIdentifier } = parts;
    this.units =
      certifiersIdentifier === undefined
        ? []
        : parts.certificate.subject.units.map((unit) => ({ unit, certifiersIdentifier }));
    this.fault = this.#validate();
  }

  get mspid(): string {
    return this.#parts.rules.name;
  }

  /** From the certificate to a root CA of the MSP; undefined if there is no such chain. */
  get chain(): readonly Certificate[] | undefined {
    return this.#parts.chain;
  }

  /** Fabric's text if the identity is not valid; undefined if it is valid. */
  get validationError(): string | undefined {
    return this.fault?.text;
  }

  /** The hash family of the MSP, `SHA2` or `SHA3`. */
  get hashFamily(): string {
    return this.#parts.rules.hashFamily;
  }

  /** Whether the identity satisfies a principal (`SatisfiesPrincipal`). */
  satisfies(principal: Principal): boolean {
    return this.principalError(principal) === undefined;
  }

  /** Fabric's text if the identity does not satisfy a principal; undefined if it does. */
  principalError(principal: Principal): string | undefined {
    const { version } = this.#parts.rules;
    switch (principal.kind) {
      case 'role':
        return this.#roleError(principal.mspid, principal.role);
      case 'ou':
        return this.#unitError(principal.mspid, principal);
      case 'identity':
        return this.#sameError(principal);
      case 'anonymity':
        if (!isAtLeast(version, 'V1_3')) return 'invalid principal type 3';
        return principal.type === 'nominal'
          ? undefined
          : 'Principal is anonymous, but X.509 MSP does not support anonymous identities';
      case 'combined':
        if (!isAtLeast(version, 'V1_3')) return 'invalid principal type 4';
        if (principal.principals.length === 0) return 'No principals in CombinedPrincipal';
        return principal.principals
          .map((each) => this.principalError(each))
          .find((reason) => reason !== undefined);
      case 'unknown':
        break;
    }
    return `invalid principal type ${principal.classification}`;
  }

  #validate(): IdentityFault | undefined {
    const { rules, chainError, revocation } = this.#parts;
    const { type } = this.certificate.publicKey;
    const ofCertificate = (step: string, reason: string, text = reason): IdentityFault =>
      certificateFault(this.certificate, rules.version, { text: `${step}: ${text}`, reason });
    if (!isKeySupported(type, rules.version))
      return ofCertificate("could not validate identity's public key algorithm", `${type} is not supported`);
    if (chainError !== undefined)
      return ofCertificate('could not obtain certification chain', chainError.reason, chainError.message);
    if (revocation !== undefined) {
      const reason = revocation.text;
      const text = `could not validate identity against certification chain: ${reason}`;
      return revocation.isListed
        ? { kind: 'revoked', serial: this.certificate.serial, text, reason }
        : { kind: 'revocation-unclear', text, reason };
    }
    const unitsError = this.#requiredUnitError() ?? this.#nodeOuError();
    return unitsError === undefined ? undefined : this.#unitFault(unitsError);
  }

  #unitFault(reason: string): IdentityFault {
    const text = { text: `could not validate identity's OUs: ${reason}`, reason };
    const { requiredUnits, nodeOus } = this.#parts.rules;
    const units = this.units.map(({ unit }) => unit);
    const required = requiredUnits.map(({ unit }) => unit);
    if (required.length > 0 && !units.some((unit) => required.includes(unit)))
      return { kind: 'unit-missing', units, wanted: required, ...text };
    const ofRoles = [...nodeOus.values()].map(({ unit }) => unit);
    const matching = units.filter((unit) => ofRoles.includes(unit));
    if (matching.length === 0) return { kind: 'unit-missing', units, wanted: ofRoles, ...text };
    return { kind: matching.length > 1 ? 'units-several' : 'unit-of-other-ca', units: matching, ...text };
  }

  /** `validateIdentityOUsV1` */
  #requiredUnitError(): string | undefined {
    const { requiredUnits, name } = this.#parts.rules;
    const isRequired = ({ unit, certifiersIdentifier }: Unit): boolean =>
      requiredUnits.some(
        (each) => each.unit === unit && sameBytes(each.certifiersIdentifier, certifiersIdentifier),
      );
    if (requiredUnits.length === 0 || this.units.some(isRequired)) return undefined;
    return this.units.length === 0
      ? 'the identity certificate does not contain an Organizational Unit (OU)'
      : `none of the identity's organizational units ${this.#unitTexts()} are in MSP ${name}`;
  }

  /** `validateIdentityOUsV11` and `validateIdentityOUsV142` */
  #nodeOuError(): string | undefined {
    const { hasNodeOus, nodeOus, name, version } = this.#parts.rules;
    if (!hasNodeOus || version === 'V1_0') return undefined;
    const hasAllRoles = isAtLeast(version, 'V1_4_3');
    const places = `OUs: ${this.#unitTexts()}, MSP: [${name}]`;
    // If two roles have the same unit, Fabric's map keeps the last one.
    const byUnit = new Map(
      (['client', 'peer', 'admin', 'orderer'] as const).flatMap((role) => {
        const unit = hasAllRoles || role === 'client' || role === 'peer' ? nodeOus.get(role) : undefined;
        return unit === undefined ? [] : [[unit.unit, unit.certifiersIdentifier] as const];
      }),
    );
    let count = 0;
    for (const { unit, certifiersIdentifier } of this.units) {
      const wanted = byUnit.get(unit);
      if (wanted === undefined) continue;
      if (wanted.length > 0 && !sameBytes(wanted, certifiersIdentifier))
        return `certifiersIdentifier does not match: ${this.#unitTexts()}, MSP: [${name}]`;
      if (++count > 1) break;
    }
    if (count === 1) return undefined;
    if (count === 0)
      return `the identity does not have an OU that resolves to ${hasAllRoles ? 'client, peer, orderer, or admin role' : 'client or peer'}. ${places}`;
    return hasAllRoles
      ? `the identity must have a client, a peer, an orderer, or an admin OU role to be valid, not a combination of them. ${places}`
      : `the identity must be a client or a peer identity to be valid, not a combination of them. ${places}`;
  }

  /** Fabric's `OUIDs`: units with the first bytes of their certifiers identifiers. */
  #unitTexts(): string {
    const texts = this.units.map(
      ({ unit, certifiersIdentifier }) =>
        `${unit}(${toHex(certifiersIdentifier.subarray(0, SHORT_HASH)).toUpperCase()})`,
    );
    return `[${texts.join(' ')}]`;
  }

  #roleError(mspid: string, role: Role): string | undefined {
    const { name, version, hasNodeOus, admins } = this.#parts.rules;
    if (mspid !== name) return this.#otherMsp(mspid);
    const isAdmin = admins.some((raw) => sameBytes(raw, this.certificate.raw));
    const isNew = hasNodeOus && isAtLeast(version, 'V1_4_3');
    switch (role) {
      case 'member':
        return this.validationError;
      case 'admin':
        if (isAdmin) return undefined;
        return isNew ? this.#ouRoleError(role, 'an admin') : 'This identity is not an admin';
      case 'orderer':
        return isNew ? this.#ouRoleError(role) : `invalid MSP role type ${ROLE_NUMBERS.orderer}`;
      case 'client':
      case 'peer':
        break;
    }
    return this.#ouRoleError(role);
  }

  #ouRoleError(role: NodeRole, text = `a [${role.toUpperCase()}]`): string | undefined {
    const { name } = this.#parts.rules;
    if (this.validationError !== undefined)
      return `The identity is not valid under this MSP [${name}]: ${this.validationError}`;
    const reason = this.nodeOuError(role);
    return reason === undefined
      ? undefined
      : `The identity is not ${text} under this MSP [${name}]: ${reason}`;
  }

  /** Fabric's text if the identity lacks the unit of a role (`hasOURole`), even if it is not valid; undefined if it has the unit. */
  nodeOuError(role: NodeRole): string | undefined {
    const { name, hasNodeOus, nodeOus } = this.#parts.rules;
    if (!hasNodeOus) return 'NodeOUs not activated. Cannot tell apart identities.';
    const node = nodeOus.get(role);
    if (node === undefined)
      return `cannot test for classification, node ou for type [${role.toUpperCase()}], not defined, msp: [${name}]`;
    return this.units.some(({ unit }) => unit === node.unit)
      ? undefined
      : `The identity does not contain OU [${role.toUpperCase()}], MSP: [${name}]`;
  }

  #unitError(mspid: string, wanted: Unit): string | undefined {
    if (mspid !== this.mspid) return this.#otherMsp(mspid);
    if (this.validationError !== undefined) return this.validationError;
    const hasUnit = this.units.some(
      ({ unit, certifiersIdentifier }) =>
        unit === wanted.unit && sameBytes(certifiersIdentifier, wanted.certifiersIdentifier),
    );
    return hasUnit ? undefined : 'The identities do not match';
  }

  /** Compares certificates in low-S form. An equal certificate has the same chain. */
  #sameError(principal: IdentityPrincipal): string | undefined {
    const other = attempt(
      () => this.#certificateOf(principal),
      ({ message }) => message,
    );
    if (typeof other === 'string') return `invalid identity principal, not a certificate: ${other}`;
    return sameBytes(other.raw, this.certificate.raw) ? this.validationError : 'The identities do not match';
  }

  /** The certificate of a principal, converted to low-S form if it can be equal; or the reason why there is none. @throws TranslateError */
  #certificateOf(principal: IdentityPrincipal): Certificate | string {
    const { rules } = this.#parts;
    const issuerKey = this.chain?.[1]?.publicKey;
    const curve = issuerKey?.type === 'ECDSA' ? issuerKey.curve : undefined;
    const known = named.get(principal);
    if (known?.rules === rules && known.curve === curve) return known.certificate;
    const { mspid, certificate: pem } = readSerializedIdentity(principal.identity);
    if (mspid !== this.mspid) return `expected MSP ID ${this.mspid}, received ${mspid}`;
    const block = decodePem(pem);
    if (block === undefined) return 'could not decode the PEM structure';
    const read = readCertificate(block.bytes, this.certificate.go);
    const certificate = curve !== undefined && read.algorithm.key === 'ECDSA' ? withLowS(read, curve) : read;
    named.set(principal, { rules, curve, certificate });
    return certificate;
  }

  #otherMsp(mspid: string): string {
    return `the identity is a member of a different MSP (expected ${mspid}, got ${this.mspid})`;
  }
}

/** A parsed serialized identity. */
export interface SerializedIdentity {
  readonly mspid: string;
  /** The certificate, PEM. */
  readonly certificate: Uint8Array;
}

/** @throws TranslateError with Fabric's text if the bytes are not a message */
export function readSerializedIdentity(serialized: Uint8Array): SerializedIdentity {
  const { mspid, idBytes } = withPrefix('could not deserialize a SerializedIdentity', () =>
    readMessage(MspSerializedIdentity, serialized),
  );
  return { mspid, certificate: idBytes };
}

/** Writes an identity as Fabric does (msp/identities.go, `Serialize`): PEM with the label CERTIFICATE. */
export function writeSerializedIdentity(mspid: string, der: Uint8Array): Uint8Array {
  const idBytes = new TextEncoder().encode(encodePem('CERTIFICATE', der));
  return writeMessage(MspSerializedIdentity, { mspid, idBytes });
}
