// A signature on an update is never valid for something else: the signed channel id is a valid channel name, and all content is
// known. With all functions and commands that sign or merge.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { CommonChannelHeader, CommonPayload } from '../../../proto/messages.js';
import { readMessage } from '../../../proto/typed.js';
import {
  readConfig,
  readUpdateFile,
  unsignedEnvelope,
  writeConfig,
} from '../../../translator/channel/index.js';
import type { UnreadFile } from '../../../translator/page/files.js';
import { PageModel } from '../../../translator/page/model.js';
import { review } from '../../../translator/review/index.js';
import {
  headerOf,
  mergeEnvelopes,
  readSigningIdentity,
  signAsSubmitter,
  signEnvelope,
} from '../../../translator/sign/index.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { certificateOf, IDENTITIES } from '../../helpers/channel-vectors.js';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { bytesOf, delimited, mapEntry } from '../../helpers/wire.js';

const NOW = new Date('2026-11-22T00:00:00Z');
const NAME = 'Org1/admin';
const signer = readSigningIdentity({
  mspid: 'Org1MSP',
  certificate: certificateOf(NAME),
  key: Buffer.from(IDENTITIES[NAME]!.key),
});

/** A `common.Header` of an endorser transaction; as UTF-8 it is the channel id of an update. */
const HEADER = bytesOf(
  delimited(1, '0803', delimited(4, Buffer.from('ch1'))),
  delimited(2, delimited(1, Buffer.from('victim'))),
).toString('latin1');

const updateOf = (channel: string, ...rest: readonly Uint8Array[]): Buffer =>
  bytesOf(
    channel === '' ? '' : delimited(1, Buffer.from(channel)),
    delimited(2, mapEntry(2, 'Application')),
    delimited(3, mapEntry(2, 'Application', '0801')),
    ...rest,
  );

const envelopeOf = (update: Uint8Array, channel: string): Uint8Array =>
  unsignedEnvelope({ channel, update, signatures: [] });

const NAMES =
  "Fabric allows 1 to 249 lower-case letters, digits, '.' and '-', with a letter at the beginning";

const REFUSED: readonly (readonly [what: string, update: Buffer, channel: string, error: string])[] = [
  [
    'whose channel id is a header',
    updateOf(HEADER),
    HEADER,
    `${JSON.stringify(HEADER)} is not a valid channel name: ${NAMES}`,
  ],
  ['without channel id in the envelope', updateOf('ch1'), '', 'it names no channel'],
  [
    'without channel id in the update',
    updateOf(''),
    'ch1',
    'the envelope is for the channel "ch1", its config update for the channel ""',
  ],
  [
    'of another channel',
    updateOf('other'),
    'ch1',
    'the envelope is for the channel "ch1", its config update for the channel "other"',
  ],
  [
    'with capital letters in the channel id',
    updateOf('Ch1'),
    'Ch1',
    `"Ch1" is not a valid channel name: ${NAMES}`,
  ],
  [
    'with a name of 250 characters',
    updateOf('a'.repeat(250)),
    'a'.repeat(250),
    `"${'a'.repeat(199)}… is not a valid channel name: ${NAMES}`,
  ],
  [
    'with isolated data',
    updateOf('ch1', mapEntry(5, 'pvt', Buffer.from('hidden'))),
    'ch1',
    'the config update is not understood: common.ConfigUpdate has isolated_data, which no tool shows',
  ],
];

test('a signature on an update with a header as channel id is also a signature on a transaction', async (t) => {
  const payload = concatBytes(headerOf(await signer), updateOf(HEADER));
  const { header, data } = readMessage(CommonPayload, payload);
  t.like(readMessage(CommonChannelHeader, header!.channelHeader), { type: 3, channelId: 'ch1' });
  t.true(data.length > 0);
});

