// Addresses of orderers and anchor peers: their form, and those that an update replaces.

import test from 'ava';
import {
  application,
  harmOf,
  inMsp,
  inValue,
  ordererOrg,
  org1,
  reviewOf,
  type Group,
} from '../../helpers/changed-config.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { serialize } from '../../fuzz/review/messages.js';

const addresses = (...list: readonly string[]): Buffer =>
  serialize('common.OrdererAddresses', { addresses: list });
const setEndpoints =
  (...list: readonly string[]) =>
  (channel: Group): void =>
    void (ordererOrg(channel).values.Endpoints = { value: addresses(...list), mod_policy: 'Admins' });
const setGlobal =
  (...list: readonly string[]) =>
  (channel: Group): void =>
    void (channel.values.OrdererAddresses = {
      value: addresses(...list),
      mod_policy: '/Channel/Orderer/Admins',
    });
const ofId = (found: readonly string[], id: string): string[] =>
  found.filter((text) => text.split(' ')[1] === `${id}:`);

for (const [address, isRight] of [
  ['o:1', true],
  ['[::1]:65535', true],
  ['o:0', false],
  ['o:65536', false],
  ['o:123456', false],
  ['o:x', false],
  ['o', false],
  [':7050', false],
  ['', false],
] as const)
  test(`the endpoint "${address}" is ${isRight ? 'host:port' : 'malformed'}, also as an address of the channel`, async (t) => {
    const text = `warning endpoint-malformed: the address ${JSON.stringify(address)} is not host:port: peers and clients cannot connect to it`;
    for (const change of [setEndpoints, setGlobal])
      t.deepEqual(
        ofId(await harmOf('app3', change('o1.ord.example.com:7050', address)), 'endpoint-malformed'),
        isRight ? [] : [text],
      );
  });

for (const [host, port, isRight] of [
  ['p', 1, true],
  ['p', 65_535, true],
  ['p', 0, false],
  ['p', -1, false],
  ['p', 65_536, false],
  ['', 7051, false],
] as const)
  test(`the anchor peer with the host "${host}" and the port ${port} is ${isRight ? 'complete' : 'incomplete'}`, async (t) => {
    const found = await harmOf('app3', (channel) =>
      inValue(org1(channel), 'AnchorPeers', 'protos.AnchorPeers', (message) => {
        message.anchor_peers = [{ host, port }];
      }),
    );
    t.deepEqual(
      ofId(found, 'anchor-peer-incomplete'),
      isRight
        ? []
        : [
            `warning anchor-peer-incomplete: the anchor peer "${host}:${port}" has no valid host and port: peers of other organisations cannot reach it`,
          ],
    );
  });

const noAnchors = (group: Group): void =>
  inValue(group, 'AnchorPeers', 'protos.AnchorPeers', (message) => (message.anchor_peers = []));

for (const [what, prepare, isFound] of [
  ['of three organisations', () => undefined, true],
  [
    'that is alone',
    (channel) => ['Org2', 'Org3'].map((name) => delete application(channel).groups[name]),
    false,
  ],
  ['with no anchor peer before', (channel) => noAnchors(org1(channel)), false],
] as const satisfies readonly (readonly [string, (channel: Group) => unknown, boolean])[])
  test(`an organisation ${what} has no anchor peer afterwards: ${isFound ? 'a warning' : 'nothing'}`, async (t) => {
    const found = await harmOf(
      'app3',
      (channel) => {
        noAnchors(org1(channel));
        org1(channel).values.AnchorPeers!.mod_policy = '/Channel/Application/Admins';
      },
      (channel) => void prepare(channel),
    );
    t.is(ofId(found, 'anchor-peers-removed').length, isFound ? 1 : 0);
  });

const REPLACED = {
  none: 'none of the current orderer addresses is kept: running peers stop at once unless orderers answer at the new addresses, and a peer that is offline meanwhile never finds the orderers again',
  hidden:
    'peers ignore OrdererAddresses as soon as an organisation has endpoints, and no endpoint is a current address: peers take no block any more',
  tls: 'peers verify an orderer with the TLS CAs of the organisation that lists its address, and no address is kept with a current TLS CA: peers take no block any more',
};
const noEndpoints = (channel: Group): void => void delete ordererOrg(channel).values.Endpoints;
const newTlsCa = (channel: Group): void =>
  inMsp(
    ordererOrg(channel),
    (msp) => void (msp.tls_root_certs = [makeCertificate({ commonName: 'tlsca.new' }).pem]),
  );

for (const [what, prepare, change, text] of [
  ['all endpoints are replaced', setEndpoints('a:1', 'b:1'), setEndpoints('c:1'), REPLACED.none],
  ['one endpoint stays', setEndpoints('a:1', 'b:1'), setEndpoints('b:1', 'c:1'), undefined],
  ['the endpoints get another TLS CA', setEndpoints('a:1'), newTlsCa, REPLACED.tls],
  [
    'an organisation gets endpoints beside addresses of the channel',
    (channel) => {
      noEndpoints(channel);
      setGlobal('a:1')(channel);
    },
    setEndpoints('c:1'),
    REPLACED.hidden,
  ],
  [
    'the addresses of the channel are also endpoints',
    (channel) => {
      noEndpoints(channel);
      setGlobal('a:1')(channel);
    },
    setEndpoints('a:1'),
    undefined,
  ],
  [
    'there was no address before',
    (channel) => {
      noEndpoints(channel);
      setGlobal()(channel);
    },
    setEndpoints('a:1'),
    undefined,
  ],
] as const satisfies readonly (readonly [
  string,
  (channel: Group) => void,
  (channel: Group) => void,
  string | undefined,
])[])
  test(`orderer addresses: ${what}: ${text ?? 'nothing'}`, async (t) => {
    const { findings } = await reviewOf('raft5', change, prepare);
    t.deepEqual(
      findings.flatMap(({ id, text: found }) => (id === 'orderer-addresses-replaced' ? [found] : [])),
      text === undefined ? [] : [text],
    );
  });
