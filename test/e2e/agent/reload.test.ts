// SIGHUP reloads certificates and reports what it does not reload.

import { appendFileSync } from 'node:fs';
import test from 'ava';
import { serveProject } from '../../helpers/plugin-program.js';

test('SIGHUP warns when a configuration file has changed since the start', async (t) => {
  const { folder, child, line, stderr, ended } = await serveProject(t, { files: {}, settings: {} });
  const notice = 'configuration files are only read at start; restart to apply the changes in agent.yaml';

  child.kill('SIGHUP');
  await line(/TLS is disabled, there are no certificates to reload\n/);
  t.false(stderr().includes(notice));

  appendFileSync(`${folder}/agent.yaml`, '\n');
  child.kill('SIGHUP');
  await line(new RegExp(`WARN \\[operations\\].* -> ${notice}\\n`));

  child.kill('SIGTERM');
  t.is((await ended).status, 0);
  t.is(stderr().split(notice).length - 1, 1);
});
