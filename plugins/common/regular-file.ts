// For plugins, which do not import `core/text` themselves.

export { readRegularFile } from '../../core/text/regular-file.js';
