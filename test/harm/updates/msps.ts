// MSPs: CAs, NodeOUs, required units, revocation lists, admins.

import { readFileSync } from 'node:fs';
import type { ConfigGroupJson } from '../../e2e/fabric/channel-edits.js';
import { mspOf } from '../../e2e/fabric/harmful-updates.js';
import type { FabricNetwork } from '../../e2e/fabric/network.js';
import type { Random } from '../../fuzz/random.js';
import type { Update } from '../case.js';
import { certificateOf, type Begin, newCa, renewedRoot, revocationListOf } from './certificates.js';
import { application, orderer, organization, ORGANIZATIONS, type OrganizationName } from './parts.js';

// The JSON of an MSP.
// oxlint-disable-next-line typescript/no-explicit-any
type Msp = any;

type MspChange = (
  random: Random,
  name: OrganizationName,
) => readonly [text: string, edit: (msp: Msp, network: FabricNetwork) => void];

const UNITS = ['peer', 'client', 'admin', 'orderer'] as const;

const CHANGES: readonly MspChange[] = [
  (random) => {
    const begin = random.pick(['before', 'now'] as const);
    return [
      `a renewed root CA with the same key that begins ${begin} beside the old one`,
      (msp, network) => msp.root_certs.push(rootOf(msp, network, begin)),
    ];
  },
  (random) => {
    const begin = random.pick(['before', 'now'] as const);
    return [
      `the root CA renewed with the same key that begins ${begin} in place of the old one`,
      (msp, network) => replaceRoot(msp, rootOf(msp, network, begin)),
    ];
  },
  () => ['another root CA in place of the old one', (msp) => replaceRoot(msp, newCa('ca.other'))],
  () => ['another root CA beside the old one', (msp) => msp.root_certs.push(newCa('ca.other'))],
  () => ['another TLS CA in place of the old one', (msp) => (msp.tls_root_certs = [newCa('tlsca.other')])],
  () => ['another TLS CA beside the old one', (msp) => msp.tls_root_certs.push(newCa('tlsca.other'))],
  () => ['no TLS CA', (msp) => (msp.tls_root_certs = [])],
  (random) => {
    const unit = random.pick(UNITS);
    return [`no unit of ${unit}s`, (msp) => delete msp.fabric_node_ous[`${unit}_ou_identifier`]];
  },
  (random) => {
    const unit = random.pick(UNITS);
    return [
      `another unit of ${unit}s`,
      (msp) => (msp.fabric_node_ous[`${unit}_ou_identifier`].organizational_unit_identifier = 'other'),
    ];
  },
  () => [
    'units name no CA',
    (msp) => {
      for (const unit of UNITS) msp.fabric_node_ous[`${unit}_ou_identifier`].certificate = '';
    },
  ],
  () => ['NodeOUs are off', (msp) => (msp.fabric_node_ous.enable = false)],
  () => [
    'NodeOUs are off, and its admin is listed',
    (msp, network) => {
      msp.fabric_node_ous.enable = false;
      msp.admins = [readFileSync(certificateOf(network, organizationOf(msp), 'admin'), 'base64')];
    },
  ],
  (random) => {
    const unit = random.pick(['peer', 'admin', 'Finance'] as const);
    return [
      `the unit ${unit} is required`,
      (msp) =>
        (msp.organizational_unit_identifiers = [
          { certificate: msp.root_certs[0], organizational_unit_identifier: unit },
        ]),
    ];
  },
  (random) => {
    const who = random.pick(['admin', 'client', 'node'] as const);
    return [
      `revokes its ${who}`,
      (msp, network) => {
        const name = organizationOf(msp);
        // Orderer organisations have no client.
        const certificate = certificateOf(
          network,
          name,
          name === 'OrdererOrg' && who === 'client' ? 'admin' : who,
        );
        msp.revocation_list = [revocationListOf(network, name, [certificate], true)];
      },
    ];
  },
  () => [
    'an empty revocation list without authorityKeyIdentifier',
    (msp, network) => (msp.revocation_list = [revocationListOf(network, organizationOf(msp), [], false)]),
  ],
  () => [
    'an empty revocation list',
    (msp, network) => (msp.revocation_list = [revocationListOf(network, organizationOf(msp), [], true)]),
  ],
  () => ['the hash family SHA3', (msp) => (msp.crypto_config.signature_hash_family = 'SHA3')],
  () => [
    'the identifier hash SHA3_256',
    (msp) => (msp.crypto_config.identity_identifier_hash_function = 'SHA3_256'),
  ],
  () => [
    'its client is listed as an admin',
    (msp, network) => {
      const name = organizationOf(msp);
      msp.admins = [
        readFileSync(certificateOf(network, name, name === 'OrdererOrg' ? 'admin' : 'client'), 'base64'),
      ];
    },
  ],
];

const organizationOf = ({ name }: Msp): OrganizationName => (name === 'OrdererMSP' ? 'OrdererOrg' : name);
const rootOf = (msp: Msp, network: FabricNetwork, begin: Begin): string =>
  renewedRoot(network, organizationOf(msp), begin);

/** Also in the units, which name it. */
export function replaceRoot(msp: Msp, root: string): void {
  msp.root_certs = [root];
  for (const unit of UNITS) msp.fabric_node_ous[`${unit}_ou_identifier`].certificate = root;
}

/** A change of an MSP. */
export function changeMsp(random: Random): Update {
  const name = random.pick(ORGANIZATIONS);
  const [text, edit] = random.pick(CHANGES)(random, name);
  return {
    text: `MSP of ${name}: ${text}`,
    edit: (channel, network) => edit(mspOf(organization(channel, name)), network),
  };
}

/** An organisation leaves, is renamed, or gets a second group. */
export function changeMembers(random: Random): Update {
  const name = random.pick(['Org1MSP', 'Org2MSP'] as const);
  return random.pick<Update>([
    { text: `${name} leaves`, edit: (channel) => void delete groupsOf(application(channel))[name] },
    {
      text: `the group ${name} is renamed to Renamed`,
      edit: (channel) => {
        const groups = groupsOf(application(channel));
        groups.Renamed = groups[name]!;
        delete groups[name];
      },
    },
    {
      text: `${name} is an orderer organisation too`,
      edit: (channel) =>
        void (groupsOf(orderer(channel))[name] = withoutEndorsement(groupsOf(application(channel))[name]!)),
    },
  ]);
}

const groupsOf = (group: ConfigGroupJson): Record<string, ConfigGroupJson> => group.groups;

/** An application organisation as one of orderers. */
export const withoutEndorsement = ({
  groups,
  policies,
  values,
  ...rest
}: ConfigGroupJson): ConfigGroupJson => ({
  ...rest,
  groups,
  policies: { Readers: policies['Readers'], Writers: policies['Writers'], Admins: policies['Admins'] },
  values: { MSP: values['MSP'] },
});
