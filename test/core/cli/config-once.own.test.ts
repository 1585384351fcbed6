// `config check` reads each file of the settings once, and loads each plugin once.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import test from 'ava';
import { runAgentCommand } from '../../helpers/agent-command.js';
import { temporaryFolder } from '../../helpers/folder.js';

/** Counts the calls of its functions. */
const PLUGIN = `import { defineHealthChecker } from 'fabric-ops-agent/plugin';
const counts = globalThis.counts ??= {};
const count = (what) => { counts[what] = (counts[what] ?? 0) + 1; };
count('import');
export default defineHealthChecker({
  name: 'counting',
  options: { path: { format: 'path', doc: 'directory' } },
  forNode: (node) => (count('forNode'), { path: node.get('ledger') }),
  create: () => (count('create'), { init: () => count('init'), check() {} }),
});
`;

const FILES = ['agent.yaml', 'more.yaml', 'core.yaml', 'peer.env'];

test.serial(
  'config check opens each file of the settings once, and each plugin is created once',
  async (t) => {
    const cwd = temporaryFolder(t, {
      'agent.yaml':
        'nodes: [{ config: core.yaml, environment: peer.env }]\nplugins: [{ plugin: ./own.js }]\n',
      'more.yaml': 'health: { timeout: 9s }\n',
      'core.yaml': `peer: { fileSystemPath: /data }
operations: { listenAddress: '127.0.0.1:9500' }
metrics: { provider: prometheus }
`,
      'peer.env': 'CORE_PEER_ID=peer0\n',
      'package.json': '{"type":"module"}',
      'own.js': PLUGIN,
    });
    const opened: string[] = [];
    const { openSync } = fs;
    fs.openSync = (path, ...rest) => {
      opened.push(basename(String(path)));
      return openSync(path, ...rest);
    };
    syncBuiltinESMExports();
    t.teardown(() => {
      fs.openSync = openSync;
      syncBuiltinESMExports();
    });
    const { status, stderr } = await runAgentCommand(
      ['config', 'check', '-c', 'agent.yaml', '-c', 'more.yaml'],
      { cwd },
    );
    t.deepEqual([status, stderr], [0, '']);
    t.deepEqual(opened.filter((name) => FILES.includes(name)).toSorted(), FILES.toSorted());
    t.deepEqual((globalThis as { counts?: unknown }).counts, { import: 1, forNode: 1, create: 1, init: 1 });
  },
);
