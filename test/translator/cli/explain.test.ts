// `configtxlator explain`: what findings mean.

import test from 'ava';
import { RULES } from '../../../translator/rules/index.js';
import { runCommand as configtxlator } from '../../helpers/cli.js';

test('explain shows what a finding means, with an example', async (t) => {
  const { stdout, status } = await configtxlator(t, ['explain', 'batch-timeout']);
  t.is(status, 0);
  t.is(
    stdout,
    `batch-timeout (refused): the batch timeout is not a positive duration
  example  the batch timeout "" is not a duration
  orderer  Attempted to set the batch timeout to a invalid value: time: invalid duration ""
  to do    set a duration with a unit, for example 2s or 500ms
  data     {"timeout":"","duration":null}
`,
  );
});

test('explain shows both severities of a finding', async (t) => {
  const { stdout } = await configtxlator(t, ['explain', 'raft-election-short']);
  t.deepEqual(stdout.match(/^raft-election-short \(\w+\)/gm), [
    'raft-election-short (danger)',
    'raft-election-short (warning)',
  ]);
});

test('explain without an id lists all findings with their severities, also as JSON', async (t) => {
  const keys = [...RULES.values()].flatMap(({ id, severities }) => severities.map((each) => `${id} ${each}`));
  const { stdout } = await configtxlator(t, ['explain']);
  const listed = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ +/).slice(0, 2).join(' '));
  t.deepEqual(listed.toSorted(), keys.toSorted());
  const found = JSON.parse((await configtxlator(t, ['explain', '--json'])).stdout) as Record<
    string,
    string
  >[];
  t.deepEqual(
    found.map(({ id, severity }) => `${id} ${severity}`),
    listed,
  );
});

for (const [id, expected] of [
  ['batch-timeuot', 'there is no finding "batch-timeuot": did you mean batch-timeout?'],
  ['xyz', 'there is no finding "xyz": explain without an id lists all'],
] as const)
  test(`explain ${id} fails`, async (t) => {
    const { stderr, status } = await configtxlator(t, ['explain', id]);
    t.deepEqual([status, stderr], [1, `configtxlator: error: ${expected}\n`]);
  });
