// `fabric-ops-agent/translator/edit`: edits channel configs and makes config updates, in Node.js and in browsers.

// Config updates
export { computeUpdate } from '../update/index.js';
export {
  applyUnsigned,
  fitsConfig,
  isSameConfig,
  rebaseUpdate,
  unsignedUpdate,
  type Edited,
  type UnsignedUpdate,
} from '../edit/index.js';

// Edits by name, and the catalogue of them
export { applyEdit, EDITS, type EditName, type EditValues, type MspSource } from '../edit/index.js';

// Edits that are not in the catalogue
export {
  replaceConfig,
  revokeCertificates,
  setByPath,
  type NamedFile,
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

// Forms for the edits
export {
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
