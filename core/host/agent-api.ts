// Resolves the plugin API for plugins in whose directories this package is not installed: they get the API of the running agent.

import * as nodeModule from 'node:module';

/** What a plugin may import of the agent, and its file. Types and `fabric-ops-agent/testing` are for authors, who install the package. */
const FILES: ReadonlyMap<string, string> = new Map([
  ['fabric-ops-agent/plugin', new URL('../contract/index.js', import.meta.url).href],
  ['fabric-ops-agent/kit', new URL('../kit/index.js', import.meta.url).href],
]);

/** The result of a resolve hook (https://nodejs.org/api/module.html#resolvespecifier-context-nextresolve). */
interface Resolved {
  readonly url: string;
  readonly format?: string | null;
  readonly shortCircuit?: boolean;
}

type NextResolve<Result> = (specifier: string, context: unknown) => Result;

/** Hooks in the thread that imports, which also apply to `require`; of Node.js 22.15 and newer. */
interface SynchronousHooks {
  readonly registerHooks?: (hooks: {
    readonly resolve: (specifier: string, context: unknown, next: NextResolve<Resolved>) => Resolved;
  }) => void;
}

/** The file of the agent, for an import that found no package. */
function fileOfAgent(specifier: string, error: unknown): Resolved {
  const url = FILES.get(specifier);
  const { code } = error as { readonly code?: string };
  if (url === undefined || !(code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')) throw error;
  return { url, format: 'module', shortCircuit: true };
}

let isOffered = false;

/** Lets modules that are imported from now on import the plugin API of this agent, where they find no other. */
export function offerAgentApi(): void {
  if (isOffered) return;
  isOffered = true;
  const { registerHooks } = nodeModule as unknown as SynchronousHooks;
  if (registerHooks === undefined) return nodeModule.register(import.meta.url);
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        return fileOfAgent(specifier, error);
      }
    },
  });
}

/** The hook for Node.js without `registerHooks`, which imports this file in a thread of its own. */
export async function resolve(
  specifier: string,
  context: unknown,
  next: NextResolve<Promise<Resolved>>,
): Promise<Resolved> {
  try {
    return await next(specifier, context);
  } catch (error) {
    return fileOfAgent(specifier, error);
  }
}
