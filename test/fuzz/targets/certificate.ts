// Certificates, revocation lists and MSPs: read, or refused with a TranslateError.

import { TranslateError } from '../../../proto/errors.js';
import { readMspConfig } from '../../../translator/msp/config.js';
import { describeCertificate } from '../../../translator/documents/index.js';
import { dependsOnGo } from '../../../translator/msp/certificate.js';
import {
  decodePem,
  readCertificate,
  readRevocationList,
  rulesOf,
  setupMsp,
  type Program,
} from '../../../translator/msp/index.js';
import { IDENTITIES, certificateOf, readVectors, type IdentityCases } from '../../helpers/channel-vectors.js';
import { parse, serialize, type Tree } from '../review/messages.js';
import type { Input, Outcome } from '../target.js';

/** Certificates and roots in DER, MSPs and a revocation list. */
export function certificateSamples(): readonly Input[] {
  const msps = readVectors<IdentityCases>('identity-cases').msps.map((each) => Buffer.from(each, 'base64'));
  const configs = msps.map(readMspConfig);
  const lists = configs.flatMap(({ revocationLists }) => revocationLists);
  const roots = new Map(configs.flatMap(({ roots: all }) => all.map((pem) => [String(pem), pem])));
  const derOf = (pem: Uint8Array): Uint8Array => decodePem(pem)?.bytes ?? pem;
  const ders = Object.keys(IDENTITIES).map((name) => derOf(certificateOf(name)));
  const sample =
    (type: string) =>
    (bytes: Uint8Array): Input => ({ target: 'certificate', type, bytes: Buffer.from(bytes) });
  return [
    ...ders.map(sample('certificate')),
    // As many as certificates: a change of most of their bytes is still a CA.
    ...ders.map((_, index) => sample('root')(derOf([...roots.values()][index % roots.size]!))),
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

/** The recorded MSP, with NodeOUs, as a tree. */
const MSP = parse(
  'msp.FabricMSPConfig',
  Buffer.from(readVectors<IdentityCases>('identity-cases').msps[0]!, 'base64'),
);

/** A recorded MSP with another root: a FabricMSPConfig. */
function mspWithRoot(certificate: Uint8Array): Uint8Array {
  const base64 = Buffer.from(certificate).toString('base64');
  const pem = Buffer.from(`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`);
  const others = { intermediate_certs: [], admins: [], tls_root_certs: [], revocation_list: [] };
  const units = Object.entries(MSP.fabric_node_ous as Tree).map(([key, unit]) => [
    key,
    typeof unit === 'object' ? { ...unit, certificate: undefined } : unit,
  ]);
  const fabric_node_ous = Object.fromEntries(units) as Tree;
  return serialize('msp.FabricMSPConfig', { ...MSP, ...others, fabric_node_ous, root_certs: [pem] });
}

/** @throws any error that is not a proper refusal */
export async function runCertificate({ type, bytes }: Input): Promise<Outcome> {
  try {
    if (type === 'msp') {
      return (await isSetUp(bytes)) ? 'accepted' : 'refused';
    }
    // A root is not verified by its signature: a changed one is judged by all other rules.
    if (type === 'root') return (await isSetUp(mspWithRoot(bytes))) ? 'accepted' : 'refused';
    if (type === 'list') readRevocationList(bytes);
    else describeCertificate(readCertificate(bytes));
    return 'accepted';
  } catch (error) {
    if (error instanceof TranslateError && error.message !== '') return 'refused';
    throw error;
  }
}
