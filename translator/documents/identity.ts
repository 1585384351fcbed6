// An identity on a channel as data, and its problems in words.

import { day, words, type FindingWords } from './words.js';
import type { CertificateSummary } from './certificate.js';
import { listText, shortList } from './lists.js';

/** A problem of an identity. */
export type IdentityProblem =
  | { readonly kind: 'certificate-unreadable' }
  /** No MSP of the channel has the id. `issuers`: the MSPs with the CA of the certificate. `near`: the MSPs with a similar id. */
  | {
      readonly kind: 'msp-unknown';
      readonly mspid: string;
      readonly msps: readonly string[];
      readonly issuers: readonly string[];
      readonly near: readonly string[];
    }
  | { readonly kind: 'msp-invalid'; readonly mspid: string; readonly reason: string }
  | { readonly kind: 'issued-by-other'; readonly mspid: string; readonly issuers: readonly string[] }
  | { readonly kind: 'tls-certificate'; readonly issuers: readonly string[] }
  /** The channel has a CA with the name of the issuer, and with another key. */
  | { readonly kind: 'ca-replaced'; readonly issuer: string; readonly msps: readonly string[] }
  | { readonly kind: 'issuer-unknown'; readonly issuer: string; readonly msps: readonly string[] }
  | { readonly kind: 'chain-invalid'; readonly mspid: string }
  | { readonly kind: 'is-ca' }
  | { readonly kind: 'key-type'; readonly type: string; readonly isAllowedWithV3: boolean }
  | { readonly kind: 'revoked'; readonly mspid: string; readonly serial: string }
  | { readonly kind: 'revocation-unclear'; readonly mspid: string }
  | {
      readonly kind: 'unit-missing';
      readonly mspid: string;
      readonly units: readonly string[];
      readonly wanted: readonly string[];
    }
  | { readonly kind: 'units-several'; readonly units: readonly string[] }
  | { readonly kind: 'unit-of-other-ca'; readonly mspid: string; readonly units: readonly string[] }
  | { readonly kind: 'key-mismatch'; readonly reason: string }
  | { readonly kind: 'signature-invalid'; readonly reason: string }
  | { readonly kind: 'expired'; readonly notAfter: string }
  | { readonly kind: 'not-yet-valid'; readonly notBefore: string }
  | {
      readonly kind: 'depends-on-version';
      readonly verdicts: readonly { readonly releases: string; readonly reason: string | null }[];
    };

/** A service that an identity may use, or not. */
export interface IdentityService {
  /** `Deliver`, `Broadcast`, or the resource of an ACL: `peer/Propose`. */
  readonly service: string;
  /** The policy that decides, `/Channel/Readers`. */
  readonly policy: string;
  readonly allowed: boolean;
  /** The reason that it is not allowed. */
  readonly reason: string | null;
}

/** A policy, and the other signatures that it needs. */
export interface IdentityPolicy {
  readonly path: string;
  /** The policy in words. */
  readonly text: string;
  readonly satisfied: boolean;
  /** Whether the signature of the identity counts for it. */
  readonly counts: boolean;
  /** The other required signers; null if there are none. */
  readonly missing: string | null;
}

/** Elements of the channel with the same policy for changes. */
export interface IdentityChange extends IdentityPolicy {
  /** The paths of the elements. */
  readonly elements: readonly string[];
}

/** The reason that an identity is not an admin: it lacks the unit, or is not in the list of admins of the MSP. */
export type NotAdmin = { readonly kind: 'unit'; readonly unit: string } | { readonly kind: 'not-listed' };

/** An identity on a channel. The fields are stable: new ones may be added. */
export interface ExplainedIdentity {
  /** The place of the identity in the file: `certificate`, `MSP folder`, `serialized identity`, `wallet`, `creator`, `signature 1`. */
  readonly place: string;
  /** The id of the MSP that it names, or of the MSP with its CA; null if there is none. */
  readonly mspid: string | null;
  /** The ids of all MSPs that the certificate is valid in. */
  readonly mspids: readonly string[];
  /** The groups of the organisation: `/Channel/Application/Org1`. */
  readonly organizations: readonly string[];
  /** Also the serial number, in hexadecimal. */
  readonly certificate: CertificateSummary & { readonly serial?: string };
  /** The subjects from the certificate to the root CA; empty without a chain. */
  readonly chain: readonly string[];
  /** Whether nodes accept it now: it is valid in its MSP and has not expired, and its signature is valid. */
  readonly valid: boolean;
  /** Fabric's reason that it is not valid in its MSP. */
  readonly reason: string | null;
  readonly roles: readonly string[];
  readonly units: readonly string[];
  /** The reason that it is not an admin; null if it is one, or not valid. */
  readonly notAdmin: NotAdmin | null;
  readonly problems: readonly (IdentityProblem & { readonly text: string; readonly todo: string })[];
  readonly services: readonly IdentityService[];
  /** The policies of the channel, its applications and its orderers. */
  readonly policies: readonly IdentityPolicy[];
  /** The changes that its signature counts for. */
  readonly changes: readonly IdentityChange[];
}

/** The identities of a file on a channel. */
export interface IdentityReport {
  readonly channel: string | null;
  readonly block: string | null;
  readonly identities: readonly ExplainedIdentity[];
}

const or = (items: readonly string[]): string => shortList(items, ' or ');

type ProblemOf<Kind extends IdentityProblem['kind']> = Extract<IdentityProblem, { readonly kind: Kind }>;

