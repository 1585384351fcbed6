// The HTTP service of the translator.

export { DEFAULT_MAX_BODY, SHUTDOWN_TIMEOUT } from './limits.js';
export {
  createTranslatorServer,
  type TranslatorServer,
  type TranslatorServerOptions,
  type TranslatorTls,
} from './server.js';
