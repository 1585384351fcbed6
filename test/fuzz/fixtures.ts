// Starts both services in this process, on free ports, for the targets that use them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, defineSettings } from '../../core/index.js';
import { createTranslatorServer, DEFAULT_MAX_BODY } from '../../translator/http/index.js';
import { QUIET } from '../helpers/quiet-backend.js';
import { THREAD } from '../helpers/translator.js';
import type { Fixtures } from './target.js';

/** Starts both services without logging. */
export async function startFixtures(): Promise<Fixtures> {
  const settings = { 'operations.listenAddress': '127.0.0.1:0', plugins: QUIET };
  const agent = await createAgent(defineSettings(settings, process.cwd()));
  await agent.start();
  const server = await createTranslatorServer({
    thread: THREAD,
    build: { version: '0.0.0', commit: 'fuzz' },
    origins: ['*'],
    hosts: [],
    maxBody: DEFAULT_MAX_BODY,
    maxOutput: 4 * DEFAULT_MAX_BODY,
    tls: undefined,
    workers: 1,
  });
  const { port } = await server.listen('127.0.0.1', 0);
  const folder = mkdtempSync(join(tmpdir(), 'fabric-ops-agent-fuzz-'));
  return {
    ports: new Map([
      ['agent', Number(agent.address?.split(':').at(-1))],
      ['translator', port],
    ]),
    folder,
    close: async () => {
      rmSync(folder, { recursive: true, force: true });
      await Promise.all([agent.stop(), server.close()]);
    },
  };
}
