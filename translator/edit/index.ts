// What other directories import: edits of a channel config, in Node and in a browser.

export { EDITS, SET_FIELDS } from './catalogue/index.js';
export type { ApplyEdit, ChosenOrganization, Edit, Field, Offer, Values } from './catalogue/field.js';
export { choicesFor } from './choices.js';
export { removeAcl, setAcl } from './acl.js';
export { editAnchorPeers, setEndpoints } from './addresses.js';
export { setCapabilities, type Level } from './capabilities.js';
export {
  addConsenter,
  removeConsenter,
  rotateConsenter,
  type ConsenterCertificates,
  type NewConsenter,
} from './consenters.js';
export { editAll, type Edited } from './edited.js';
export {
  type MspFile,
  type MspFiles,
  mspFilesOf,
  type MspFolder,
  mspNotes,
  type MspUnit,
  mspValue,
  type NodeOus,
} from './msp.js';
export {
  addOrganization,
  makeOrganization,
  organizationOf,
  readOrganizationJson,
  removeOrganization,
  setMsp,
  type MspSource,
  type NewMsp,
  type NewOrganization,
} from './org.js';
export { removePolicy, setModPolicy, setPolicy } from './policy.js';
export { fitsConfig, rebaseUpdate } from './rebase.js';
export { applyUnsigned, isSameConfig, unsignedUpdate, type UnsignedUpdate } from './update.js';
export { replaceConfig } from './replace.js';
export { setByPath, setFields, type Setting } from './set.js';
