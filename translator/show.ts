// `fabric-ops-agent/translator/show`: describes files with configs and updates, as data and as text, in Node.js and in browsers.

export { verifyUpdate, type ElementPresence, type Verification } from './channel/verify.js';
export {
  channelText,
  summariseChannel,
  summariseUpdate,
  updateText,
  type ChangeSummary,
  type ChannelSummary,
  type ConsenterSummary,
  type OrdererSummary,
  type OrganizationSummary,
  type Permission,
  type PolicySummary,
  type Quorum,
  type SignerSummary,
  type UpdateSummary,
} from './describe/index.js';
