// Addresses of orderers and anchor peers, and the consenters.

import { readFileSync } from 'node:fs';
import { bftQuorum } from '../../../translator/channel/index.js';
import type { Random } from '../../fuzz/random.js';
import { NETS, type NetName, type Update } from '../case.js';
import { renewedIdentity, renewedTls } from './certificates.js';
import { application, element, orderer, organization, valueOf } from './parts.js';

/** An address where nobody listens. */
export const NOBODY = '127.0.0.1:9';

const ADDRESSES: readonly ((random: Random) => Update)[] = [
  () => ({
    text: 'Endpoints of OrdererOrg = 127.0.0.1:9 alone',
    edit: (channel) => (valueOf(organization(channel, 'OrdererOrg'), 'Endpoints').addresses = [NOBODY]),
  }),
  () => ({
    text: 'Endpoints of OrdererOrg with 127.0.0.1:9 first',
    edit: (channel) => valueOf(organization(channel, 'OrdererOrg'), 'Endpoints').addresses.unshift(NOBODY),
  }),
  () => ({
    text: 'Endpoints of OrdererOrg removed',
    edit: (channel) => delete organization(channel, 'OrdererOrg').values['Endpoints'],
  }),
  () => ({
    text: 'Endpoints of OrdererOrg removed, OrdererAddresses with the same addresses',
    edit: (channel) => {
      const { values } = organization(channel, 'OrdererOrg');
      channel.values['OrdererAddresses'] = element(values['Endpoints'].value);
      delete values['Endpoints'];
    },
  }),
  () => ({
    text: 'OrdererAddresses = 127.0.0.1:9',
    edit: (channel) => (channel.values['OrdererAddresses'] = element({ addresses: [NOBODY] })),
  }),
  (random) => {
    const name = random.pick(['Org1MSP', 'Org2MSP'] as const);
    return {
      text: `anchor peers of ${name} removed`,
      edit: (channel) => delete organization(channel, name).values['AnchorPeers'],
    };
  },
  () => ({
    text: 'all anchor peers removed',
    edit: (channel) => {
      for (const { values } of Object.values(application(channel).groups)) delete values['AnchorPeers'];
    },
  }),
];

/** A change of addresses. */
export const changeAddresses = (random: Random): Update => random.pick(ADDRESSES)(random);

// The consenters of both types in their JSON form.
// oxlint-disable-next-line typescript/no-explicit-any
export const consentersOf = (net: NetName, channel: Parameters<Update['edit']>[0]): any[] =>
  net === 'bft4'
    ? orderer(channel).values.Orderers.value.consenter_mapping
    : orderer(channel).values.ConsensusType.value.metadata.consenters;

const CONSENTERS: readonly ((random: Random, net: NetName) => Update)[] = [
  (random, net) => {
    const [one] = [random.below(NETS[net].orderers)];
    return {
      text: `consenter ${one + 1} has the port 9`,
      edit: (channel) => (consentersOf(net, channel)[one].port = 9),
    };
  },
  (_, net) => ({
    text: 'all consenters have the port 9',
    edit: (channel) => {
      for (const each of consentersOf(net, channel)) each.port = 9;
    },
  }),
  (_, net) => ({
    text: 'all consenters have the host localhost',
    edit: (channel) => {
      for (const each of consentersOf(net, channel)) each.host = 'localhost';
    },
  }),
  (random, net) => {
    const one = random.below(NETS[net].orderers);
    return {
      text: `TLS certificates of consenter ${one + 1} renewed with the same key`,
      edit: (channel, network) => {
        const certificate = renewedTls(network, one);
        Object.assign(consentersOf(net, channel)[one], {
          client_tls_cert: certificate,
          server_tls_cert: certificate,
        });
      },
    };
  },
  (random, net) => {
    const one = random.below(NETS[net].orderers);
    return {
      text: `consenter ${one + 1} has the TLS certificates of peer 1`,
      edit: (channel, network) => {
        const { cert } = network.peers[0].identity.tls;
        const certificate = readFileSync(cert, 'base64');
        Object.assign(consentersOf(net, channel)[one], {
          client_tls_cert: certificate,
          server_tls_cert: certificate,
        });
      },
    };
  },
];

/** Puts BlockValidation into the form that fits the consenters. */
export function fitBlockValidation(channel: Parameters<Update['edit']>[0]): void {
  const consenters = consentersOf('bft4', channel);
  const { value } = orderer(channel).policies['BlockValidation'].policy;
  value.identities = consenters.map(({ identity, msp_id }) => ({
    principal_classification: 'IDENTITY',
    principal: { id_bytes: identity, mspid: msp_id },
  }));
  value.rule.n_out_of = {
    n: bftQuorum(consenters.length).quorum,
    rules: consenters.map((_, signed_by) => ({ signed_by })),
  };
}

const BFT: readonly ((random: Random) => Update)[] = [
  (random) => {
    const [one, id] = [random.below(4), random.pick([0, 1, 9, 2 ** 32 - 1])];
    return {
      text: `BFT consenter ${one + 1} has the id ${id}`,
      edit: (channel) => (consentersOf('bft4', channel)[one].id = id),
    };
  },
  (random) => {
    const mspId = random.pick(['Org1MSP', 'NoMSP', '']);
    return {
      text: `BFT consenter 2 has the MSP id "${mspId}", with a BlockValidation that fits`,
      edit: (channel) => {
        consentersOf('bft4', channel)[1].msp_id = mspId;
        fitBlockValidation(channel);
      },
    };
  },
  (random) => {
    const count = random.pick([1, 2, 4]);
    return renewIdentities(count);
  },
];

/** Identities of BFT consenters renewed with the same keys. */
export const renewIdentities = (count: number): Update => ({
  text: `identities of ${count} BFT consenters renewed with the same keys, BlockValidation fits`,
  edit: (channel, network) => {
    for (const [index, each] of consentersOf('bft4', channel).slice(0, count).entries())
      each.identity = renewedIdentity(network, index);
    fitBlockValidation(channel);
  },
});

/** A change of the consenters. */
export const changeConsenters = (random: Random, net: NetName): Update =>
  random.pick([...CONSENTERS, ...(net === 'bft4' ? BFT : [])])(random, net);
