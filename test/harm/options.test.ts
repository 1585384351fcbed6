import test from 'ava';
import { parseCaseId, readOptions, UsageError } from './options.js';

const refused = (args: readonly string[]): string | undefined => {
  try {
    readOptions(args);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
};

for (const [args, message] of [
  [['--fabric', '9.9'], '--fabric 9.9: unknown; allowed are 3.1.5, 3.0.0, 2.5.16, 2.5.12'],
  [['--fabric', '3.1.5,'], '--fabric : unknown; allowed are 3.1.5, 3.0.0, 2.5.16, 2.5.12'],
  [['--net', 'raft2'], '--net raft2: unknown; allowed are raft1, raft3, bft4'],
  [['--fabric', '2.5.16', '--net', 'bft4'], '--net bft4 needs Fabric 3.0 or later, not 2.5.16'],
  [['--fabric', '3.0.0,3.1.5', '--rehearse'], '--rehearse needs one release, not 3.0.0,3.1.5'],
  [['--kind', 'odd'], '--kind odd: unknown; allowed are mixed, routine, steps'],
  [['--cases', '-1'], undefined],
  [['--cases', 'x'], '--cases x: allowed are whole numbers from 0'],
  [['--parallel', '0'], '--parallel 0: allowed are whole numbers from 1'],
  [
    ['--first-port', '65500', '--parallel', '2'],
    '--first-port 65500: 2 networks need 50 ports each, up to 65535',
  ],
] as const)
  test(`the laboratory refuses ${args.join(' ')}`, (t) => {
    const found = refused(args);
    if (message === undefined) t.truthy(found);
    else t.is(found, message);
  });

test('releases with commas are those of the nodes, and nets are taken in turn', (t) => {
  const { releases, nets } = readOptions(['--fabric', '3.0.0,3.1.5', '--net', 'bft4', '--net', 'raft3']);
  t.deepEqual(releases, ['3.0.0', '3.1.5']);
  t.deepEqual(nets, ['bft4', 'raft3']);
});

test('the id of a case has all that repeats it', (t) => {
  t.deepEqual(parseCaseId('3.0.0,3.1.5/bft4/steps/17/42'), {
    releases: ['3.0.0', '3.1.5'],
    net: 'bft4',
    kind: 'steps',
    seed: 17,
    number: 42,
  });
  t.is(parseCaseId('no-update'), undefined);
  t.throws(() => parseCaseId('3.1.6/bft4/mixed/17/42'), { instanceOf: UsageError });
});
