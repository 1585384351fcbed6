// Certificates, revocation lists and MSPs: read, or refused with a TranslateError.

import { TranslateError } from '../../../proto/errors.js';
import { readMspConfig } from '../../../translator/msp/config.js';
import { describeCertificate } from '../../../translator/describe/index.js';
import { dependsOnGo } from '../../../translator/msp/certificate.js';
import {
  decodePem,
  readCertificate,
  readRevocationList,
  rulesOf,
  setupMsp,
  type Program,
} from '../../../translator/msp/index.js';
import { concatBytes } from '../../../proto/bytes.js';
import { bytesField } from '../../helpers/codec.js';
import { IDENTITIES, certificateOf, readVectors, type IdentityCases } from '../../helpers/channel-vectors.js';
import type { Input, Outcome } from '../target.js';

/** Certificates in DER, MSPs and a revocation list. */
export function certificateSamples(): readonly Input[] {
  const msps = readVectors<IdentityCases>('identity-cases').msps.map((each) => Buffer.from(each, 'base64'));
  const lists = msps.flatMap((msp) => readMspConfig(msp).revocationLists);
  const ders = Object.keys(IDENTITIES).map(
    (name) => decodePem(certificateOf(name))?.bytes ?? certificateOf(name),
  );
  const sample =
    (type: string) =>
    (bytes: Uint8Array): Input => ({ target: 'certificate', type, bytes: Buffer.from(bytes) });
  return [
    ...ders.map(sample('certificate')),
    ...lists.map(sample('list')),
    ...msps.slice(0, 8).map(sample('msp')),
  ];
}

/** Whether an MSP is set up. @throws Error if releases differ about it for a reason that `dependsOnGo` does not know */
async function isSetUp(bytes: Uint8Array): Promise<boolean> {
  const [newest, ...older] = rulesOf([]);
  const isAccepted = async (program: Program): Promise<boolean> =>
    (await setupMsp(bytes, 'V1_4_3', program)).faults.length === 0;
  const verdict = await isAccepted(newest);
  for (const rules of older) {
    if ((await isAccepted(rules)) === verdict) continue;
    const { roots, intermediates, admins, tlsRoots, tlsIntermediates } = readMspConfig(bytes);
    const certificates = [...roots, ...intermediates, ...admins, ...tlsRoots, ...tlsIntermediates];
    if (!certificates.some((pem) => dependsOnGo(pem, newest.go)))
      throw new Error(
        `the rules of Go ${rules.go} give another verdict on an MSP than those of ${newest.go}`,
      );
  }
  return verdict;
}

/** An MSP with one root: a FabricMSPConfig. */
function mspWithRoot(certificate: Uint8Array): Uint8Array {
  const base64 = Buffer.from(certificate).toString('base64');
  const pem = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
  return concatBytes(bytesField(1, Buffer.from('Org1MSP')), bytesField(2, Buffer.from(pem)));
}

/** @throws any error that is not a proper refusal */
export async function runCertificate({ type, bytes }: Input): Promise<Outcome> {
  try {
    if (type === 'msp') {
      return (await isSetUp(bytes)) ? 'accepted' : 'refused';
    }
    if (type === 'list') readRevocationList(bytes);
    else {
      // A root is not verified by its signature: a changed one is judged by all other rules.
      await isSetUp(mspWithRoot(bytes));
      describeCertificate(readCertificate(bytes));
    }
    return 'accepted';
  } catch (error) {
    if (error instanceof TranslateError && error.message !== '') return 'refused';
    throw error;
  }
}
