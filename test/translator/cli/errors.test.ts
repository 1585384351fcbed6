// The errors of the commands, with Fabric's texts.

import test from 'ava';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';

const ECHO = ['--type', 'test.Echo'];
const BAD_BYTES = 'proto: cannot parse invalid wire-format data';
const TRANSLATIONS: readonly (readonly [readonly string[], string, string])[] = [
  [['proto_decode', '--type=test.Nope'], '', 'error encode input: proto: not found'],
  [['proto_encode', '--type=test.Nope'], '', 'error encode input: proto: not found'],
  [
    ['proto_encode', '--type=test.Enum'],
    '',
    'error encode input: proto: found wrong type: got enum, want message',
  ],
  [['proto_decode', ...ECHO], 'BAD_BYTES', `error unmarshalling: ${BAD_BYTES}`],
  [['proto_decode', ...ECHO], 'BAD_FIELD', 'error encoding output: *test.Echo: wrong (at a.b)'],
  [
    ['proto_encode', ...ECHO],
    'BAD_JSON',
    'error decoding input: error unmarshaling intermediate JSON: EOF (the document is not JSON)',
  ],
  [['proto_encode', ...ECHO], 'BAD_FIELD', 'error decoding input: *test.Echo: wrong (at a.b)'],
  [['proto_encode', ...ECHO, '--input', '/'], '', 'error decoding input: read /: it is a directory'],
  [['proto_decode', ...ECHO, '--input', '/'], '', 'error reading input: read /: it is a directory'],
  [
    ['proto_encode', ...ECHO, '--output', '/dev/full'],
    'x',
    'error writing output: write /dev/full: no space left on device',
  ],
  [
    ['proto_decode', ...ECHO, '--output', '/dev/full'],
    'x',
    'error encoding output: write /dev/full: no space left on device',
  ],
];
for (const [args, input, message] of TRANSLATIONS) {
  test(`${args.join(' ')} with the input ${JSON.stringify(input)} reports: ${message}`, async (t) => {
    t.deepEqual(await runCommand(t, args, input), {
      status: 1,
      stdout: '',
      stderr: `configtxlator: error: Error decoding: ${message}\n`,
    });
  });
}

test('an internal error is reported like other errors', async (t) => {
  const { status, stderr } = await runCommand(t, ['proto_decode', ...ECHO], 'crash');
  t.is(status, 1);
  t.is(stderr, 'configtxlator: error: internal error: secret\n');
});

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
    const directory = temporaryFolder(t, { original: original ?? '', updated: updated ?? '' });
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

test('compute_update with a channel name that is not UTF-8 is an error', async (t) => {
  const directory = temporaryFolder(t, { a: 'a', b: 'b' });
  const files = ['--original', `${directory}/a`, '--updated', `${directory}/b`];
  const { status, stderr } = await runCommand(t, ['compute_update', ...files, '--channel_id', '\uFFFD']);
  t.is(status, 1);
  t.is(
    stderr,
    'configtxlator: error: Error computing update: error marshaling computed config update: string field contains invalid UTF-8\n',
  );
});

test('compute_update accepts an empty channel name and writes the update', async (t) => {
  const directory = temporaryFolder(t, { a: 'a', b: 'b' });
  const files = ['--original', `${directory}/a`, '--updated', `${directory}/b`];
  for (const channel of [['--channel_id='], ['--channel_id', '']]) {
    const { status, stdout } = await runCommand(t, ['compute_update', ...files, ...channel]);
    t.is(status, 0);
    t.is(stdout, ': a > b');
  }
  const failed = await runCommand(t, ['compute_update', ...files, '--channel_id=c', '--output=/dev/full']);
  t.is(
    failed.stderr,
    'configtxlator: error: Error computing update: error writing config update to output: write /dev/full: no space left on device\n',
  );
});

test('input and output are standard input and output by default', async (t) => {
  const encoded = await runCommand(t, ['proto_encode', ...ECHO], 'abc');
  t.deepEqual(encoded, { status: 0, stdout: 'abc', stderr: '' });
  const decoded = await runCommand(
    t,
    ['proto_decode', '--input=/dev/stdin', '--output=/dev/stdout', ...ECHO],
    'ab',
  );
  t.is(decoded.stdout, '{"type":"test.Echo","size":2}\n');
});
