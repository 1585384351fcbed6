export { checkValues, type Leaf, type RawValue } from './checked-values.js';
export { formatDuration, parsePositiveDuration } from './duration.js';
export type { Environment } from './environment.js';
export { formatHostPort, parseHostPort } from './host-port.js';
export { defineSettings, loadSettings, PACKAGED_FILE, type LoadedSettings, type Sources } from './load.js';
export { SettingsError, type PluginDeclaration, type Settings } from './settings.js';
