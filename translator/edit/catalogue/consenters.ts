// Edits of consenters.

import { defineEdit, type Field } from './field.js';

const CONSENTER = {
  kind: 'text',
  argument: 'host:port',
  label: 'consenter',
  help: 'The address of the consenter.',
  offer: 'consenters',
} as const satisfies Field;

const ENDPOINT = {
  kind: 'text',
  flag: 'endpoint',
  isOptional: true,
  label: 'endpoint for clients, if it differs',
  hint: 'host:port',
  help: 'The address HOST:PORT for peers and clients, if it differs.',
} as const satisfies Field;

const TLS = {
  kind: 'file',
  flag: 'tls-cert',
  label: 'TLS certificate',
  hint: 'PEM',
  help: 'The TLS certificate of the consenter (PEM), as client and server.',
} as const satisfies Field;

const OTHER_CERTIFICATES = {
  serverTls: {
    kind: 'file',
    flag: 'server-tls-cert',
    isOptional: true,
    label: 'TLS server certificate, if it differs',
    hint: 'PEM',
    help: 'Its TLS server certificate (PEM), if it differs.',
  },
  identity: {
    kind: 'file',
    flag: 'identity',
    isOptional: true,
    label: 'signing certificate, with BFT',
    hint: 'PEM',
    help: 'Its signing certificate (PEM); only for BFT.',
  },
} as const satisfies Readonly<Record<string, Field>>;

/** In the order of the help. */
export const CONSENTER_EDITS = [
  defineEdit({
    name: 'consenter add',
    title: 'Add a consenter',
    help: 'Adds a consenter and its endpoint; with BFT, BlockValidation as well.',
    example: 'consenter add config_block.pb o4:7050 --tls-cert o4.pem -o u.pb',
    fields: {
      address: {
        kind: 'text',
        argument: 'host:port',
        label: 'address',
        hint: 'host:port for the other consenters',
        help: CONSENTER.help,
      },
      tls: TLS,
      ...OTHER_CERTIFICATES,
      organization: {
        kind: 'organization',
        flag: 'org',
        isOptional: true,
        sections: ['Orderer'],
        label: 'organisation',
        help: 'The organisation of the consenter, if the orderers have several.',
      },
      endpoint: ENDPOINT,
      id: {
        kind: 'number',
        flag: 'id',
        isOptional: true,
        max: 0xffff_ffff,
        label: 'id, with BFT; by default the next one',
        help: 'The id of a BFT consenter; by default the next one.',
      },
    },
    load: async () => {
      const { addConsenter } = await import('../consenters.js');
      return (config, { organization, ...consenter }) =>
        addConsenter(config, { ...consenter, organization: organization?.name });
    },
  }),
  defineEdit({
    name: 'consenter remove',
    title: 'Remove a consenter',
    help: 'Removes a consenter and its endpoint; with BFT, BlockValidation as well.',
    example: 'consenter remove config_block.pb o4:7050 -o u.pb',
    fields: { address: CONSENTER, endpoint: ENDPOINT },
    load: async () => {
      const { removeConsenter } = await import('../consenters.js');
      return (config, { address, endpoint }) => removeConsenter(config, address, endpoint);
    },
  }),
  defineEdit({
    name: 'consenter rotate',
    title: 'Replace certificates of a consenter',
    help: 'Replaces certificates of a consenter; with BFT, BlockValidation as well.',
    example: 'consenter rotate block.pb o1:7050 --tls-cert new.pem -o u.pb',
    fields: { address: CONSENTER, tls: { ...TLS, isOptional: true }, ...OTHER_CERTIFICATES },
    load: async () => {
      const { rotateConsenter } = await import('../consenters.js');
      return (config, { address, ...certificates }) => rotateConsenter(config, address, certificates);
    },
  }),
] as const;
