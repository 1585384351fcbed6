// An MSP as data and in words.

import { attempt } from '../../proto/errors.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import { FABRIC, isAtLeast, readMspConfig, type MspConfig, type MspVersion } from '../msp/index.js';
import { certificateText, summariseCertificate, type CertificateSummary } from './certificate.js';
import { shortList } from './lists.js';

/** The number of certificates of a list that are shown. */
const SHOWN = 6;

/** An MSP. `none`: the organisation has no MSP. `other`: an Idemix MSP, or an MSP that cannot be read; `error` has the reason. */
export interface MspSummary {
  readonly type: 'fabric' | 'other' | 'none';
  readonly error?: string;
  /** Whether organisational units give roles. */
  readonly nodeOus: boolean;
  /** The organisational unit of admins; absent if no unit counts. */
  readonly adminUnit?: string;
  /** The listed certificates of admins. */
  readonly admins: readonly CertificateSummary[];
  readonly rootCas: readonly CertificateSummary[];
  readonly intermediateCas: readonly CertificateSummary[];
  readonly tlsCas: readonly CertificateSummary[];
  readonly revocationLists: number;
}

const NO_MSP: MspSummary = {
  type: 'none',
  nodeOus: false,
  admins: [],
  rootCas: [],
  intermediateCas: [],
  tlsCas: [],
  revocationLists: 0,
};

/** Summarises a `msp.MSPConfig`. The summary has the error if it cannot be read. */
export function summariseMsp(
  read: () => { readonly type: number; readonly config: Uint8Array } | undefined,
  version: MspVersion,
): MspSummary {
  return attempt(
    (): MspSummary => {
      const msp = read();
      if (msp === undefined) return NO_MSP;
      if (msp.type !== FABRIC) return { ...NO_MSP, type: 'other', error: `MSP of type ${msp.type}` };
      return fabricMsp(readMspConfig(msp.config), version);
    },
    ({ message }): MspSummary => ({ ...NO_MSP, type: 'other', error: message }),
  );
}

function fabricMsp(config: MspConfig, version: MspVersion): MspSummary {
  const nodeOus = config.nodeOus?.isEnabled === true;
  // Admin units count since V1_4_3 (msp/mspimplsetup.go, setupNodeOUsV143).
  const unit = nodeOus && isAtLeast(version, 'V1_4_3') ? config.nodeOus?.roles.get('admin')?.unit : undefined;
  const all = (certificates: readonly Uint8Array[]): CertificateSummary[] =>
    certificates.map((pem) => summariseCertificate(pem));
  return {
    type: 'fabric',
    nodeOus,
    ...(unit !== undefined && unit !== '' && { adminUnit: unit }),
    admins: all(config.admins),
    rootCas: all(config.roots),
    intermediateCas: all(config.intermediates),
    tlsCas: all([...config.tlsRoots, ...config.tlsIntermediates]),
    revocationLists: config.revocationLists.length,
  };
}

/** `CA CN=ca.org1.example.com until 2036-11-18; admins: OU admin` */
export function mspText(msp: MspSummary, now: Date): string {
  if (msp.type === 'none') return 'no MSP';
  if (msp.type === 'other') return `an MSP that cannot be shown (${onOneLine(msp.error ?? '')})`;
  return `CA ${certificatesText(caList(msp), now)}; admins: ${adminsText(msp, now)}`;
}

/** The CAs that issue identities. */
export const caList = ({ rootCas, intermediateCas }: MspSummary): readonly CertificateSummary[] => [
  ...rootCas,
  ...intermediateCas,
];

/** The identities that count as admins. */
export function adminsText({ adminUnit, admins }: MspSummary, now: Date): string {
  const listed = admins.length === 0 ? [] : [certificatesText(admins, now)];
  const unit = adminUnit === undefined ? [] : [`OU ${onOneLine(adminUnit)}`];
  return [...unit, ...listed].join(', ') || 'nobody';
}

/** Certificates and their expiry. */
export function certificatesText(certificates: readonly CertificateSummary[], now: Date): string {
  if (certificates.length === 0) return 'none';
  const texts = certificates.map((each) => certificateText(each, now));
  return onOneLine(shortList(texts, ', ', SHOWN));
}
