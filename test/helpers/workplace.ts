// Directories for scripts that use configtxlator.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { encode } from '../../translator/index.js';
import { CONFIG_BLOCK, organisation } from './config-block.js';
import { temporaryFolder } from './folder.js';
import { startProgram, TRANSLATOR } from './program.js';
import { putTranslator } from './shell.js';

/** A directory with a config block, an organisation as JSON, and `configtxlator` as a command. */
export function workplace(t: ExecutionContext): string {
  const directory = temporaryFolder(t, {
    'config_block.json': JSON.stringify(CONFIG_BLOCK),
    'org3.json': JSON.stringify(organisation('Org3MSP')),
  });
  writeFileSync(
    join(directory, 'config_block.pb'),
    encode('common.Block', Buffer.from(JSON.stringify(CONFIG_BLOCK))),
  );
  putTranslator(directory);
  return directory;
}

/** Starts the service; returns its URL. */
export async function serve(t: ExecutionContext, ...args: string[]): Promise<string> {
  const { line } = startProgram(t, ['start', '--hostname', '127.0.0.1', '--port=0', ...args], {
    program: TRANSLATOR,
  });
  const [, address] = await line(/Serving HTTP requests on (127\.0\.0\.1:\d+)/);
  return `http://${address}`;
}
