// Build step: dist/page/channel.html.

import { bundlePage } from '../../core/common/build/page.js';

await bundlePage('translator/page/main.ts', 'dist/page/channel', {
  title: 'Channel configuration',
  component: 'channel-page',
  instead: 'The command configtxlator does the same.',
  connects: false,
  worker: 'channel-worker',
});
