import test from 'ava';
import { listedAgents } from '../../config/agents.js';

const URL_2 = 'https://host2:9543';

const listed = (...value: readonly unknown[]): ReturnType<typeof listedAgents> =>
  listedAgents(
    { value, origin: 'agent.yaml', entryOrigins: ['agent.yaml:4', 'agent.yaml:5'], directory: '/etc' },
    'host1',
  );

test('an agent has a name, a URL and TLS files, whose paths are relative to the file', (t) => {
  t.deepEqual(listed({ name: 'host2', url: URL_2, ca: 'ca.pem', cert: '/c.pem', key: '/k.pem' }), {
    agents: [
      {
        name: 'host2',
        url: URL_2,
        ca: '/etc/ca.pem',
        cert: '/c.pem',
        key: '/k.pem',
        origin: 'agent.yaml:4: agents[0]',
      },
    ],
    problems: [],
  });
});

for (const [entry, problem] of [
  [{ url: URL_2, ca: 'x' }, 'name: is required: the name of the agent, as in its setting operations.name'],
  [{ name: 'host2' }, 'url: is required: the URL of the agent'],
  ...[
    ['host2:9543', 'host2:9543'],
    ['ftp://host2', 'ftp://host2'],
    ['https://u:p@host2', 'https://********@host2'],
    ['https://host2/status', 'https://host2/status'],
    ['https://host2?x=1', 'https://host2?x=********'],
    ['https://host2/#x', 'https://host2/#x'],
    ['https://host2:0', 'https://host2:0'],
  ].map(
    ([url, shown]) =>
      [
        { name: 'host2', url, ca: 'x' },
        `url: must be a URL such as https://host2.example.com:9543, without user name, path and query: value was "${shown}"`,
      ] as const,
  ),
  [{ name: 'host2', url: URL_2 }, 'ca: is required for a URL with https'],
  [{ name: 'host2', url: URL_2, ca: 'x', cert: 'y' }, 'cert and key must be set together'],
  [{ name: 'host2', url: URL_2, ca: 'x', key: 'y' }, 'cert and key must be set together'],
  [
    { name: 'host1', url: URL_2, ca: 'x' },
    "name: 'host1' is the name of this agent itself; see operations.name",
  ],
  [{ name: 'host2', url: URL_2, ca: 'x', uri: 'y' }, 'uri: unknown key; did you mean url?'],
] as const)
  test(`the agent ${JSON.stringify(entry)} is refused`, (t) => {
    t.deepEqual(listed(entry).problems, [`agent.yaml:4: agents[0]: ${problem}`]);
  });

test('an agent with http needs no CA', (t) => {
  const { agents, problems } = listed({ name: 'host2', url: 'http://host2:9543' });
  t.deepEqual(problems, []);
  t.like(agents[0], { url: 'http://host2:9543', ca: '', cert: '', key: '' });
});

test('two agents need two names', (t) => {
  const agent = { name: 'host2', url: 'http://host2:9543' };
  t.deepEqual(listed(agent, agent).problems, [
    "agent.yaml:5: agents[1]: name: 'host2' is the name of an earlier entry",
  ]);
});
