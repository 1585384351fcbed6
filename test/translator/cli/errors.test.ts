// The errors of the commands, with Fabric's texts.

import { writeFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { encode } from '../../../proto/index.js';
import { CommonChannelHeader } from '../../../proto/messages.js';
import { writeMessage } from '../../../proto/typed.js';
import type { Io } from '../../../translator/cli/io.js';
import { run } from '../../../translator/cli/run.js';
import { PLAIN } from '../../../translator/documents/text.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';

const TYPE = ['--type', 'common.LastConfig'];
const BAD_BYTES = 'proto: cannot parse invalid wire-format data';
/** The channel header at a time in the year 10000, which has no text form. */
const LATE = writeMessage(CommonChannelHeader, { timestamp: { seconds: 253_402_300_800n } });
const TRANSLATIONS: readonly (readonly [readonly string[], string | Uint8Array, string])[] = [
  [['proto_decode', '--type=test.Nope'], '', 'error encode input: proto: not found'],
  [['proto_encode', '--type=test.Nope'], '', 'error encode input: proto: not found'],
  [
    ['proto_encode', '--type=common.HeaderType'],
    '',
    'error encode input: proto: found wrong type: got enum, want message',
  ],
  [['proto_decode', ...TYPE], Uint8Array.of(0xff), `error unmarshalling: ${BAD_BYTES}`],
  [
    ['proto_decode', '--type=common.ChannelHeader'],
    LATE,
    'error encoding output: *commonext.ChannelHeader: proto: google.protobuf.Timestamp: seconds out of range 253402300800',
  ],
  [
    ['proto_encode', ...TYPE],
    'x',
    "error decoding input: error unmarshaling intermediate JSON: invalid character 'x' looking for beginning of value (the document is not JSON)",
  ],
  [
    ['proto_encode', ...TYPE],
    '{"index":"x"}',
    'error decoding input: *common.LastConfig: proto: invalid value for uint64 type: "x" (at index)',
  ],
  [['proto_encode', ...TYPE, '--input', '/'], '', 'error decoding input: read /: it is a directory'],
  [['proto_decode', ...TYPE, '--input', '/'], '', 'error reading input: read /: it is a directory'],
  [
    ['proto_encode', ...TYPE, '--output', '/dev/full'],
    '{"index":"7"}',
    'error writing output: write /dev/full: no space left on device',
  ],
  [
    ['proto_decode', ...TYPE, '--output', '/dev/full'],
    '\b\u0007',
    'error encoding output: write /dev/full: no space left on device',
  ],
];
for (const [args, input, message] of TRANSLATIONS) {
  test(`${args.join(' ')} with the input ${JSON.stringify(Buffer.from(input).toString('latin1'))} reports: ${message}`, async (t) => {
    t.deepEqual(await runCommand(t, args, input), {
      status: 1,
      stdout: '',
      stderr: `configtxlator: error: Error decoding: ${message}\n`,
    });
  });
}

test('an internal error is reported like other errors', async (t) => {
  let stderr = '';
  const io: Io = {
    stdin: 0,
    stdout: 1,
    isErrorTerminal: false,
    display: PLAIN,
    runtime: process,
    onStop: () => undefined,
    get columns(): number {
      throw new Error('secret');
    },
    error: (text: string) => void (stderr += text),
  };
  t.is(await run(['--help'], io), 1);
  t.is(stderr, 'configtxlator: error: internal error: secret\n');
});

/** A config with an element, by a word; the empty word is no config, and `bad` no message. */
const configOf = (word: string): Uint8Array =>
  word === 'bad'
    ? Uint8Array.of(0xff)
    : word === ''
      ? new Uint8Array()
      : encode('common.Config', JSON.stringify({ channel_group: { values: { [word]: {} } } }));

const UPDATES: readonly (readonly [string | undefined, string | undefined, string])[] = [
  [undefined, 'b', 'error reading original config: invalid argument'],
  ['a', undefined, 'error reading updated config: invalid argument'],
  ['bad', 'b', `error unmarshalling original config: ${BAD_BYTES}`],
  ['a', 'bad', `error unmarshalling updated config: ${BAD_BYTES}`],
  [
    '',
    'b',
    'error computing config update: no channel group included for original config (--original FILE is empty)',
  ],
  [
    'a',
    '',
    'error computing config update: no channel group included for updated config (--updated FILE is empty)',
  ],
  ['a', 'a', 'error computing config update: no differences detected between original and updated config'],
];
for (const [original, updated, message] of UPDATES) {
  test(`compute_update of ${String(original)} and ${String(updated)} reports: ${message}`, async (t) => {
    const directory = temporaryFolder(t, {});
    writeFileSync(`${directory}/original`, configOf(original ?? ''));
    writeFileSync(`${directory}/updated`, configOf(updated ?? ''));
    const args = ['compute_update', '--channel_id', 'ch'];
    if (original !== undefined) args.push('--original', `${directory}/original`);
    if (updated !== undefined) args.push('--updated', `${directory}/updated`);
    t.deepEqual(await runCommand(t, args), {
      status: 1,
      stdout: '',
      stderr: `configtxlator: error: Error computing update: ${message.replace(/(--(\w+)) FILE/, `$1 ${directory}/$2`)}\n`,
    });
  });
}

/** A folder with the configs `a` and `b`. */
function twoConfigs(t: ExecutionContext): string {
  const directory = temporaryFolder(t);
  for (const name of ['a', 'b']) writeFileSync(`${directory}/${name}`, configOf(name));
  return directory;
}

test('compute_update with a channel name that is not UTF-8 is an error', async (t) => {
  const directory = twoConfigs(t);
  const files = ['--original', `${directory}/a`, '--updated', `${directory}/b`];
  const { status, stderr } = await runCommand(t, ['compute_update', ...files, '--channel_id', '\uFFFD']);
  t.is(status, 1);
  t.is(
    stderr,
    'configtxlator: error: Error computing update: error marshaling computed config update: string field contains invalid UTF-8\n',
  );
});

test('compute_update accepts an empty channel name and writes the update', async (t) => {
  const directory = twoConfigs(t);
  const files = ['--original', `${directory}/a`, '--updated', `${directory}/b`];
  for (const channel of [['--channel_id='], ['--channel_id', '']]) {
    const { status, stdout } = await runCommand(t, ['compute_update', ...files, ...channel]);
    t.is(status, 0);
    t.is(stdout, Buffer.from(computeUpdate(configOf('a'), configOf('b'), '')).toString());
  }
  const failed = await runCommand(t, ['compute_update', ...files, '--channel_id=c', '--output=/dev/full']);
  t.is(
    failed.stderr,
    'configtxlator: error: Error computing update: error writing config update to output: write /dev/full: no space left on device\n',
  );
});

test('input and output are standard input and output by default', async (t) => {
  const encoded = await runCommand(t, ['proto_encode', ...TYPE], '{"index":"7"}');
  t.deepEqual(encoded, { status: 0, stdout: '\b\u0007', stderr: '' });
  const decoded = await runCommand(
    t,
    ['proto_decode', '--input=/dev/stdin', '--output=/dev/stdout', ...TYPE],
    '\b\u0007',
  );
  t.is(decoded.stdout, '{\n\t"index": "7"\n}\n');
});
