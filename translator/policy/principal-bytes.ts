// Principals and their bytes: common.MSPPrincipal.

import { attempt } from '../../proto/errors.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import {
  CommonCombinedPrincipal,
  CommonMSPIdentityAnonymity,
  CommonMSPPrincipal,
  CommonMSPRole,
  CommonOrganizationUnit,
  MspSerializedIdentity,
} from '../../proto/messages.js';
import type { Principal } from '../msp/index.js';

/** The roles by their number in `common.MSPRole.MSPRoleType`. */
export const ROLES = ['member', 'admin', 'client', 'peer', 'orderer'] as const;

const ANONYMITIES = ['nominal', 'anonymous'] as const;

/** The numbers of `common.MSPPrincipal.Classification`. */
const CLASS = { role: 0, ou: 1, identity: 2, anonymity: 3, combined: 4 } as const;

/** The maximum nesting of combined principals; deeper ones are unknown principals. */
const MAX_NESTING = 32;

/**
 * Reads a serialized `common.MSPPrincipal`. Unreadable content results in an unknown principal, because Fabric reads it only when it
 * compares it with an identity.
 *
 * @throws TranslateError BAD_BYTES if the bytes are not a `common.MSPPrincipal`
 */
export function readPrincipal(bytes: Uint8Array): Principal {
  return parsePrincipal(bytes, 1);
}

function parsePrincipal(bytes: Uint8Array, depth: number): Principal {
  const message = readMessage(CommonMSPPrincipal, bytes);
  return attempt(
    () => contentOf(message, depth),
    () => unknown(message),
  );
}

const unknown = ({ principalClassification }: CommonMSPPrincipal): Principal => ({
  kind: 'unknown',
  classification: principalClassification,
});

function contentOf(message: CommonMSPPrincipal, depth: number): Principal {
  const content = message.principal;
  switch (message.principalClassification) {
    case CLASS.role: {
      const { mspIdentifier, role: number } = readMessage(CommonMSPRole, content);
      const role = ROLES[number];
      return role === undefined ? unknown(message) : { kind: 'role', mspid: mspIdentifier, role };
    }
    case CLASS.ou:
      return readUnit(content);
    case CLASS.identity:
      return { kind: 'identity', identity: content };
    case CLASS.anonymity: {
      const type = ANONYMITIES[readMessage(CommonMSPIdentityAnonymity, content).anonymityType];
      return type === undefined ? unknown(message) : { kind: 'anonymity', type };
    }
    case CLASS.combined: {
      if (depth > MAX_NESTING) return unknown(message);
      const { principals } = readMessage(CommonCombinedPrincipal, content, ['principals']);
      return { kind: 'combined', principals: principals.map((each) => parsePrincipal(each, depth + 1)) };
    }
    default:
      return unknown(message);
  }
}

function readUnit(content: Uint8Array): Principal {
  const unit = readMessage(CommonOrganizationUnit, content);
  return {
    kind: 'ou',
    mspid: unit.mspIdentifier,
    unit: unit.organizationalUnitIdentifier,
    certifiersIdentifier: unit.certifiersIdentifier,
  };
}

/**
 * The bytes of a principal, as Fabric writes them.
 *
 * @throws TypeError for an unknown principal, because its content is not kept
 */
export function writePrincipal(principal: Principal): Uint8Array {
  if (principal.kind === 'unknown') throw new TypeError('an unknown principal cannot be written');
  const message = { principalClassification: CLASS[principal.kind], principal: contentBytes(principal) };
  return writeMessage(CommonMSPPrincipal, message);
}

function contentBytes(principal: Exclude<Principal, { kind: 'unknown' }>): Uint8Array {
  switch (principal.kind) {
    case 'role': {
      const { mspid, role } = principal;
      return writeMessage(CommonMSPRole, { mspIdentifier: mspid, role: ROLES.indexOf(role) });
    }
    case 'ou':
      return writeMessage(CommonOrganizationUnit, {
        mspIdentifier: principal.mspid,
        organizationalUnitIdentifier: principal.unit,
        certifiersIdentifier: principal.certifiersIdentifier,
      });
    case 'identity':
      return principal.identity;
    case 'anonymity':
      return writeMessage(CommonMSPIdentityAnonymity, { anonymityType: ANONYMITIES.indexOf(principal.type) });
    case 'combined':
      break;
  }
  return writeMessage(CommonCombinedPrincipal, { principals: principal.principals.map(writePrincipal) });
}

/** The MSP id in a serialized identity; empty if it cannot be read. */
export function mspidOf(identity: Uint8Array): string {
  try {
    return readMessage(MspSerializedIdentity, identity).mspid;
  } catch {
    return '';
  }
}
