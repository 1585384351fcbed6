// Build step: dist/page/agent.html.

import { bundlePage } from '../common/build/page.js';

await bundlePage('core/page/main.ts', 'dist/page/agent', {
  title: 'Fabric nodes',
  component: 'agent-page',
  connects: true,
  // Those of failures that the page shows, except `FabricHealthCheckFailing` and `…Warning`, which say to run the command `status`.
  sections: [
    'FabricOpsAgentCertificateNotReloaded',
    'FabricOpsAgentSinkDeliversNothing',
    'FabricOpsAgentNotifierNotDelivered',
    'FabricNodeDown',
    'FabricChannelStopped',
    'FabricChannelAtRisk',
  ],
});
