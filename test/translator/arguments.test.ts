// The functions of the library with arguments of wrong types, as programs in JavaScript can pass them: an error with a code that names the
// argument, never a TypeError from inside.

import test from 'ava';
import { TranslateError } from 'fabric-ops-agent/translator';
import * as channel from 'fabric-ops-agent/translator/channel';
import * as describe from 'fabric-ops-agent/translator/describe';
import * as edit from 'fabric-ops-agent/translator/edit';
import * as json from 'fabric-ops-agent/translator/json';
import * as msp from 'fabric-ops-agent/translator/msp';
import * as node from 'fabric-ops-agent/translator/node';
import * as orderer from 'fabric-ops-agent/translator/orderer';
import * as policy from 'fabric-ops-agent/translator/policy';
import * as review from 'fabric-ops-agent/translator/review';
import { IDENTITIES, certificateOf } from '../helpers/channel-vectors.js';
import { largeChannel } from '../helpers/large-channel.js';

const CHANNEL = largeChannel(3, 7);
const BLOCK = channel.readConfigFile(CHANNEL.config);
const UPDATE = channel.readUpdateFile(CHANNEL.envelope);
const { config: CONFIG } = BLOCK;
const NOW = new Date('2026-11-22T00:00:00Z');
const CERTIFICATE = certificateOf('Org1/admin');
const KEY = Buffer.from(IDENTITIES['Org1/admin']!.key);
const FILES = { mspid: 'Org1MSP', certificate: CERTIFICATE };
const EDITED = edit.setByPath(CONFIG, 'orderer.batchTimeout', '3s').config;
const POLICIES = policy.createPolicies(CONFIG.channelGroup);

/** An argument that may be missing, with a value of its type. */
interface Maybe {
  readonly optional: unknown;
}
const maybe = (optional: unknown): Maybe => ({ optional });
const OPTIONS = maybe({ signal: new AbortController().signal });
const ALLOWED = maybe(new Set(['orderers-behind']));

type Arguments = readonly unknown[];

type Calls = Readonly<Record<string, readonly (readonly [name: string, call: unknown, args: Arguments])[]>>;

