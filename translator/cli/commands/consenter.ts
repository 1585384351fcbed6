// `consenter add`, `consenter remove` and `consenter rotate`.

import type { ConsenterCertificates } from '../../edit/consenter.js';
import { argument, flag, type Command, type Values } from '../command.js';
import { editCommand } from '../edit-command.js';
import { UsageError } from '../errors.js';
import { readOptional } from '../files.js';
import type { Process } from '../io.js';
import { inputPath, kind, text } from '../kinds.js';

const MAX_ID = 0xffff_ffff;

const consenterId = kind((given, name) => {
  const id = /^\d{1,10}$/.test(given) ? Number(given) : 0;
  if (id >= 1 && id <= MAX_ID) return id;
  throw new UsageError(`--${name} is ${JSON.stringify(given)}, expected a number of 1 to ${MAX_ID}`);
});

const CONSENTER = { 'host:port': argument(text, 'The address of the consenter.') };

const CERTIFICATES = {
  'tls-cert': flag(inputPath, 'The TLS certificate of the consenter (PEM), as client and server.'),
  'server-tls-cert': flag(inputPath, 'Its server certificate (PEM), if that is another one.'),
  identity: flag(inputPath, 'Its signing certificate (PEM); only for BFT.'),
};

const ENDPOINT = {
  endpoint: flag(text, 'The address HOST:PORT for peers and clients, if that is another one.'),
};

const certificatesOf = (values: Values<typeof CERTIFICATES>, process: Process): ConsenterCertificates => ({
  tls: readOptional(values['tls-cert'], process),
  serverTls: readOptional(values['server-tls-cert'], process),
  identity: readOptional(values.identity, process),
});

/** The commands for consenters. */
export const CONSENTER_COMMANDS: readonly Command[] = [
  editCommand({
    name: 'consenter add',
    help: 'Adds a consenter and its endpoint; with BFT, BlockValidation as well.',
    flags: {
      ...CERTIFICATES,
      org: flag(text, 'The organisation of the consenter, if the orderers have several.'),
      ...ENDPOINT,
      id: flag(consenterId, 'The id of a BFT consenter; the next one if it is not given.'),
    },
    arguments: CONSENTER,
    async edit({ 'host:port': address, org: organization, endpoint, id, ...values }, io) {
      const { addConsenter } = await import('../../edit/consenter.js');
      const consenter = { address, ...certificatesOf(values, io), organization, endpoint, id };
      if (consenter.tls === undefined) throw new UsageError('the TLS certificate is needed: --tls-cert FILE');
      return (config) => addConsenter(config, consenter);
    },
  }),
  editCommand({
    name: 'consenter remove',
    help: 'Removes a consenter and its endpoint; with BFT, BlockValidation as well.',
    flags: ENDPOINT,
    arguments: CONSENTER,
    async edit({ 'host:port': address, endpoint }) {
      const { removeConsenter } = await import('../../edit/consenter.js');
      return (config) => removeConsenter(config, address, endpoint);
    },
  }),
  editCommand({
    name: 'consenter rotate',
    help: 'Replaces certificates of a consenter; with BFT, BlockValidation as well.',
    flags: CERTIFICATES,
    arguments: CONSENTER,
    async edit({ 'host:port': address, ...values }, io) {
      const { rotateConsenter } = await import('../../edit/consenter.js');
      const certificates = certificatesOf(values, io);
      return (config) => rotateConsenter(config, address, certificates);
    },
  }),
];
