// A test run for guard.test.ts to kill: it starts processes, creates directories, mounts a file system, and then waits.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardFolder, guardProcess } from '../helpers/guard.js';

const directory = mkdtempSync(join(tmpdir(), 'fabric-ops-agent '));
guardFolder(directory);
const ended = spawn('true');
guardProcess(ended);
ended.on('exit', () => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  guardProcess(child);
  const group = spawn('sh', ['-c', 'sleep 1000 & wait'], { stdio: 'ignore', detached: true });
  guardProcess(group, true);
  const mounted = join(mkdtempSync(join(tmpdir(), 'fabric-ops-agent-')), 'mounted');
  guardFolder(join(mounted, '..'));
  mkdirSync(mounted);
  spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', mounted]);
  process.stderr.write(
    `left behind: ${JSON.stringify({ pids: [child.pid, group.pid], directory, mounted })}\n`,
  );
});
setInterval(() => undefined, 1000);