/** Functions by subpath, with arguments of the right types. */
async function callsWithArguments(): Promise<Calls> {
  const SIGNER = await channel.readSigningIdentity({ ...FILES, key: KEY });
  const REVIEW = await review.review(UPDATE, BLOCK, { now: NOW });
  const CHECK = await review.checkConfig(BLOCK, { now: NOW });
  const SUMMARY = await describe.summariseChannel(BLOCK);
  const POWERS = await describe.powersOf(BLOCK);
  const IDENTITY_REPORT = await describe.explainIdentities(describe.readIdentities(CHANNEL.envelope), BLOCK);
  const REPORT = describe.expiryReport(await describe.certificatesInChannel(BLOCK, 'block.pb'));
  const STATUS = edit.migrationStatus(CONFIG, [], 'mychannel', 1n);
  const ENTRY = await describe.logEntry(CHANNEL.config, undefined);
  return {
    json: [
      ['decode', json.decode, ['common.Config', CHANNEL.config, maybe({ maxOutput: 10_000_000 })]],
      ['encode', json.encode, ['common.LastConfig', '{"index":"7"}', maybe({ maxOutput: 1000 })]],
    ],
    channel: [
      ['readChannelFile', channel.readChannelFile, [CHANNEL.config, maybe(json.encode)]],
      ['readConfigFile', channel.readConfigFile, [CHANNEL.config, maybe(json.encode)]],
      ['readUpdateFile', channel.readUpdateFile, [CHANNEL.envelope, maybe(json.encode)]],
      ['channelOf', channel.channelOf, [CONFIG]],
      ['writeConfig', channel.writeConfig, [CONFIG]],
      ['applyUpdate', channel.applyUpdate, [CONFIG, UPDATE.update, maybe('mychannel')]],
      ['verifyUpdate', channel.verifyUpdate, [UPDATE.update, CONFIG]],
      ['fingerprintOf', channel.fingerprintOf, [UPDATE.update.bytes]],
      ['readSigner', channel.readSigner, [FILES]],
      ['readSigningIdentity', channel.readSigningIdentity, [{ ...FILES, key: KEY }]],
      ['findSigningIdentity', channel.findSigningIdentity, [{ ...FILES, keys: [{ path: 'a', bytes: KEY }] }]],
      ['readPkcs12', channel.readPkcs12, [KEY, 'password']],
      ['signEnvelope', channel.signEnvelope, [CHANNEL.envelope, SIGNER, maybe(NOW)]],
      ['signAsSubmitter', channel.signAsSubmitter, [CHANNEL.envelope, SIGNER, maybe(NOW)]],
      ['messageToSign', channel.messageToSign, [CHANNEL.envelope, SIGNER]],
      ['addSignature', channel.addSignature, [CHANNEL.envelope, SIGNER, KEY]],
      ['mergeEnvelopes', channel.mergeEnvelopes, [[CHANNEL.envelope]]],
    ],
    edit: [
      ['applyEdit', edit.applyEdit, [CONFIG, 'acl remove', { resource: 'peer/Propose' }]],
      ['setByPath', edit.setByPath, [CONFIG, 'orderer.batchTimeout', '3s']],
      ['replaceConfig', edit.replaceConfig, [CONFIG, EDITED]],
      [
        'revokeCertificates',
        edit.revokeCertificates,
        [CONFIG, 'Org1', [{ name: 'a.pem', bytes: CERTIFICATE }], { list: KEY }, maybe(NOW)],
      ],
      [
        'mspFilesOf',
        edit.mspFilesOf,
        [{ path: 'msp', config: undefined, filesIn: () => [], file: () => undefined }],
      ],
      ['unsignedUpdate', edit.unsignedUpdate, [CONFIG, EDITED, 'mychannel']],
      ['applyUnsigned', edit.applyUnsigned, [CONFIG, UPDATE, 'mychannel']],
      ['computeUpdate', edit.computeUpdate, [CHANNEL.config, CHANNEL.config, 'mychannel', maybe(() => 1)]],
      ['fitsConfig', edit.fitsConfig, [UPDATE.update, CONFIG]],
      ['rebaseUpdate', edit.rebaseUpdate, [UPDATE.update, CONFIG, EDITED]],
      [
        'planBft',
        edit.planBft,
        [CONFIG, [{ consenter: 'a:7050', certificate: CERTIFICATE }], 'mychannel', maybe(NOW)],
      ],
      ['migrationStatus', edit.migrationStatus, [CONFIG, [{ address: 'a:7050' }], 'mychannel', 1n]],
      ['migrationDocument', edit.migrationDocument, [STATUS]],
    ],
    review: [
      ['review', review.review, [UPDATE, BLOCK, OPTIONS]],
      ['reviewDocument', review.reviewDocument, [REVIEW, ALLOWED]],
      ['reviewProposals', review.reviewProposals, [[{ name: 'a', bytes: CHANNEL.envelope }], BLOCK, OPTIONS]],
      ['proposalsDocuments', review.proposalsDocuments, [{ proposals: [], conflicts: [] }, ALLOWED]],
      ['checkConfig', review.checkConfig, [BLOCK, OPTIONS]],
      ['checkDocument', review.checkDocument, [CHECK, ALLOWED]],
      ['verdictOf', review.verdictOf, [REVIEW, ALLOWED]],
      ['headlineOf', review.headlineOf, [REVIEW, ALLOWED]],
      ['summaryOf', review.summaryOf, [REVIEW, ALLOWED]],
      ['signatureCounts', review.signatureCounts, [UPDATE, BLOCK, SIGNER, OPTIONS]],
      ['signatureOrderFor', review.signatureOrderFor, [BLOCK, OPTIONS]],
      ['documentText', review.documentText, [{ title: 'a', blocks: [], sections: [] }]],
      ['documentsText', review.documentsText, [[{ title: 'a' }]]],
      ['documentsMarkdown', review.documentsMarkdown, ['title', [{ title: 'a' }]]],
    ],
    describe: [
      ['summariseChannel', describe.summariseChannel, [BLOCK, OPTIONS]],
      ['channelDocument', describe.channelDocument, [SUMMARY, maybe(NOW)]],
      ['summariseUpdate', describe.summariseUpdate, [UPDATE, maybe(NOW)]],
      ['updateDocument', describe.updateDocument, [describe.summariseUpdate(UPDATE), maybe(NOW)]],
      ['logEntry', describe.logEntry, [CHANNEL.config, maybe(CHANNEL.config)]],
      ['logDocument', describe.logDocument, [ENTRY]],
      ['changeTexts', describe.changeTexts, [ENTRY]],
      ['signerText', describe.signerText, [{ mspid: 'Org1MSP', certificate: {} }]],
      ['describeDifference', describe.describeDifference, [CONFIG, EDITED, OPTIONS]],
      ['differenceDocument', describe.differenceDocument, [[{ element: '/Channel', words: ['a'] }]]],
      ['powersOf', describe.powersOf, [BLOCK, maybe(UPDATE), OPTIONS]],
      ['powersDocument', describe.powersDocument, [POWERS]],
      ['powersDifferenceDocument', describe.powersDifferenceDocument, [POWERS.services, POWERS.services]],
      ['controlDiff', describe.controlDiff, [POWERS.control, POWERS.control]],
      ['readIdentities', describe.readIdentities, [CHANNEL.envelope]],
      [
        'explainIdentities',
        describe.explainIdentities,
        [describe.readIdentities(CHANNEL.envelope), BLOCK, OPTIONS],
      ],
      ['identityDocument', describe.identityDocument, [IDENTITY_REPORT]],
      ['certificatesInChannel', describe.certificatesInChannel, [BLOCK, 'block.pb', OPTIONS]],
      ['certificatesInFile', describe.certificatesInFile, [CERTIFICATE, 'a.pem']],
      ['expiryReport', describe.expiryReport, [[{ source: 'a', until: '2026-01-01' }], maybe({ now: NOW })]],
      ['expiryDocument', describe.expiryDocument, [REPORT]],
    ],
    policy: [
      ['createPolicies', policy.createPolicies, [CONFIG.channelGroup]],
      ['findPolicy', policy.findPolicy, [POLICIES.root, 'Admins']],
      ['parseSignaturePolicy', policy.parseSignaturePolicy, ["OR('Org1MSP.admin')"]],
    ],
    msp: [
      ['setupChannelMsps', msp.setupChannelMsps, [CONFIG]],
      ['setupMsp', msp.setupMsp, [KEY]],
      ['mspVersionOf', msp.mspVersionOf, [['V2_0']]],
      ['verifySignature', msp.verifySignature, [{ certificate: {} }, KEY, KEY]],
      ['channelCertificates', msp.channelCertificates, [CONFIG]],
      ['readCertificate', msp.readCertificate, [CERTIFICATE]],
      ['readPemCertificate', msp.readPemCertificate, [CERTIFICATE]],
      ['rulesOf', msp.rulesOf, [['3.1.5']]],
    ],
    node: [
      ['Ledger.open', (path: never) => node.Ledger.open(path), ['ledger']],
      ['LedgerFollower', (path: never) => new node.LedgerFollower(path), ['ledger']],
      ['channelFoldersOf', node.channelFoldersOf, ['ledgers']],
      ['blockBytes', node.blockBytes, [{ number: 1n, data: [], metadata: [] }]],
      ['readMspFolder', node.readMspFolder, ['msp']],
      ['readSignerFiles', node.readSignerFiles, ['msp']],
    ],
    orderer: [
      [
        'Network.connect',
        async (options: never) => orderer.Network.connect(options),
        [{ channel: 'mychannel', orderers: ['a:7050'], signer: SIGNER }],
      ],
      ['openOrderer', orderer.openOrderer, [{ address: 'a:7050', cas: undefined, timeout: 1000 }]],
      ['trustedBlock', orderer.trustedBlock, [CHANNEL.config, 'mychannel']],
      ['orderersOf', orderer.orderersOf, [CONFIG]],
      ['consenterAt', orderer.consenterAt, [[{ host: 'a', port: 7050 }], 'a:7050']],
    ],
  };
}

