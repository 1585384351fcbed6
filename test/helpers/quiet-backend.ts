// A logging backend that writes nothing, for agents in the process of the test. Tests declare it by its path.

import { fileURLToPath } from 'node:url';
import { defineLoggingBackend, LeveledLoggers } from '../../core/contract/index.js';

/** The value of the setting `plugins` that declares it. */
export const QUIET = [{ plugin: fileURLToPath(import.meta.url) }];

export default defineLoggingBackend({
  name: 'quiet',
  create: () => new LeveledLoggers({ write: () => undefined }),
});
