// How to renew certificates and revocation lists: the command, and further steps.

import { shellWord } from '../../core/common/text/shell-word.js';
import type { ExpiryPlace, Recipe } from './expiry.js';

const NEW_MSP = '--msp NEW_MSP_DIRECTORY -o update.pb';
const CA_ADVICE =
  'add the new CA certificate next to the old one in a copy of the MSP directory, without the lines Certificate of NodeOUs in its config.yaml, do the same in the MSP directories of nodes and people, renew all certificates that the old one has issued, and remove the old one in a second update';
const TLS_CA_ADVICE =
  'add the new CA certificate next to the old one in a copy of the MSP directory, renew all certificates that the old one has issued, and remove the old one in a second update';

/** Advice for each use in a channel config or a file of an MSP directory. */
const ADVICE: Readonly<Record<ExpiryPlace['use'], string>> = {
  'consenter-tls':
    'get a new TLS certificate, submit the update, and restart the orderer with the certificate before the next consenter is rotated',
  'consenter-client-tls':
    'get a new TLS certificate, submit the update, and restart the orderer with the certificate before the next consenter is rotated',
  'consenter-server-tls':
    'get a new TLS certificate, submit the update, and restart the orderer with the certificate before the next consenter is rotated',
  'consenter-identity':
    'enrol the orderer again, submit the update, and restart the orderer with the certificate before the next consenter is rotated',
  'orderer-identity':
    'enrol the orderer again, replace the certificate in signcerts of its MSP directory, and restart it; the config of the channel does not change',
  ca: CA_ADVICE,
  'intermediate-ca': CA_ADVICE,
  'tls-ca': TLS_CA_ADVICE,
  'tls-intermediate-ca': TLS_CA_ADVICE,
  admin: 'enrol the admin again, and replace the certificate in admincerts of a copy of the MSP directory',
  'signing-identity':
    'replace the MSP before: from then on orderers refuse all updates that keep it, and cannot start',
  'revocation-list':
    'get a new list from the CA, and replace the one in crls of a copy of the MSP directory; nodes keep using the old one',
  identity:
    'enrol again, replace the file, and restart the node; a BFT consenter is rotated in its channels as well',
  tls: 'get a new TLS certificate, replace the file, and restart the node; a consenter is rotated in its channels first',
  certificate: 'get a new certificate, and replace the file',
};

/** The flags of `consenter rotate`. */
const ROTATED: Readonly<Partial<Record<ExpiryPlace['use'], string>>> = {
  'consenter-tls': '--tls-cert NEW_TLS.pem',
  'consenter-client-tls': '--tls-cert NEW_TLS.pem --server-tls-cert SERVER_TLS.pem',
  'consenter-server-tls': '--server-tls-cert NEW_TLS.pem',
  'consenter-identity': '--identity NEW_SIGNCERT.pem',
};

/** The source for a command, with the channel if the source does not contain its name. */
const sourceOf = ({ source, channel }: ExpiryPlace): string =>
  `${shellWord(source)}${channel === undefined ? ' --channel_id CHANNEL' : ''}`;

/** The recipe for a consenter. @param place of the consenter */
export const consenterRecipe = (place: ExpiryPlace): Recipe => ({
  advice: ADVICE[place.use],
  command: `configtxlator consenter rotate ${sourceOf(place)} ${shellWord(place.consenter ?? '')} ${ROTATED[place.use] ?? ''} -o update.pb`,
});

/**
 * The recipe for an item in the MSP of an organisation.
 *
 * @param section the group of the organisation; undefined in a consortium, for which there is no command
 */
export const mspRecipe = (place: ExpiryPlace, section: 'Application' | 'Orderer' | undefined): Recipe => ({
  advice: ADVICE[place.use],
  command:
    section === undefined
      ? `configtxlator edit ${sourceOf(place)} --with EDITED_CONFIG -o update.pb`
      : `configtxlator org set-msp ${sourceOf(place)} ${shellWord(place.organization ?? '')} --group ${section.toLowerCase()} ${NEW_MSP}`,
});

/** The recipe for an item outside a channel config: a file, or the signature of a block. */
export function fileRecipe({ use }: Pick<ExpiryPlace, 'use'>): Recipe {
  const advice = ADVICE[use];
  if (use === 'orderer-identity' || use === 'certificate') return { advice };
  const command =
    use === 'tls'
      ? 'configtxlator consenter rotate CHANNEL HOST:PORT --tls-cert NEW_TLS.pem -o update.pb'
      : use === 'identity'
        ? 'configtxlator consenter rotate CHANNEL HOST:PORT --identity NEW_SIGNCERT.pem -o update.pb'
        : `configtxlator org set-msp CHANNEL ORG ${NEW_MSP}`;
  return { advice, command };
}