/** They take results of other functions, or have no argument. */
const NOT_CALLED: readonly string[] = [
  'EDITS',
  'Evaluation',
  'MspCache',
  'SignerList',
  'addressText',
  'consentersOf',
  'describeNeed',
  'describePolicy',
  'describeSet',
  'findMissing',
  'heightAt',
  'isExpressible',
  'isSatisfiable',
  'judge',
  'messageNames',
  'minimalSignerSets',
  'needOf',
  'printSignaturePolicy',
];

const WRONG: readonly unknown[] = [null, 5, true, 'text', [5], new Map(), Symbol('a')];

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

/** Calls with one argument, or one member of one, of a wrong type: a description and the arguments. */
function* wrongCalls(args: Arguments): Generator<readonly [what: string, args: Arguments]> {
  const right = args.map((each) => (isMaybe(each) ? each.optional : each));
  for (const [index, each] of args.entries()) {
    const value = right[index];
    const wrong = [...WRONG, ...(isMaybe(each) ? [] : [undefined])];
    for (const other of wrong)
      if (
        kindOf(other) !== kindOf(value) ||
        value instanceof Uint8Array ||
        value instanceof Date ||
        other === null
      )
        yield [`argument ${index} is ${shown(other)}`, right.with(index, other)];
    if (
      isMaybe(each) &&
      kindOf(value) === 'object' &&
      !(value instanceof Date) &&
      !(value instanceof Set) &&
      !isResult(value)
    )
      yield [
        `argument ${index} has an unknown member`,
        right.with(index, { ...(value as object), unknown: 1 }),
      ];
  }
}

