export { certificatesIn, clientProblem, isIssuedBy, isValidFor } from './certificates.js';
export { checkValues, type RawValue } from './check-values.js';
export type { Leaf } from './leaf.js';
export { formatDuration, parsePositiveDuration } from './duration.js';
export type { Environment } from './environment.js';
export { formatHostPort, type HostPort } from './host-port.js';
export { defineSettings, loadSettings, PACKAGED_FILE, type LoadedSettings, type Sources } from './load.js';
export type { BesideNode } from './nodes.js';
export { SettingsError, type NodeSettings, type PluginDeclaration, type Settings } from './settings.js';
