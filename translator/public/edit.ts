// `fabric-ops-agent/translator/edit`: edits channel configs and makes config updates, in Node.js and in browsers.

// Config updates
export { computeUpdate } from '../update/index.js';
export {
  applyUnsigned,
  editAll,
  fitsConfig,
  isSameConfig,
  rebaseUpdate,
  unsignedUpdate,
  type Edited,
  type UnsignedUpdate,
} from '../edit/index.js';

// Any element
export { replaceConfig, setByPath, setFields, setModPolicy, type Setting } from '../edit/index.js';

// Organisations
export {
  addOrganization,
  editAnchorPeers,
  organizationOf,
  removeOrganization,
  revokeCertificates,
  setEndpoints,
  setMsp,
  type MspSource,
  type NewMsp,
  type NamedFile,
  type NewOrganization,
  type RevokedBy,
} from '../edit/index.js';

// MSP directories of organisations
export {
  fabricMsp,
  localMspFiles,
  mspFilesOf,
  mspNotes,
  type MspFile,
  type MspFiles,
  type MspFolder,
} from '../edit/index.js';

// Consenters
export {
  addConsenter,
  removeConsenter,
  rotateConsenter,
  type ConsenterCertificates,
  type NewConsenter,
} from '../edit/index.js';

// Capabilities, ACLs and policies
export { removeAcl, removePolicy, setAcl, setCapabilities, setPolicy, type Level } from '../edit/index.js';

// The catalogue of edits, for forms
export {
  EDITS,
  SET_FIELDS,
  choicesFor,
  type ApplyEdit,
  type ChosenOrganization,
  type Edit,
  type Field,
  type Values,
} from '../edit/index.js';

// From Raft to BFT
export {
  migrationDocument,
  migrationStatus,
  planBft,
  type ConsenterIdentity,
  type MigrationStatus,
  type PlannedStep,
  type Phase,
  type Step,
} from '../migrate/index.js';
