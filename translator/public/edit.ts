// `fabric-ops-agent/translator/edit`: edits channel configs and makes config updates, in Node.js and in browsers.

export { computeUpdate } from '../update/index.js';
export {
  EDITS,
  applyEdit,
  applyUnsigned,
  fitsConfig,
  mspFilesOf,
  rebaseUpdate,
  replaceConfig,
  revokeCertificates,
  setByPath,
  unsignedUpdate,
  type EditName,
  type EditValues,
  type Edited,
  type MspFiles,
  type MspFolder,
  type UnsignedUpdate,
} from '../edit/index.js';
export {
  migrationDocument,
  migrationStatus,
  planBft,
  type ConsenterIdentity,
  type MigrationStatus,
  type PlannedStep,
} from '../migrate/index.js';
