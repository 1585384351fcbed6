// Build step: dist/page/channel.html.

import { fileURLToPath } from 'node:url';
import { bundlePage } from '../../core/common/build/page.js';

await bundlePage('translator/page/main.ts', fileURLToPath(new URL('../../page/channel', import.meta.url)), {
  title: 'Channel configuration',
  component: 'channel-page',
  instead: 'The command configtxlator does the same.',
  connects: false,
  worker: 'channel-worker',
});
