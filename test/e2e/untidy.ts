// A test run that is killed: it has started a process, made a folder and mounted something in it, and then stands still.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardFolder, guardProcess } from '../helpers/guard.js';

const folder = mkdtempSync(join(tmpdir(), 'fabric-ops-agent '));
guardFolder(folder);
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
  process.stderr.write(`left behind: ${JSON.stringify({ pids: [child.pid, group.pid], folder, mounted })}\n`);
});
setInterval(() => undefined, 1000);
