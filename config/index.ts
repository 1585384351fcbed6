export { withPlugins } from './build-settings.js';
export { checkValues, type Leaf, type RawValue } from './check-values.js';
export type { Environment } from './overrides.js';
export { defineSettings, loadSettings, PACKAGED_FILE, type LoadedSettings, type Sources } from './load.js';
export { parseFirstYamlValue, readConfigFile } from './config-file.js';
export type { LoadedNode } from './node/nodes.js';
export { readEnvironmentFile } from './node/environment-file.js';
export { addressOverridesIn, type AddressOverride } from './node/address-overrides.js';
export {
  isOfWorkingDirectory,
  openNodeFile,
  readNodeConfig,
  type NodeConfig,
  type NodeFile,
} from './node/config.js';
export {
  findKey,
  ineffectiveReason,
  ineffectiveVariables,
  isGoTrue,
  isShadowed,
  listIn,
  missingSection,
  nodeVariable,
  fileVariableFor,
  variableFor,
  type NodeSource,
} from './node/variables.js';
export {
  SettingsError,
  type NodeLog,
  type NodeSettings,
  type PluginDeclaration,
  type Settings,
} from './settings.js';
