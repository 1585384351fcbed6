// Build step: dist/page/agent.html.

import { bundlePage } from '../common/build/page.js';

await bundlePage('core/page/main.ts', 'dist/page/agent', {
  title: 'Fabric nodes',
  component: 'agent-page',
  instead: 'The command fabric-ops-agent status prints the same answer.',
  connects: true,
  // Those of failures that the page shows, except `FabricHealthCheckFailing` and `…Warning`, which say only where the reason is.
  sections: [
    'FabricOpsAgentCertificateNotReloaded',
    'FabricOpsAgentSinkDeliversNothing',
    'FabricOpsAgentNotifierNotDelivered',
    'FabricNodeDown',
    'FabricChannelStopped',
    'FabricChannelAtRisk',
  ],
});
