// The plugins that settings declare.

import type { PluginDeclaration, Settings } from '../../config/index.js';
import { BUILT_IN } from '../../core/built-in.js';
import { declarePlugins } from '../../core/host/implied.js';

/** The implied and the listed plugins of settings in the order of their declaration; the listed ones are not imported. */
export const declaredBy = (settings: Settings): Promise<PluginDeclaration[]> =>
  declarePlugins(settings, BUILT_IN);
