// For plugins, which do not import `core/text` themselves.

export { onOneLine } from '../../core/text/one-line.js';
