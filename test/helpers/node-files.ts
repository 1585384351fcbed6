// The files of a peer and an orderer of test/vectors/node/public-cases, with certificates that are made here.

import { readFileSync } from 'node:fs';
import { type ExecutionContext } from 'ava';
import { stringify } from 'yaml';
import { temporaryFolder } from './folder.js';
import { freePorts } from './free-port.js';
import { makeCertificate } from './made-certificates.js';

const LONG = ['20200101000000Z', '20491231235959Z'] as const;
const ca = makeCertificate({ commonName: 'ca', validity: LONG });
const signing = (unit: string): ReturnType<typeof makeCertificate> =>
  makeCertificate({ commonName: unit, unit, validity: LONG, issuer: ca });
const certificates = { peer: signing('peer'), orderer: signing('orderer') };
const NODE_OUS = stringify({
  NodeOUs: Object.fromEntries([
    ['Enable', true],
    ...['Client', 'Peer', 'Admin', 'Orderer'].map((role) => [
      `${role}OUIdentifier`,
      { OrganizationalUnitIdentifier: role.toLowerCase() },
    ]),
  ]),
});

/**
 * Writes the files of a node, with ports that are free.
 *
 * @param file of test/vectors/node/public-cases
 * @param change changes the text of its file
 * @returns the directory
 */
export async function makeNodeFiles(
  t: ExecutionContext,
  kind: 'peer' | 'orderer',
  file: string,
  change = (text: string): string => text,
): Promise<string> {
  const ports = await freePorts(4);
  const text = readFileSync(`test/vectors/node/public-cases/${file}`, 'utf8')
    .replaceAll(/3330[1-3]/g, (port) => String(ports[Number(port) - 33_301]))
    .replace('ListenPort: 7050', `ListenPort: ${ports[3]}`);
  const { pem, key } = certificates[kind];
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }) as string;
  return temporaryFolder(t, {
    [`${kind === 'peer' ? 'core' : 'orderer'}.yaml`]: change(text),
    'env.json': readFileSync('test/vectors/node/public-cases/env.json', 'utf8'),
    'msp/cacerts/ca.pem': ca.pem.toString(),
    'msp/signcerts/cert.pem': pem.toString(),
    'msp/keystore/key.pem': privateKey,
    'msp/config.yaml': NODE_OUS,
    'tls/server.crt': pem.toString(),
    'tls/server.key': privateKey,
    'tls/ca.crt': ca.pem.toString(),
  });
}
