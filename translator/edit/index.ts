// The public parts of this directory: edits of a channel config, in Node and in browsers.

export * from './catalogue/index.js';
export { choicesFor } from './choices.js';
export { removeAcl, setAcl } from './acl.js';
export { editAnchorPeers, setEndpoints } from './addresses.js';
export { type Level, setCapabilities } from './capabilities.js';
export {
  type ConsenterCertificates,
  type NewConsenter,
  addConsenter,
  removeConsenter,
  rotateConsenter,
  withBftConsenters,
} from './consenters.js';
export { type Edited, badEdit, editAll, edited } from './edited.js';
export {
  type MspFile,
  type MspFiles,
  type MspFolder,
  fabricMsp,
  localMspFiles,
  mspFilesOf,
  mspNotes,
} from './msp.js';
export {
  type MspSource,
  type NewMsp,
  type NewOrganization,
  addOrganization,
  organizationOf,
  removeOrganization,
  setMsp,
} from './org.js';
export { removePolicy, setModPolicy, setPolicy } from './policy.js';
export { fitsConfig, rebaseUpdate } from './rebase.js';
export { type UnsignedUpdate, applyUnsigned, isSameConfig, unsignedUpdate } from './update.js';
export { type NamedFile, type RevokedBy, revokeCertificates } from './revoke.js';
export { replaceConfig } from './replace.js';
export { type Setting, setByPath, setFields } from './set.js';
export { changeGroup, withPolicy, withValue } from './tree.js';
