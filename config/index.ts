export { checkValues, type Leaf, type RawValue } from './check-values.js';
export type { Environment } from './dialects.js';
export {
  defineSettings,
  loadSettings,
  namedNodes,
  PACKAGED_FILE,
  type LoadedSettings,
  type Sources,
} from './load.js';
export { readConfigFile } from './config-file.js';
export { readNodeFlag, type NodeLog } from './node/entries.js';
export { variablesOfNamedNode, type LoadedNode, type NodeFiles } from './node/nodes.js';
export { FABRIC_DIRECTORY } from './node/container.js';
export { FILES as NODE_FILES } from './node/node-file.js';
export { readEnvironmentFile, type EnvironmentFile } from './node/environment-file.js';
export { addressOverridesIn, type AddressOverride } from './node/address-overrides.js';
export { readNodeConfig, type NodeConfig } from './node/config.js';
export { asList, listInText } from './node/list-values.js';
export {
  namedFile,
  openNodeFile,
  readNodeFile,
  type NodeFile,
  type NodePath,
  type NodeValue,
  type NodeValues,
} from './node/node-file.js';
export {
  findIn,
  ineffectiveReason,
  ineffectiveVariables,
  missingSection,
  nodeVariable,
  type Decoders,
} from './node/variables.js';
export {
  SettingsError,
  type AgentSettings,
  type Configured,
  type EffectiveValue,
  type NodeSettings,
  type OtherAgentSettings,
  type PluginDeclaration,
  type Settings,
  type SilenceSettings,
} from './settings.js';