const isMaybe = (value: unknown): value is Maybe =>
  typeof value === 'object' && value !== null && 'optional' in value;
const isResult = (value: unknown): boolean => value === UPDATE || value instanceof Uint8Array;
const shown = (value: unknown): string =>
  typeof value === 'symbol' || value instanceof Map
    ? value.constructor.name
    : (JSON.stringify(value) ?? 'undefined');

const CODES: ReadonlySet<string> = new Set(['BAD_ARGUMENT', 'BAD_EDIT', 'BAD_VERSION']);

for (const module of ['json', 'channel', 'edit', 'review', 'describe', 'policy', 'msp', 'orderer', 'node'])
  test(`the functions of ${module} refuse arguments of wrong types with an error that names them`, async (t) => {
    const calls = (await callsWithArguments())[module] ?? [];
    t.true(calls.length > 0);
    for (const [name, call, args] of calls)
      for (const [what, wrong] of wrongCalls(args)) {
        let found: unknown = 'no error';
        try {
          await (call as (...values: Arguments) => unknown)(...wrong);
        } catch (error) {
          found = error;
        }
        t.true(
          found instanceof TranslateError && CODES.has(found.code),
          `${name}, ${what}: ${found instanceof TranslateError ? `${found.code} ${found.message}` : String(found)}`,
        );
      }
  });

test('every function of the library is called with wrong types, or takes results of others', async (t) => {
  const modules = { channel, describe, edit, json, msp, node, orderer, policy, review };
  const called = new Set(
    Object.values(await callsWithArguments()).flatMap((calls) => calls.map(([name]) => name.split('.')[0]!)),
  );
  const all = Object.values(modules).flatMap((module) => Object.keys(module));
  t.deepEqual(
    [...new Set(all)].filter((name) => name !== 'TranslateError' && !called.has(name)).toSorted(),
    NOT_CALLED,
  );
});

for (const [what, call, message] of [
  [
    'the path of a file in place of its bytes',
    () => channel.readConfigFile('config_block.pb' as never),
    'file must be a Uint8Array, found string',
  ],
  [
    'the bytes of a block in place of its config',
    () => review.review(UPDATE, CHANNEL.config as never),
    'block must be a result of readConfigFile, found Uint8Array',
  ],
  [
    'a misspelled option',
    () => review.checkConfig(BLOCK, { Now: NOW } as never),
    'options.Now is unknown; did you mean now?',
  ],
] as const)
  test(`${what} is a bad argument`, async (t) => {
    await t.throwsAsync(async () => call(), { instanceOf: TranslateError, code: 'BAD_ARGUMENT', message });
  });
