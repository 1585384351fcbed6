// Edits of organisations: the organisations, their MSPs, and the addresses of their peers and orderers.

import { defineEdit, GROUP_HELP, type Field } from './field.js';

const ORGANIZATION = {
  kind: 'organization',
  argument: 'org',
  sections: ['Application', 'Orderer'],
  label: 'organisation',
  help: 'The name of the group of the organisation, or its MSP id.',
} as const satisfies Field;

const MSP = {
  kind: 'msp',
  flag: 'msp',
  label: 'MSP folder',
  help: 'The MSP directory of the organisation, with cacerts, tlscacerts and config.yaml.',
  json: {
    flag: 'json',
    label: 'or the JSON of configtxgen -printOrg',
    help: "The organisation as JSON, the output of 'configtxgen -printOrg'.",
  },
} as const satisfies Field;

const ADDRESSES = {
  kind: 'list',
  argument: 'host:port',
  label: 'addresses',
  hint: 'host:port, one in each line',
  help: 'The addresses.',
} as const satisfies Field;

/** The three commands for anchor peers. */
const anchorPeers = <const Action extends 'set' | 'add' | 'remove'>(
  action: Action,
  title: string,
  help: string,
) =>
  defineEdit({
    name: `anchor-peers ${action}`,
    title,
    help,
    example: `anchor-peers ${action} config_block.pb Org1MSP peer0:7051 -o u.pb`,
    fields: { organization: { ...ORGANIZATION, sections: ['Application'] }, addresses: ADDRESSES },
    load: async () => {
      const { editAnchorPeers } = await import('../addresses.js');
      return (config, { organization, addresses }) =>
        editAnchorPeers(config, action, organization.name, addresses);
    },
  });

/** In the order of the help. */
export const ORGANIZATION_EDITS = [
  defineEdit({
    name: 'org add',
    title: 'Add an organisation',
    help: 'Adds an organisation.',
    example: 'org add config_block.pb --msp org3/msp --mspid Org3MSP -o u.pb',
    fields: {
      msp: {
        ...MSP,
        id: {
          flag: 'mspid',
          label: 'MSP id',
          hint: 'Org3MSP',
          help: 'The id of the MSP; required with --msp.',
        },
      },
      name: {
        kind: 'text',
        flag: 'name',
        isOptional: true,
        label: 'name, by default the MSP id',
        help: 'The name of the group; by default the MSP id.',
      },
      section: {
        kind: 'choice',
        flag: 'group',
        isOptional: true,
        choices: ['Application', 'Orderer'],
        label: 'group',
        help: GROUP_HELP,
      },
      endpoints: {
        kind: 'list',
        flag: 'endpoint',
        isOptional: true,
        label: 'endpoints of its orderers',
        hint: 'host:port, one in each line',
        help: 'The address HOST:PORT of an orderer of the organisation (may be repeated).',
      },
    },
    load: async () => {
      const { addOrganization, organizationOf } = await import('../org.js');
      return (config, { msp, name, section = 'Application', endpoints = [] }) =>
        addOrganization(config, { section, name, group: organizationOf(msp, section), endpoints });
    },
  }),
  defineEdit({
    name: 'org remove',
    title: 'Remove an organisation',
    help: 'Removes an organisation.',
    example: 'org remove config_block.pb Org3MSP -o u.pb',
    fields: { organization: ORGANIZATION },
    load: async () => {
      const { removeOrganization } = await import('../org.js');
      return (config, { organization: { name, section } }) => removeOrganization(config, name, section);
    },
  }),
  defineEdit({
    name: 'org set-msp',
    title: 'Replace the MSP of an organisation',
    help: 'Replaces the MSP of an organisation, for example with new CA certificates.',
    example: 'org set-msp config_block.pb Org1MSP --msp org1/msp -o u.pb',
    fields: { organization: ORGANIZATION, msp: MSP },
    load: async () => {
      const { organizationOf, setMsp } = await import('../org.js');
      return (config, { organization: { name, section }, msp }) => {
        const next = 'files' in msp ? msp : { group: organizationOf(msp, section ?? 'Application') };
        return setMsp(config, name, next, section);
      };
    },
  }),
  anchorPeers('set', 'Set anchor peers', 'Sets the anchor peers of an organisation.'),
  anchorPeers('add', 'Add anchor peers', 'Adds anchor peers to an organisation.'),
  anchorPeers('remove', 'Remove anchor peers', 'Removes anchor peers of an organisation.'),
  defineEdit({
    name: 'endpoints set',
    title: 'Set the endpoints of orderers',
    help: 'Sets the addresses of the orderers of an organisation.',
    example: 'endpoints set config_block.pb OrdererOrg o1:7050 o2:7050 -o u.pb',
    fields: { organization: { ...ORGANIZATION, sections: ['Orderer'] }, addresses: ADDRESSES },
    load: async () => {
      const { setEndpoints } = await import('../addresses.js');
      return (config, { organization, addresses }) => setEndpoints(config, organization.name, addresses);
    },
  }),
] as const;
