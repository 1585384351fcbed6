// Two updates, one after the other, while all nodes run on as they are: each is small, and the second may complete a harm.

import { readFileSync } from 'node:fs';
import { mspOf } from '../../e2e/fabric/harmful-updates.js';
import type { FabricNetwork } from '../../e2e/fabric/network.js';
import type { Random } from '../../fuzz/random.js';
import { NETS, type NetName, type Update } from '../case.js';
import { consentersOf, fitBlockValidation, NOBODY } from './addresses.js';
import { certificateOf, newCa, renewedIdentity, renewedTls } from './certificates.js';
import { replaceRoot, withoutEndorsement } from './msps.js';
import {
  application,
  element,
  orderer,
  organization,
  ORGANIZATIONS,
  outOf,
  setPolicy,
  valueOf,
} from './parts.js';

type Sequence = (random: Random, net: NetName) => readonly Update[];
type Edit = Update['edit'];
type Channel = Parameters<Edit>[0];

/** A change of the consenter with a number, from 0. */
type ConsenterChange = (net: NetName, number: number) => Update;

/** Changes the consenter that an orderer of the network is. */
const inConsenter =
  (
    net: NetName,
    number: number,
    change: (consenter: Record<string, unknown>, network: FabricNetwork) => void,
  ): Edit =>
  (channel, network) => {
    change(consentersOf(net, channel)[indexOf(net, number, channel, network)], network);
    if (net === 'bft4') fitBlockValidation(channel);
  };

const indexOf = (net: NetName, number: number, channel: Channel, { orderers }: FabricNetwork): number =>
  consentersOf(net, channel).findIndex(({ host, port }) => `${host}:${port}` === orderers[number]!.address);

const withTls = (certificate: string) => ({ client_tls_cert: certificate, server_tls_cert: certificate });

const moved: ConsenterChange = (net, number) => ({
  text: `consenter ${number + 1} has the port 9`,
  edit: inConsenter(net, number, (consenter) => (consenter['port'] = 9)),
});

const withNewTls: ConsenterChange = (net, number) => ({
  text: `TLS certificates of consenter ${number + 1} with a new key`,
  edit: inConsenter(net, number, (consenter, network) =>
    Object.assign(consenter, withTls(renewedTls(network, number, 'new'))),
  ),
});

const withNewIdentity: ConsenterChange = (net, number) => ({
  text: `identity of consenter ${number + 1} with a new key`,
  edit: inConsenter(net, number, (consenter, network) =>
    Object.assign(consenter, { identity: renewedIdentity(network, number, 'new') }),
  ),
});

const removed: ConsenterChange = (net, number) => ({
  text: `consenter ${number + 1} removed`,
  edit: (channel, network) => {
    consentersOf(net, channel).splice(indexOf(net, number, channel, network), 1);
    if (net === 'bft4') fitBlockValidation(channel);
  },
});

const added: ConsenterChange = (net) => ({
  text: 'a further consenter that does not run',
  edit: (channel, network) => {
    const consenters = consentersOf(net, channel);
    consenters.push({
      host: '127.0.0.1',
      port: 9,
      ...withTls(renewedTls(network, 0, 'new')),
      ...(net === 'bft4' && {
        id: consenters.length + 1,
        msp_id: 'OrdererMSP',
        identity: renewedIdentity(network, 0, 'new'),
      }),
    });
    if (net === 'bft4') fitBlockValidation(channel);
  },
});

/** Two changes of two consenters. */
const changeTwoConsenters: Sequence = (random, net) => {
  const changes = [moved, moved, withNewTls, withNewTls, removed, added];
  const all = net === 'bft4' ? [...changes, withNewIdentity, withNewIdentity, withNewIdentity] : changes;
  const { orderers } = NETS[net];
  const one = random.below(orderers);
  const other = (one + 1 + random.below(Math.max(1, orderers - 1))) % orderers;
  const first = random.pick(all);
  // Two that are added have one address.
  const second = random.pick(first === added ? all.filter((each) => each !== added) : all);
  return [first(net, one), second(net, other)];
};

const addressesOf = (channel: Channel): { addresses: string[] } =>
  valueOf(organization(channel, 'OrdererOrg'), 'Endpoints');

/** Endpoints are added, then the ones of before are removed: what stays finds no orderer. */
const replaceEndpoints: Sequence = (random) => {
  const [what, change] = random.pick<readonly [string, (address: string) => string]>([
    ['grpcs://ADDRESS', (address) => `grpcs://${address}`],
    ['ADDRESS/', (address) => `${address}/`],
    ['a blank before ADDRESS', (address) => ` ${address}`],
    ['user@ADDRESS', (address) => `user@${address}`],
    ['ADDRESS without its port', (address) => address.replace(/:.*/, '')],
    [NOBODY, () => NOBODY],
  ]);
  return [
    {
      text: `Endpoints of OrdererOrg: ${what} is added`,
      edit: (channel) => {
        const { addresses } = addressesOf(channel);
        addresses.push(...new Set(addresses.map(change)));
      },
    },
    {
      text: 'Endpoints of OrdererOrg: those of before are removed',
      edit: (channel, { orderers }) => {
        const value = addressesOf(channel);
        value.addresses = value.addresses.filter((each) => orderers.every(({ address }) => address !== each));
      },
    },
  ];
};

/** Another organisation lists the addresses of the orderers, then theirs does not any more: its TLS CAs have not issued their certificates. */
const moveEndpoints: Sequence = () => [
  {
    text: 'Org2MSP is an orderer organisation too, and has the Endpoints of OrdererOrg',
    edit: (channel) => {
      const group = withoutEndorsement(application(channel).groups.Org2MSP!);
      const { Endpoints } = organization(channel, 'OrdererOrg').values;
      Object.assign(orderer(channel).groups, {
        Org2MSP: { ...group, values: { ...group.values, Endpoints } },
      });
    },
  },
  {
    text: 'Endpoints of OrdererOrg removed',
    edit: (channel) => delete organization(channel, 'OrdererOrg').values['Endpoints'],
  },
];

