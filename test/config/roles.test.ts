import test from 'ava';
import { readRoles } from '../../config/roles.js';

const READERS = 'operations.tls.readers';
const WRITERS = 'operations.tls.writers';

/** The roles of lists in a file. */
function read(
  readers: readonly string[],
  writers: readonly string[],
  isTls = true,
): ReturnType<typeof readRoles> {
  const lists = [
    [READERS, readers, 'agent.yaml:4'],
    [WRITERS, writers, 'agent.yaml:5'],
  ] as const;
  return readRoles(
    new Map<string, unknown>([
      ['operations.tls.enabled', isTls],
      ...lists.map(([key, value]) => [key, value] as const),
    ]),
    new Map(lists.map(([key, value, origin]) => [key, { value, origin, directory: '/etc/agent' }])),
  );
}

test('entries that begin with /, ./ or ../ are files, relative to the file of the setting; others are names', (t) => {
  t.deepEqual(
    read(['grafana', './readers.pem', '/ca.pem', '../x.pem'], ['spiffe://example.com/ops', 'a/b']),
    {
      roles: {
        readers: { names: ['grafana'], files: ['/etc/agent/readers.pem', '/ca.pem', '/etc/x.pem'] },
        writers: { names: ['spiffe://example.com/ops', 'a/b'], files: [] },
      },
      problems: [],
    },
  );
});

test('without entries there are no roles', (t) => {
  t.deepEqual(read([], [], false), { roles: undefined, problems: [] });
});

test('an entry in both lists is refused with both places', (t) => {
  t.deepEqual(read(['bob', './ca.pem'], ['bob', '/etc/agent/ca.pem']).problems, [
    `agent.yaml:4: ${READERS}: "bob" is also in ${WRITERS} (agent.yaml:5); a certificate has one role`,
    `agent.yaml:4: ${READERS}: "/etc/agent/ca.pem" is also in ${WRITERS} (agent.yaml:5); a certificate has one role`,
  ]);
});

for (const [readers, writers, problem] of [
  [['bob'], [], `agent.yaml:4: ${READERS}`],
  [[], ['bob'], `agent.yaml:5: ${WRITERS}`],
] as const)
  test(`roles without TLS are refused: readers ${readers.join()}, writers ${writers.join()}`, (t) => {
    t.deepEqual(read(readers, writers, false).problems, [
      `${problem}: requires operations.tls.enabled: without TLS clients have no certificates`,
    ]);
  });