const WORDS: {
  readonly [Kind in IdentityProblem['kind']]: (problem: ProblemOf<Kind>) => FindingWords;
} = {
  'certificate-unreadable': () =>
    words(
      'the certificate cannot be read',
      'use the PEM file in signcerts of the MSP folder, without changes',
    ),
  'msp-unknown': (problem) => {
    const { mspid, msps, issuers, near } = problem;
    const text = `the channel has no MSP with the id ${JSON.stringify(mspid)}; it has ${listText(msps)}`;
    if (issuers.length > 0)
      return words(
        `${text}; the certificate is issued by a CA that is in ${or(issuers)}`,
        `set the MSP id of the node or client to ${or(issuers)} (localMspId, CORE_PEER_LOCALMSPID)`,
      );
    return words(
      text,
      near.length > 0
        ? `set the MSP id to ${or(near)}`
        : 'set the MSP id of an organisation of the channel, or add the organisation: configtxlator org add',
    );
  },
  'msp-invalid': (problem) =>
    words(
      `the MSP ${problem.mspid} of the channel cannot be set up: ${problem.reason}`,
      'check the config with configtxlator check',
    ),
  'issued-by-other': (problem) =>
    words(
      `it is issued by a CA that is in ${or(problem.issuers)}, not in ${problem.mspid}`,
      `set the MSP id to ${or(problem.issuers)}, or use a certificate of a CA of ${problem.mspid}`,
    ),
  'tls-certificate': (problem) =>
    words(
      `it is a TLS certificate: it is issued by a TLS CA of ${or(problem.issuers)}`,
      'use the certificate in msp/signcerts, not the one in tls',
    ),
  'ca-replaced': (problem) =>
    words(
      `a CA with the name of its issuer, ${problem.issuer}, is in ${or(problem.msps)}, but with another key: the CA was made again after the channel, or before the certificate`,
      'use certificates of the CA that is in the channel, or put the new CA into the channel: configtxlator org set-msp',
    ),
  'issuer-unknown': (problem) =>
    words(
      `its issuer ${problem.issuer} is in no MSP of the channel (${listText(problem.msps)})`,
      'use a certificate of a CA of the channel; if an intermediate CA issued it, this CA must be in the MSP',
    ),
  'chain-invalid': (problem) =>
    words(
      `its chain to the CAs of ${problem.mspid} is not valid`,
      "read the reason; it is Fabric's, from the verification of the chain",
    ),
  'is-ca': () =>
    words('it is the certificate of a CA, which cannot be an identity', 'enroll an identity with this CA'),
  'key-type': (problem) =>
    words(
      `its key is of the type ${problem.type}`,
      problem.isAllowedWithV3
        ? 'use an ECDSA key, or set the channel capability V3_0'
        : 'use an ECDSA key, or, with the channel capability V3_0, Ed25519',
    ),
  revoked: (problem) =>
    words(
      `it is revoked: its serial number ${problem.serial} is in a revocation list of ${problem.mspid}`,
      'enroll again; the new certificate has another serial number',
    ),
  'revocation-unclear': (problem) =>
    words(
      `a revocation list of ${problem.mspid}, or the CA, has no key identifier`,
      'replace the revocation list: with it no identity of the CA is valid',
    ),
  'unit-missing': (problem) => {
    const { wanted, units } = problem;
    const [first = 'client'] = wanted;
    const has = `the certificate has ${listText(units, 'no OU')}`;
    return words(
      wanted.length === 1
        ? `the OU ${first} is not in the certificate: ${has}`
        : `none of the OUs ${listText(wanted)} is in the certificate: ${has}`,
      `register the identity with a type, which becomes its OU (fabric-ca-client register --id.type ${first}), and enroll again`,
    );
  },
  'units-several': (problem) =>
    words(
      `it has the OUs of more than one role: ${listText(problem.units)}`,
      'enroll a certificate with one of them',
    ),
  'unit-of-other-ca': (problem) =>
    words(
      `${problem.mspid} takes its OU (${listText(problem.units)}) only from another CA of the MSP`,
      'use a certificate of the CA that the NodeOUs of the MSP name, or submit the MSP without the lines Certificate of NodeOUs in config.yaml: configtxlator org set-msp',
    ),
  'key-mismatch': (problem) =>
    words(problem.reason, 'use the private key that was made with the certificate, or enroll again'),
  'signature-invalid': (problem) =>
    words(
      `its signature is not valid: ${problem.reason}`,
      'sign again, with the private key of this certificate, and do not change what was signed',
    ),
  expired: (problem) =>
    words(
      `it expired on ${day(problem.notAfter)}: orderers and peers refuse what it sends; its signatures on config updates count`,
      'enroll again (fabric-ca-client reenroll)',
    ),
  'not-yet-valid': (problem) =>
    words(
      `it is valid from ${problem.notBefore} on only`,
      'compare the clocks of the CA and of this computer',
    ),
  'depends-on-version': (problem) =>
    words(
      `whether it is valid depends on the version of Fabric: ${problem.verdicts.map(({ releases, reason }) => `${releases}: ${reason ?? 'valid'}`).join('; ')}`,
      'say which versions of Fabric the nodes run, or use another certificate',
    ),
};

/** A problem in words, and its solution. */
export const problemWords = <Kind extends IdentityProblem['kind']>(problem: ProblemOf<Kind>): FindingWords =>
  // The compiler cannot infer that the kind and the function match.
  (WORDS[problem.kind] as (problem: ProblemOf<Kind>) => FindingWords)(problem);
