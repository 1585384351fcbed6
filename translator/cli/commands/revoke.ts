// `org revoke`: revokes certificates of an organisation.

import { argument, argumentList, flag } from '../command.js';
import { editCommand } from '../edit-command.js';
import { UsageError } from '../errors.js';
import { readInput } from '../files.js';
import { inputPath, text } from '../kinds.js';

/** The command. */
export const revoke = editCommand({
  name: 'org revoke',
  help: 'Revokes certificates of users or nodes of an organisation: adds a revocation list to its MSP. The list comes from the CA (--crl), or is made with the private key of the CA (--ca-key). TLS certificates cannot be revoked.',
  example: 'org revoke block.pb Org1MSP user.pem --crl crl.pem -o u.pb',
  flags: {
    crl: flag(
      inputPath,
      "The revocation list of the CA (PEM or DER), for example of 'fabric-ca-client gencrl'. It must contain all certificates that the CA has revoked.",
    ),
    'ca-key': flag(
      inputPath,
      'The private key (PEM) of the CA that issued the certificates. The new list also contains the certificates of its lists in the channel.',
    ),
  },
  arguments: {
    org: argument(text, 'The name of the group of the organisation, or its MSP id.'),
    certificate: argumentList(inputPath, 'The certificates to revoke (PEM).'),
  },
  async edit({ org, certificate: paths, crl, 'ca-key': key }, io) {
    const { revokeCertificates } = await import('../../edit/index.js');
    if ((crl === undefined) === (key === undefined))
      throw new UsageError('either --crl FILE or --ca-key FILE is needed');
    const files = paths.map((path) => ({ name: path, bytes: readInput(path, io) }));
    const by = key === undefined ? { list: readInput(crl!, io) } : { key: readInput(key, io) };
    return (config) => revokeCertificates(config, org, files, by, new Date());
  },
});
