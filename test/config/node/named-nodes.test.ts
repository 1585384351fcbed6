// The files and variables of the nodes that flags, variables and files name, for the tools.

import test from 'ava';
import { SettingsError, type Sources } from '../../../config/index.js';
import { namedNodes } from '../../../config/load.js';
import { variablesOfNamedNode } from '../../../config/node/nodes.js';
import { temporaryFolder } from '../../helpers/folder.js';

const FILES = {
  'a/core.yaml': 'peer: {}\n',
  'b/core.yaml': 'peer: {}\n',
  'orderer.yaml': 'General: {}\n',
  'peer.env': 'CORE_PEER_ID=own\n',
};

const sources = (cwd: string, values: Partial<Sources>): Sources => ({
  files: [],
  flags: [],
  environment: {},
  cwd,
  ...values,
});

test('the named nodes have the names of their files as given', (t) => {
  const cwd = temporaryFolder(t, FILES);
  const nodes = ['a', 'orderer.yaml'];
  t.deepEqual(namedNodes(sources(cwd, { nodes, nodeEnvironments: ['peer.env'] })), [
    { file: 'a', environmentFile: 'peer.env' },
    { file: 'orderer.yaml', environmentFile: '' },
  ]);
});

test('an invalid setting of a named node is a problem, although its file is not read', (t) => {
  const cwd = temporaryFolder(t);
  const given = sources(cwd, { nodes: ['missing'], flags: ['node.health=maybe'] });
  const { problems } = t.throws(() => namedNodes(given), { instanceOf: SettingsError });
  t.deepEqual(problems, ['flag --set node.health: node.health: must be true or false: value was "maybe"']);
});

test('a key of a node without a value counts as absent', (t) => {
  const cwd = temporaryFolder(t, { ...FILES, 'agent.yaml': 'nodes:\n  - config: a\n    health:\n' });
  t.deepEqual(namedNodes(sources(cwd, { files: ['agent.yaml'] })), [{ file: 'a', environmentFile: '' }]);
});

const ENVIRONMENT = { CORE_PEER_ID: 'shared' };
const file = (name: string, environmentFile = '') => ({ file: name, environmentFile });
for (const [what, nodes, variables] of [
  ['a file with variables', [file('a', 'peer.env')], { CORE_PEER_ID: 'own' }],
  ['no other node', [file('a')], ENVIRONMENT],
  ['another node of its kind', [file('a'), file('b')], {}],
  [
    'another node of its kind that has a file with variables',
    [file('a'), file('b', 'peer.env')],
    ENVIRONMENT,
  ],
  ['a node of another kind', [file('a'), file('orderer.yaml')], ENVIRONMENT],
  ['a node whose file cannot be read', [file('a'), file('missing')], ENVIRONMENT],
] as const)
  test(`a node with ${what} has the variables ${JSON.stringify(variables)}`, (t) => {
    const cwd = temporaryFolder(t, FILES);
    t.deepEqual({ ...variablesOfNamedNode(nodes[0], nodes, ENVIRONMENT, cwd).variables }, variables);
  });
