// A channel of many organisations with real certificates, and an update of all their MSPs that many of them signed.

import { randomBytes, sign } from 'node:crypto';
import type { ConfigGroup } from '../../translator/channel/element.js';
import { makeGroup, makePolicy, makeValue } from '../../translator/channel/make.js';
import { writeConfig, writeUpdate } from '../../translator/channel/write.js';
import {
  parseSignaturePolicy,
  writeImplicitMeta,
  writeSignaturePolicy,
} from '../../translator/policy/index.js';
import { lowS, makeCertificate, type Made } from './made-certificates.js';
import { bytesOf, delimited, varint } from './wire.js';

/** The files of a review. */
export interface LargeChannel {
  /** A serialized `common.Config`. */
  readonly config: Uint8Array;
  /** A serialized `common.Envelope` with the update, signed by the admin of the first organisation as its submitter. */
  readonly envelope: Uint8Array;
}

const CHANNEL = 'large';
const CAPABILITY = 1;

/** @param organisations how many organisations the channel has; the update changes the MSPs of all */
export function largeChannel(organisations: number, signatures: number): LargeChannel {
  const cas = Array.from({ length: organisations }, (_, index) => ({
    name: `Org${index + 1}`,
    ca: makeCertificate({ commonName: `ca.org${index + 1}` }),
    tls: makeCertificate({ commonName: `tlsca.org${index + 1}` }),
  }));
  const groupsOf = (version: bigint, extra: string): ReadonlyMap<string, ConfigGroup> =>
    new Map(cas.map(({ name, ca, tls }) => [name, organisation(`${name}MSP`, ca, tls, version, extra)]));
  const application = groupsOf(0n, '');
  const config = writeConfig({ sequence: 5n, channelGroup: channel(application) });
  const empty = new Map(cas.map(({ name }) => [name, makeGroup({})]));
  const update = writeUpdate({
    channelId: CHANNEL,
    readSet: makeGroup({ groups: new Map([['Application', makeGroup({ groups: empty })]]) }),
    writeSet: makeGroup({
      groups: new Map([['Application', makeGroup({ groups: onlyMsps(groupsOf(1n, '4200')) })]]),
    }),
  });
  const signers = cas.slice(0, signatures).map(({ name, ca }, index) => {
    const person = makeCertificate({ commonName: `Admin@org${index + 1}`, unit: 'admin', issuer: ca });
    return { person, creator: bytesOf(delimited(1, Buffer.from(`${name}MSP`)), delimited(2, person.pem)) };
  });
  const signed = signers.map(({ person, creator }) => {
    const header = bytesOf(delimited(1, creator), delimited(2, randomBytes(24)));
    return delimited(2, delimited(1, header), delimited(2, signatureOf(person, header, update)));
  });
  const [first] = signers;
  const channelHeader = bytesOf('0802', delimited(4, Buffer.from(CHANNEL)));
  const header = delimited(1, delimited(1, channelHeader), delimited(2, delimited(1, first!.creator)));
  const payload = bytesOf(header, delimited(2, delimited(1, update), ...signed));
  return {
    config,
    envelope: bytesOf(delimited(1, payload), delimited(2, signatureOf(first!.person, payload))),
  };
}

const signatureOf = ({ key }: Made, ...parts: readonly Uint8Array[]): Buffer =>
  lowS(sign('sha256', Buffer.concat(parts), key));

const onlyMsps = (groups: ReadonlyMap<string, ConfigGroup>): ReadonlyMap<string, ConfigGroup> =>
  new Map([...groups].map(([name, { values }]) => [name, makeGroup({ values })]));

const meta = (rule: number, subPolicy: string) =>
  makePolicy({ modPolicy: 'Admins', policy: { type: 3, value: writeImplicitMeta({ rule, subPolicy }) } });
const META = new Map([
  ['Admins', meta(2, 'Admins')],
  ['Readers', meta(0, 'Readers')],
  ['Writers', meta(0, 'Writers')],
]);

function organisation(mspid: string, ca: Made, tls: Made, version: bigint, extra: string): ConfigGroup {
  const unit = (number: number, name: string): Buffer =>
    delimited(number, delimited(1, ca.pem), delimited(2, Buffer.from(name)));
  const units = delimited(
    11,
    '0801',
    unit(2, 'client'),
    unit(3, 'peer'),
    unit(4, 'admin'),
    unit(5, 'orderer'),
  );
  const msp = bytesOf(
    delimited(1, Buffer.from(mspid)),
    delimited(2, ca.pem),
    ...(extra === '' ? [] : [bytesOf(extra)]),
    unit(7, 'admin'),
    unit(7, 'member'),
    unit(7, 'client'),
    delimited(9, tls.pem),
    units,
  );
  const policy = (text: string) =>
    makePolicy({
      modPolicy: 'Admins',
      policy: { type: 1, value: writeSignaturePolicy(parseSignaturePolicy(text)) },
    });
  return makeGroup({
    modPolicy: 'Admins',
    values: new Map([
      ['MSP', makeValue({ version, modPolicy: '/Channel/Application/Admins', value: delimited(2, msp) })],
    ]),
    policies: new Map([
      ['Admins', policy(`OR('${mspid}.admin')`)],
      ['Readers', policy(`OR('${mspid}.member')`)],
      ['Writers', policy(`OR('${mspid}.member')`)],
    ]),
  });
}

const value = (...parts: readonly (string | Uint8Array)[]) =>
  makeValue({ modPolicy: 'Admins', value: bytesOf(...parts) });
const capability = (name: string) =>
  value(delimited(CAPABILITY, delimited(1, Buffer.from(name)), delimited(2)));

function channel(application: ReadonlyMap<string, ConfigGroup>): ConfigGroup {
  const ca = makeCertificate({ commonName: 'ca.orderer' });
  const tls = makeCertificate({ commonName: 'tlsca.orderer' });
  const nodes = [1, 2, 3].map((number) => {
    const { pem } = makeCertificate({ commonName: `orderer${number}`, issuer: tls });
    const place = bytesOf(delimited(1, Buffer.from(`orderer${number}`)), '10', varint(7050));
    return delimited(1, place, delimited(3, pem), delimited(4, pem));
  });
  const options = delimited(2, delimited(1, Buffer.from('500ms')), '100a', '1801', '2005', '2880808001');
  const orderer = makeGroup({
    modPolicy: 'Admins',
    groups: new Map([['OrdererOrg', organisation('OrdererMSP', ca, tls, 0n, '')]]),
    values: new Map([
      ['BatchSize', value('08', varint(10), '10', varint(20_000_000), '18', varint(500_000))],
      ['BatchTimeout', value(delimited(1, Buffer.from('2s')))],
      ['Capabilities', capability('V2_0')],
      ['ConsensusType', value(delimited(1, Buffer.from('etcdraft')), delimited(2, ...nodes, options))],
    ]),
    policies: new Map([...META, ['BlockValidation', meta(0, 'Writers')]]),
  });
  return makeGroup({
    modPolicy: 'Admins',
    groups: new Map([
      [
        'Application',
        makeGroup({
          modPolicy: 'Admins',
          groups: application,
          policies: META,
          values: new Map([['Capabilities', capability('V2_0')]]),
        }),
      ],
      ['Orderer', orderer],
    ]),
    values: new Map([
      ['HashingAlgorithm', value(delimited(1, Buffer.from('SHA256')))],
      ['BlockDataHashingStructure', value('08ffffffff0f')],
      ['OrdererAddresses', value(delimited(1, Buffer.from('orderer1:7050')))],
      ['Capabilities', capability('V2_0')],
    ]),
    policies: META,
  });
}
