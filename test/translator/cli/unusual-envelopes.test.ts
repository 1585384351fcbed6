// Envelopes that no program writes but orderers accept: all commands read the same update from them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { messageKindOf, readEnvelope, readUpdateFile } from '../../../translator/channel/index.js';
import { certificateOf, IDENTITIES } from '../../helpers/channel-vectors.js';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { bytesOf, delimited } from '../../helpers/wire.js';

const { now, configs, cases } = readReviewCases();
const CASE = cases.find(({ note }) => note === 'just the right versions')!;
const PLAIN = bytesIn(CASE.envelope);
const { channel, update, submission, signatures } = readEnvelope(PLAIN);

const SIGNATURE = delimited(2, submission!.signature);
const CHANNEL = delimited(4, Buffer.from(channel!));
const HEADER = delimited(2, submission!.header);
const DATA = delimited(2, delimited(1, update.bytes), ...signatures.map(({ bytes }) => delimited(2, bytes)));
const TYPE = '0802';
const TIME = delimited(3, '08808080a80d');
const ENVELOPE = delimited(1, submission!.payload);
const payloadOf = (...channelHeader: readonly (string | Uint8Array)[]): Buffer =>
  bytesOf(delimited(1, delimited(1, ...channelHeader), HEADER), DATA);

/** Nested groups of the field 99. */
const GROUPS = bytesOf('9b06'.repeat(9000), '9c06'.repeat(9000));

const UNUSUAL: readonly (readonly [what: string, file: Buffer])[] = [
  ['an unknown field', bytesOf(ENVELOPE, SIGNATURE, delimited(3, Buffer.from('x')))],
  ['an unknown group', bytesOf(ENVELOPE, SIGNATURE, '4b08014c')],
  ['the highest field number', bytesOf(ENVELOPE, SIGNATURE, 'f8ffffff0f01')],
  [
    'a header in two parts',
    bytesOf(
      delimited(1, delimited(1, delimited(1, TYPE, TIME, CHANNEL)), delimited(1, HEADER), DATA),
      SIGNATURE,
    ),
  ],
  [
    'an unknown field in the payload',
    bytesOf(delimited(1, payloadOf(TYPE, TIME, CHANNEL), delimited(7, Buffer.from('abc'))), SIGNATURE),
  ],
  [
    'a second type that is no number',
    bytesOf(delimited(1, payloadOf(TYPE, delimited(1, '03'), TIME, CHANNEL)), SIGNATURE),
  ],
  ['9,000 nested groups', bytesOf(delimited(1, payloadOf(TYPE, CHANNEL, GROUPS)), SIGNATURE)],
];

for (const [what, file] of UNUSUAL) {
  test(`an envelope with ${what} is recognised as the update that it contains`, (t) => {
    t.deepEqual(messageKindOf(file), { type: 'common.Envelope' });
    const found = readUpdateFile(file);
    t.deepEqual([found.form, found.channel], ['envelope', channel]);
    t.deepEqual(Buffer.from(found.update.bytes), Buffer.from(update.bytes));
  });

  test(`show, review, verify, sign and merge take an envelope with ${what}`, async (t) => {
    const folder = temporaryFolder(t);
    const at = (name: string): string => join(folder, name);
    for (const name of ['signcerts', 'keystore']) mkdirSync(at(name));
    writeFileSync(at('signcerts/cert.pem'), certificateOf('Org1/admin'));
    writeFileSync(at('keystore/key'), IDENTITIES['Org1/admin']!.key);
    writeFileSync(at('update.pb'), file);
    writeFileSync(at('plain.pb'), PLAIN);
    writeFileSync(at('block.pb'), bytesIn(configs[CASE.config]!));
    const show = async (name: string): Promise<unknown> => runCommand(t, ['show', at(name), '--json']);
    const { stdout: shown } = await runCommand(t, ['show', at('update.pb')]);
    t.regex(shown, new RegExp(`^config update of channel ${channel}\n`));
    const review = ['--block', at('block.pb'), '--now', now];
    const { stdout, status } = await runCommand(t, ['review', at('update.pb'), ...review]);
    t.regex(stdout, /; the update fits this config; /);
    t.not(status, 1);
    t.is((await runCommand(t, ['verify', at('update.pb'), '--block', at('block.pb')])).status, 3);
    const sign = [
      'sign',
      at('update.pb'),
      '--msp',
      folder,
      '--mspid',
      'Org1MSP',
      '--quiet',
      '--unreviewed',
      '-o',
      at('signed.pb'),
    ];
    t.is((await runCommand(t, sign)).status, 0);
    t.is((await runCommand(t, ['merge', at('update.pb'), at('signed.pb'), '-o', at('merged.pb')])).status, 0);
    t.like(await show('merged.pb'), { status: 0 });
  });
}

for (const [what, file] of [
  ['an endorser transaction', bytesOf(delimited(1, payloadOf('0803', CHANNEL), '3801'), SIGNATURE)],
  ['no type', bytesOf(delimited(1, payloadOf(CHANNEL), '3801'), SIGNATURE)],
  ['no data', bytesOf(delimited(1, delimited(1, delimited(1, TYPE, CHANNEL)), '3801'), SIGNATURE)],
  ['more than 200,000 unknown fields', bytesOf(ENVELOPE, SIGNATURE, '3801'.repeat(200_001))],
] as const)
  test(`an envelope of an unusual form with ${what} is not recognised`, (t) => {
    t.is(messageKindOf(file), undefined);
  });