for (const [what, update, channel, message] of REFUSED) {
  const envelope = envelopeOf(update, channel);
  test(`the library neither signs nor merges an update ${what}: ${message}`, async (t) => {
    const who = await signer;
    for (const call of [
      async () => signEnvelope(envelope, who, NOW),
      async () => signAsSubmitter(envelope, who, NOW),
      async () => mergeEnvelopes([envelope]),
    ])
      await t.throwsAsync(call, { message });
  });

  test(`the commands neither sign nor merge nor submit an update ${what}: ${message}`, async (t) => {
    const { at, run } = makeFiles(t);
    writeFileSync(at('update.pb'), envelope);
    mkdirSync(at('folder'));
    writeFileSync(at('folder/update.pb'), envelope);
    const signing = ['--msp', at('msp'), '--mspid', 'Org1MSP'];
    for (const [args, prefix, end] of [
      [['sign', at('update.pb'), ...signing], `${at('update.pb')}: `, ''],
      [
        ['sign', at('folder'), ...signing],
        `${at('folder/update.pb')}: `,
        `; no file of ${at('folder')} was signed`,
      ],
      [['submit', at('update.pb'), '--to', 'grpc://127.0.0.1:1/ch1'], `${at('update.pb')}: `, ''],
      [['merge', at('update.pb')], '', ` (input 1 is ${at('update.pb')})`],
    ] as const) {
      const { status, stdout, stderr } = await run(args);
      const expected = `configtxlator: error: ${prefix}${message}${end}\n`;
      t.deepEqual([args[0], status, stdout, stderr], [args[0], 1, '', expected]);
    }
    t.deepEqual(readFileSync(at('folder/update.pb')), Buffer.from(envelope));
  });
}

/** A folder with the MSP of an administrator and a config without a channel name. */
function makeFiles(t: ExecutionContext): {
  readonly at: (name: string) => string;
  readonly run: (args: readonly string[]) => ReturnType<typeof runCommand>;
} {
  const folder = temporaryFolder(t);
  const at = (name: string): string => join(folder, name);
  for (const name of ['msp/signcerts', 'msp/keystore']) mkdirSync(at(name), { recursive: true });
  writeFileSync(at('msp/signcerts/cert.pem'), certificateOf(NAME));
  writeFileSync(at('msp/keystore/key'), IDENTITIES[NAME]!.key);
  return { at, run: async (args) => runCommand(t, args) };
}

const CONFIG = readConfig(readChannelCases().configs.get('app3')!);

test('an edit of a channel with another name is not signed', async (t) => {
  const { at, run } = makeFiles(t);
  writeFileSync(at('config.pb'), writeConfig(CONFIG));
  const edit = ['acl', 'set', at('config.pb'), 'peer/Propose', '/Channel/Application/Writers'];
  const { status, stderr } = await run([...edit, '--channel_id', 'Ch1', '--sign', '--msp', at('msp')]);
  t.is(status, 1);
  t.true(stderr.endsWith(`\nconfigtxlator: error: "Ch1" is not a valid channel name: ${NAMES}\n`), stderr);
});

test('the page does not sign an update of a channel with another name', async (t) => {
  const model = new PageModel(() => NOW);
  const dropped = (path: string, bytes: Uint8Array): UnreadFile => ({
    path,
    read: async () => ({ path, bytes, size: bytes.length }),
  });
  const { setPolicy, unsignedUpdate } = await import('../../../translator/edit/index.js');
  const { config } = setPolicy(CONFIG, '/Channel/Application/Clerks', 'ANY Readers');
  await model.add([
    dropped('config.pb', writeConfig(CONFIG)),
    dropped('update.pb', unsignedUpdate(CONFIG, config, 'Ch1').bytes),
    dropped('me/signcerts/cert.pem', certificateOf(NAME)),
    dropped('me/keystore/key', Buffer.from(IDENTITIES[NAME]!.key)),
  ]);
  const [proposal] = model.found.proposals;
  const [person] = model.signers;
  if (person === undefined || 'error' in person) throw new Error('nobody can sign');
  await model.sign(proposal!, person.name);
  t.is(model.message, `"Ch1" is not a valid channel name: ${NAMES}`);
});

test('a review says that isolated data is not understood', async (t) => {
  const update = readUpdateFile(updateOf('ch1', mapEntry(5, 'pvt', Buffer.from('hidden'))));
  const { findings } = await review(update, { kind: 'config', form: 'config', config: CONFIG }, { now: NOW });
  t.like(
    findings.find(({ id }) => id === 'update-not-canonical'),
    {
      severity: 'refused',
      text: 'the update has content that is not understood: common.ConfigUpdate has isolated_data, which no tool shows; an orderer may accept it, but nobody should sign it',
    },
  );
});
