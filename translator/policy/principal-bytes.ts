// Principals and their bytes: common.MSPPrincipal.

import { StringError, WireError } from '../../proto/wire.js';
import { readFields } from '../config/read-fields.js';
import { writeBytes, writeInt, writeString, written } from '../config/write-message.js';
import type { Principal } from './principal.js';
import {
  ANONYMITY,
  CERTIFIERS,
  COMBINED,
  MSPID,
  PRINCIPAL_CLASS,
  PRINCIPAL_CONTENT,
  ROLE,
  UNIT,
} from './tags.js';

/** The roles by their number in `common.MSPRole.MSPRoleType`. */
export const ROLES = ['member', 'admin', 'client', 'peer', 'orderer'] as const;

const ANONYMITIES = ['nominal', 'anonymous'] as const;

/** The numbers of `common.MSPPrincipal.Classification`. */
const CLASS = { role: 0, ou: 1, identity: 2, anonymity: 3, combined: 4 } as const;

/** Combined principals may be nested up to this depth; deeper ones are unknown principals. */
const MAX_NESTING = 32;

/** Most principals are a role and the id of an MSP. */
const USUAL_SIZE = 64;

const NO_BYTES = new Uint8Array();

/** A principal as it is on the wire. */
interface Raw {
  classification: number;
  content: Uint8Array;
}

/**
 * Reads a serialized `common.MSPPrincipal`. Content that cannot be read makes an unknown principal, because Fabric reads it only when it
 * compares it with an identity.
 *
 * @throws WireError if the bytes are not a `common.MSPPrincipal`
 */
export function readPrincipal(bytes: Uint8Array): Principal {
  return parsePrincipal(bytes, 1);
}

function parsePrincipal(bytes: Uint8Array, depth: number): Principal {
  const raw: Raw = { classification: 0, content: NO_BYTES };
  readFields(bytes, (tag, reader) => {
    if (tag === PRINCIPAL_CLASS) raw.classification = reader.uint32() | 0;
    else if (tag === PRINCIPAL_CONTENT) raw.content = reader.bytes();
    else return false;
    return true;
  });
  try {
    return contentOf(raw, depth);
  } catch (error) {
    if (error instanceof WireError || error instanceof StringError) return unknown(raw);
    throw error;
  }
}

const unknown = ({ classification }: Raw): Principal => ({ kind: 'unknown', classification });

function contentOf(raw: Raw, depth: number): Principal {
  switch (raw.classification) {
    case CLASS.role:
      return readRole(raw);
    case CLASS.ou:
      return readUnit(raw.content);
    case CLASS.identity:
      return { kind: 'identity', identity: raw.content };
    case CLASS.anonymity:
      return readAnonymity(raw);
    case CLASS.combined:
      return depth > MAX_NESTING ? unknown(raw) : readCombined(raw.content, depth);
    default:
      return unknown(raw);
  }
}

function readRole(raw: Raw): Principal {
  let mspid = '';
  let number = 0;
  readFields(raw.content, (tag, reader) => {
    if (tag === MSPID) mspid = reader.string();
    else if (tag === ROLE) number = reader.uint32() | 0;
    else return false;
    return true;
  });
  const role = ROLES[number];
  return role === undefined ? unknown(raw) : { kind: 'role', mspid, role };
}

function readUnit(content: Uint8Array): Principal {
  let mspid = '';
  let unit = '';
  let certifiersIdentifier: Uint8Array = NO_BYTES;
  readFields(content, (tag, reader) => {
    if (tag === MSPID) mspid = reader.string();
    else if (tag === UNIT) unit = reader.string();
    else if (tag === CERTIFIERS) certifiersIdentifier = reader.bytes();
    else return false;
    return true;
  });
  return { kind: 'ou', mspid, unit, certifiersIdentifier };
}

function readAnonymity(raw: Raw): Principal {
  let number = 0;
  readFields(raw.content, (tag, reader) => {
    if (tag !== ANONYMITY) return false;
    number = reader.uint32() | 0;
    return true;
  });
  const type = ANONYMITIES[number];
  return type === undefined ? unknown(raw) : { kind: 'anonymity', type };
}

function readCombined(content: Uint8Array, depth: number): Principal {
  const principals: Principal[] = [];
  readFields(content, (tag, reader) => {
    if (tag !== COMBINED) return false;
    principals.push(parsePrincipal(reader.bytes(), depth + 1));
    return true;
  });
  return { kind: 'combined', principals };
}

/**
 * The bytes of a principal, as Fabric writes them.
 *
 * @throws TypeError for an unknown principal, whose content is not kept
 */
export function writePrincipal(principal: Principal): Uint8Array {
  if (principal.kind === 'unknown') throw new TypeError('an unknown principal cannot be written');
  return written((writer) => {
    writeBytes(writer, PRINCIPAL_CONTENT, contentBytes(principal));
    writeInt(writer, PRINCIPAL_CLASS, CLASS[principal.kind]);
  }, USUAL_SIZE);
}

function contentBytes(principal: Exclude<Principal, { kind: 'unknown' }>): Uint8Array {
  switch (principal.kind) {
    case 'role':
      return written((writer) => {
        writeInt(writer, ROLE, ROLES.indexOf(principal.role));
        writeString(writer, MSPID, principal.mspid);
      }, USUAL_SIZE);
    case 'ou':
      return written((writer) => {
        writeBytes(writer, CERTIFIERS, principal.certifiersIdentifier);
        writeString(writer, UNIT, principal.unit);
        writeString(writer, MSPID, principal.mspid);
      });
    case 'identity':
      return principal.identity;
    case 'anonymity':
      return written((writer) => writeInt(writer, ANONYMITY, ANONYMITIES.indexOf(principal.type)));
    case 'combined':
      break;
  }
  return written((writer) => {
    for (const nested of principal.principals.toReversed()) {
      writer.bytes(writePrincipal(nested));
      writer.uint32(COMBINED);
    }
  });
}

/** The MSP id in a serialized identity; empty if it cannot be read. */
export function mspidOf(identity: Uint8Array): string {
  let mspid = '';
  try {
    readFields(identity, (tag, reader) => {
      if (tag !== MSPID) return false;
      mspid = reader.string();
      return true;
    });
  } catch {
    return '';
  }
  return mspid;
}
