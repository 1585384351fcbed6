// Build step: dist/page/agent.html.

import { bundlePage } from '../common/build/page.js';

/** The style of the choice of the command `demo`. */
const CHOICE =
  'nav{font:14px/22px system-ui,sans-serif;max-width:1120px;margin:0 auto;padding:8px 16px 0}nav p{margin:0;display:flex;flex-wrap:wrap;gap:2px 16px}nav a{color:#0550ae;padding:4px 0}nav a[aria-current]{font-weight:600;color:inherit}@media(prefers-color-scheme:dark){nav{color:#e6edf3}nav a{color:#79c0ff}}';

await bundlePage('core/page/main.ts', 'dist/page/agent', {
  title: 'Fabric nodes',
  component: 'agent-page',
  instead: 'The command fabric-ops-agent status prints the same answer.',
  connects: true,
  plain: '?plain',
  style: CHOICE,
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
