// What a file says about a channel: as data and as text, in Node.js and in browsers.

export { summariseChannel, type ChannelSummary } from './channel.js';
export { channelText } from './channel-text.js';
export type { ConsenterSummary, OrdererSummary, Quorum } from './orderer.js';
export type { OrganizationSummary } from './organization.js';
export type { PolicySummary } from './policies.js';
export type { Permission } from './permissions.js';
export { summariseUpdate, type ChangeSummary, type SignerSummary, type UpdateSummary } from './update.js';
export { updateText } from './update-text.js';
export { verifyUpdate, type ElementPresence, type Verification } from './verify.js';