/** Peers ignore the addresses of the channel until there are no others. */
const hideEndpoints: Sequence = () => [
  {
    text: `OrdererAddresses = ${NOBODY}`,
    edit: (channel) => (channel.values['OrdererAddresses'] = element({ addresses: [NOBODY] })),
  },
  {
    text: 'Endpoints of OrdererOrg removed',
    edit: (channel) => delete organization(channel, 'OrdererOrg').values['Endpoints'],
  },
];

/** All peers use one orderer, which is then no consenter any more. */
const removeListedConsenter: Sequence = (random, net) => {
  const number = random.below(NETS[net].orderers);
  return [
    {
      text: `Endpoints of OrdererOrg = consenter ${number + 1} alone`,
      edit: (channel, { orderers }) => (addressesOf(channel).addresses = [orderers[number]!.address]),
    },
    random.pick([removed, moved])(net, number),
  ];
};

/** A CA is added, then the one of before is removed, which has issued all certificates. */
const replaceCa =
  (kind: 'tls_root_certs' | 'root_certs'): Sequence =>
  (random) => {
    const name = random.pick(ORGANIZATIONS);
    const ca = newCa('ca.next');
    return [
      {
        text: `MSP of ${name}: another of the ${kind} beside the old one`,
        edit: (channel) => mspOf(organization(channel, name))[kind].push(ca),
      },
      {
        text: `MSP of ${name}: the old one of the ${kind} removed`,
        edit: (channel) => {
          const msp = mspOf(organization(channel, name));
          if (kind === 'root_certs') replaceRoot(msp, ca);
          else msp[kind] = [ca];
        },
      },
    ];
  };

const removeAnchors: Sequence = (random) => {
  const names = random.pick([
    ['Org1MSP', 'Org2MSP'],
    ['Org2MSP', 'Org1MSP'],
  ] as const);
  return names.map((name) => ({
    text: `anchor peers of ${name} removed`,
    edit: (channel) => delete organization(channel, name).values['AnchorPeers'],
  }));
};

/** A policy that nobody satisfies is added, then something uses it. */
const useEmptyPolicy: Sequence = (random) => {
  const resource = random.pick(['event/FilteredBlock', '_lifecycle/CommitChaincodeDefinition'] as const);
  const name = random.pick(['Org1MSP', 'Org2MSP'] as const);
  const use: Update = random.pick<Update>([
    {
      text: `Application ACLs ${resource} = Empty`,
      edit: (channel) =>
        (valueOf(application(channel), 'ACLs').acls = {
          [resource]: { policy_ref: '/Channel/Application/Empty' },
        }),
    },
    {
      text: `${name} mod_policy = /Channel/Application/Empty`,
      edit: (channel) =>
        void Object.assign(organization(channel, name), { mod_policy: '/Channel/Application/Empty' }),
    },
    {
      text: 'the members of Application mod_policy = Empty',
      edit: (channel) => void Object.assign(application(channel), { mod_policy: 'Empty' }),
    },
  ]);
  return [
    {
      text: 'a new policy Application/Empty that nobody satisfies',
      edit: (channel) => setPolicy(application(channel), 'Empty', outOf(1, ['NoMSP.member'])),
    },
    use,
  ];
};

/** A policy needs another organisation, which leaves. */
const needLeaver: Sequence = (random) => {
  const policy = random.pick(['Endorsement', 'Admins', 'Writers', 'Readers'] as const);
  const role = policy === 'Endorsement' ? 'peer' : policy === 'Admins' ? 'admin' : 'member';
  return [
    {
      text: `Org1MSP ${policy} = OutOf(2, Org1MSP.${role}, Org2MSP.${role})`,
      edit: (channel) =>
        setPolicy(organization(channel, 'Org1MSP'), policy, outOf(2, [`Org1MSP.${role}`, `Org2MSP.${role}`])),
    },
    {
      text: 'Org2MSP leaves',
      edit: (channel) => void Reflect.deleteProperty(application(channel).groups, 'Org2MSP'),
    },
  ];
};

/** The admins of an organisation are listed, then its units do not name them any more. */
const listAdmins: Sequence = (random) => {
  const name = random.pick(['Org1MSP', 'Org2MSP'] as const);
  return [
    {
      text: `MSP of ${name}: its admin is listed`,
      edit: (channel, network) =>
        (mspOf(organization(channel, name)).admins = [
          readFileSync(certificateOf(network, name, 'admin'), 'base64'),
        ]),
    },
    {
      text: `MSP of ${name}: its units have no admins`,
      edit: (channel) => delete mspOf(organization(channel, name)).fabric_node_ous.admin_ou_identifier,
    },
  ];
};

const SEQUENCES: readonly (readonly [weight: number, make: Sequence])[] = [
  [10, changeTwoConsenters],
  [4, replaceEndpoints],
  [2, moveEndpoints],
  [1, hideEndpoints],
  [2, removeListedConsenter],
  [2, replaceCa('tls_root_certs')],
  [1, replaceCa('root_certs')],
  [1, removeAnchors],
  [2, useEmptyPolicy],
  [1, needLeaver],
  [1, listAdmins],
];

/** Two updates, one after the other. */
export function changeInSteps(random: Random, net: NetName): readonly Update[] {
  const all = SEQUENCES.flatMap(([weight, make]) => Array<Sequence>(weight).fill(make));
  return random.pick(all)(random, net);
}
