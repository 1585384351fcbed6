import test, { type ExecutionContext } from 'ava';
import { createTestContext } from '../../../../core/contract/testing/index.js';
import type { SourceReading } from '../../../../core/contract/index.js';
import exec from '../../../../plugins/source/exec/index.js';
import { samplesOfFamilies, samplesOfText } from '../../../helpers/source-samples.js';

async function read(t: ExecutionContext, script: string): Promise<SourceReading> {
  const options = { command: ['/bin/sh', '-c', script], directory: '', environment: {} };
  const source = exec.create(createTestContext(exec, options).context);
  t.teardown(() => source.stop?.());
  return source.read(new AbortController().signal);
}

test('a reading has what the command writes', async (t) => {
  const { families } = await read(t, 'echo "# TYPE backups gauge"; echo "backups{kind=\\"ledger\\"} 3"');
  t.deepEqual(samplesOfFamilies(families), samplesOfText('backups{kind="ledger"} 3\n'));
});

for (const [script, message] of [
  ['echo "no backups" >&2; exit 1', 'exit status 1: no backups'],
  ['echo a; echo b 1', "the output of the command: line 1: '' is not a number"],
  ['yes "a 1" | head -c 9000000', 'its output is larger than 8388608 bytes'],
] as const)
  test(`a reading fails: ${script}`, async (t) => {
    await t.throwsAsync(read(t, script), { message });
  });
