// What other directories import: edits of a channel config, in Node and in a browser.

export { EDITS, SET_FIELDS } from './catalogue/index.js';
export type { ApplyEdit, ChosenOrganization, Edit, Field, Offer, Values } from './catalogue/field.js';
export { choicesFor } from './choices.js';
export { removeAcl, setAcl } from './acl.js';
export { editAnchorPeers } from './anchor-peers.js';
export { setCapabilities, type Level } from './capabilities.js';
export {
  addConsenter,
  removeConsenter,
  rotateConsenter,
  type ConsenterCertificates,
  type NewConsenter,
} from './consenter.js';
export { editAll, type Edited } from './edited.js';
export { setEndpoints } from './endpoints.js';
export { mspValue, type MspFiles, type MspUnit, type NodeOus } from './msp-config.js';
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
export { mspFilesOf, mspNotes, type MspFile, type MspFolder } from './msp-folder.js';
export type { Section } from './organizations.js';
export { removePolicy, setModPolicy, setPolicy } from './policy.js';
export { fitsConfig, rebaseUpdate } from './rebase.js';
export { replaceConfig } from './replace.js';
export { setByPath, setFields, type Setting } from './set.js';
export { applyUnsigned, isSameConfig, unsignedUpdate, type UnsignedUpdate } from './update.js';
