// Build step: dist/page/agent.html.

import { bundlePage } from '../common/build/page.js';

await bundlePage('core/page/main.ts', 'dist/page/agent', {
  title: 'Fabric nodes',
  component: 'agent-page',
  connects: true,
});
