// Resolves the plugin API of the running agent for plugins without this package in their directories.

import * as nodeModule from 'node:module';

/** Modules of the agent that a plugin may import, and their files. Types and `fabric-ops-agent/testing` are for authors, who install the package. */
const FILES: ReadonlyMap<string, string> = new Map([
  ['fabric-ops-agent/plugin', new URL('../contract/index.js', import.meta.url).href],
  ['fabric-ops-agent/kit', new URL('../kit/index.js', import.meta.url).href],
  ['fabric-ops-agent/kit/metrics', new URL('../kit/metrics.js', import.meta.url).href],
  ['fabric-ops-agent/kit/notifier', new URL('../kit/notifier.js', import.meta.url).href],
]);

/** The names that a plugin can import from each module of the agent. */
export const namesOfApi = async (): Promise<ReadonlyMap<string, readonly string[]>> =>
  new Map(
    await Promise.all(
      [...FILES].map(
        async ([specifier, url]) => [specifier, Object.keys((await import(url)) as object)] as const,
      ),
    ),
  );

/** The result of a resolve hook (https://nodejs.org/api/module.html#resolvespecifier-context-nextresolve). */
interface Resolved {
  readonly url: string;
  readonly format?: string | null;
  readonly shortCircuit?: boolean;
}

type NextResolve<Result> = (specifier: string, context: unknown) => Result;

/** Hooks in the importing thread, which also apply to `require`; in Node.js 22.15 and newer. */
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

/** Gives the plugin API of this agent to modules that are imported from now on and find no other one. */
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

/** The hook for Node.js without `registerHooks`, which imports this file in a separate thread. */
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
