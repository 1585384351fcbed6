import test, { type ExecutionContext } from 'ava';
import { createTestContext } from '../../../../core/testing/index.js';
import type { SourceError, SourceReading } from '../../../../core/contract/index.js';
import exec from '../../../../plugins/source/exec/index.js';
import { samplesOfFamilies, samplesOfText } from '../../../helpers/source-samples.js';

async function read(t: ExecutionContext, script: string): Promise<SourceReading> {
  const options = { command: ['/bin/sh', '-c', script], directory: '', environment: {} };
  const source = exec.create(createTestContext(exec, options).context);
  t.teardown(() => source.stop?.());
  return source.read(new AbortController().signal);
}

test('a reading has the output of the command', async (t) => {
  const { families } = await read(t, 'echo "# TYPE backups gauge"; echo "backups{kind=\\"ledger\\"} 3"');
  t.deepEqual(samplesOfFamilies(families), samplesOfText('backups{kind="ledger"} 3\n'));
});

for (const [script, failure, message] of [
  ['echo "no backups" >&2; exit 1', 'status', 'exit status 1: no backups'],
  ['head -c 60000 /dev/zero >&2; exit 1', 'status', 'exit status 1'],
  ['echo a; echo b', 'invalid', "the output of the command: line 1: '' is not a number"],
  ['yes "a 1" | head -c 9000000', 'too_large', 'its output is larger than 8388608 bytes'],
  [String.raw`printf 'a{b="\377"} 1\n'`, 'invalid', 'the output of the command: the text is not UTF-8'],
] as const)
  test(`a reading fails: ${script}`, async (t) => {
    const error = await t.throwsAsync<SourceError>(read(t, script), { message });
    t.is(error?.failure, failure);
  });
