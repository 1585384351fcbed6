export { checkValues, type CheckedValues, type Leaf, type RawValue } from './checked-values.js';
export { formatDuration, parseDuration, parsePositiveDuration } from './duration.js';
export { describeFileError } from './files.js';
export { formatHostPort, parseHostPort, type HostPort } from './host-port.js';
export { defineSettings, loadSettings, PACKAGED_FILE, type LoadedSettings, type Sources } from './load.js';
export { suggestion } from './nearest.js';
export { SETTINGS } from './schema.js';
export { SettingsError, type EffectiveValue, type PluginDeclaration, type Settings } from './settings.js';
