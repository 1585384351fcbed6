export { channelsOf } from './channels.js';
export { FactStore } from './facts.js';
export { readLogEnd, type ReadLog } from './log.js';
export { levelComponent, levelReason } from './level.js';
export { Nodes, SELF, type FabricNode } from './node.js';
export { nodeRoutes, readChannels } from './routes.js';
