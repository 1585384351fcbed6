export { channelsOf } from './channels.js';
export { levelComponent } from './level.js';
export { logName, readLogEnd } from './log.js';
export { Nodes, SELF, type FabricNode } from './node.js';
export { nodeRoutes, withoutChannels } from './routes.js';
