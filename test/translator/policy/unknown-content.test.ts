// Content of policies and values that no text shows.

import test from 'ava';
import { unknownContent, unknownMetadata, writeConfig } from '../../../translator/channel/index.js';
import { makeGroup, makeValue } from '../../../translator/channel/make.js';
import {
  parseImplicitMeta,
  parseSignaturePolicy,
  writeImplicitMeta,
  writeSignaturePolicy,
  type SignaturePolicy,
} from '../../../translator/policy/index.js';
import { unknownPolicyContent } from '../../../translator/policy/unknown-content.js';
import { bytesField, numberField } from '../../helpers/codec.js';

const concat = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);
const UNKNOWN = numberField(99, 1);
const META = writeImplicitMeta(parseImplicitMeta('ANY Admins'));
const SIGNED = parseSignaturePolicy("AND('A.admin', OR('B.member', 'C.peer'))");
const written = (changed: Partial<SignaturePolicy>): Uint8Array =>
  writeSignaturePolicy({ ...SIGNED, ...changed });
const [FIRST, ...OTHERS] = SIGNED.identities;

const NOT_NAMED = 'the policy has an identity that no rule names';
const POLICIES: readonly (readonly [
  what: string,
  type: number,
  value: Uint8Array,
  fault: string | undefined,
])[] = [
  ['an implicit meta policy', 3, META, undefined],
  [
    'an implicit meta policy with an unknown field',
    3,
    concat(META, UNKNOWN),
    'common.ImplicitMetaPolicy has an unknown field 99',
  ],
  ['a signature policy', 1, written({}), undefined],
  [
    'a signature policy with an unknown field',
    1,
    concat(written({}), UNKNOWN),
    'common.SignaturePolicyEnvelope has an unknown field 99',
  ],
  [
    'a signature policy with one more principal',
    1,
    written({ identities: [...SIGNED.identities, FIRST!] }),
    NOT_NAMED,
  ],
  ['a signature policy with principals and no rule', 1, written({ rule: undefined }), NOT_NAMED],
  [
    'a signature policy with a principal of an unknown classification',
    1,
    written({ identities: [{ ...FIRST!, bytes: numberField(1, 9) }, ...OTHERS] }),
    'the policy has an identity with content that is not understood',
  ],
  [
    'a signature policy of bytes that are no message',
    1,
    Uint8Array.of(255),
    'proto: cannot parse invalid wire-format data',
  ],
  ['a policy of another type', 2, Uint8Array.of(255), undefined],
];
for (const [what, type, value, fault] of POLICIES)
  test(`${what} has ${fault === undefined ? 'no content that is not shown' : `content that is not shown: ${fault}`}`, (t) => {
    t.is(unknownPolicyContent({ type, value }), fault);
  });

const consensus = (type: string, metadata: Uint8Array): Uint8Array =>
  concat(bytesField(1, type), bytesField(2, metadata));
const msp = (type: number, config: Uint8Array): Uint8Array =>
  concat(...(type === 0 ? [] : [numberField(1, type)]), bytesField(2, config));
const VALUES: readonly (readonly [
  what: string,
  names: readonly string[],
  value: Uint8Array,
  fault: string | undefined,
])[] = [
  ['a batch size', ['Orderer', 'BatchSize'], numberField(1, 10), undefined],
  [
    'a batch size with an unknown field',
    ['Orderer', 'BatchSize'],
    concat(numberField(1, 10), UNKNOWN),
    'orderer.BatchSize has an unknown field 99',
  ],
  ['an unknown value', ['Orderer', 'Other'], UNKNOWN, undefined],
  ['an MSP', ['Application', 'A', 'MSP'], msp(0, bytesField(1, 'A')), undefined],
  [
    'an MSP with an unknown field inside',
    ['Application', 'A', 'MSP'],
    msp(0, concat(bytesField(1, 'A'), UNKNOWN)),
    'msp.FabricMSPConfig has an unknown field 99',
  ],
  ['an MSP of another type', ['Application', 'A', 'MSP'], msp(1, UNKNOWN), undefined],
  [
    'Raft with an unknown field in its metadata',
    ['Orderer', 'ConsensusType'],
    consensus('etcdraft', UNKNOWN),
    'etcdraft.ConfigMetadata has an unknown field 99',
  ],
  [
    'BFT with an unknown field in its metadata',
    ['Orderer', 'ConsensusType'],
    consensus('BFT', UNKNOWN),
    'orderer.smartbft.Options has an unknown field 99',
  ],
  ['another consensus type', ['Orderer', 'ConsensusType'], consensus('solo', UNKNOWN), undefined],
];
for (const [what, names, value, fault] of VALUES)
  test(`${what} has ${fault === undefined ? 'nothing that programs skip' : `content that programs skip: ${fault}`}`, (t) => {
    t.is(unknownContent(names, value), fault);
  });

for (const [type, size, expected] of [
  ['kafka', 3, { type: 'kafka', size: 3 }],
  ['kafka', 0, undefined],
  ['etcdraft', 3, undefined],
  ['BFT', 3, undefined],
] as const)
  test(`the metadata of ${size} bytes of the consensus type ${type} are ${expected === undefined ? 'shown, or there are none' : 'not shown'}`, (t) => {
    const value = makeValue({ value: consensus(type, Buffer.alloc(size, 8)) });
    const orderer = makeGroup({ values: new Map([['ConsensusType', value]]) });
    const channelGroup = makeGroup({ groups: new Map([['Orderer', orderer]]) });
    t.deepEqual(unknownMetadata(writeConfig({ sequence: 1n, channelGroup })), expected);
  });

test('bytes that are no file of a channel have no metadata', (t) => {
  t.is(unknownMetadata(Uint8Array.of(255)), undefined);
});
