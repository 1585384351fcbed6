import { API_VERSION, type Lifecycle } from './lifecycle.js';
import type { PluginContext, PluginDefinition } from './plugin.js';
import type { OptionSchema } from './options.js';

/** Tells whether one component is healthy. */
export interface HealthChecker extends Lifecycle {
  /**
   * Resolves when the component is healthy; throws or rejects with the reason shown to the operator when it is not.
   *
   * @param signal aborted at the deadline of the check (`health.timeout`); the check has failed then, whatever it does
   */
  check(signal: AbortSignal): void | Promise<void>;
}

/** What a check without state is called with. */
export type CheckContext<Schema extends OptionSchema> = PluginContext<'health', Schema> & {
  readonly signal: AbortSignal;
};

/** A checker that keeps nothing between checks. */
export interface SimpleHealthChecker<Schema extends OptionSchema> {
  readonly name: string;
  /** @default no options */
  readonly options?: Schema;
  check(context: CheckContext<Schema>): void | Promise<void>;
}

/** A checker that keeps something (a client, say) between checks. */
export interface StatefulHealthChecker<Schema extends OptionSchema> {
  readonly name: string;
  /** @default no options */
  readonly options?: Schema;
  create(context: PluginContext<'health', Schema>): HealthChecker;
}

/**
 * Defines a health checker.
 *
 * @example
 * export default defineHealthChecker({
 *   name: 'disk',
 *   options: { path: { format: String, default: '/', doc: 'mount point' } },
 *   async check({ options, signal }) { // throw new Error('reason') when unhealthy
 *   },
 * });
 */
export function defineHealthChecker<const Schema extends OptionSchema = Record<never, never>>(
  checker: SimpleHealthChecker<Schema> | StatefulHealthChecker<Schema>,
): PluginDefinition<'health', Schema> {
  return {
    apiVersion: API_VERSION,
    kind: 'health',
    name: checker.name,
    options: checker.options ?? ({} as Schema),
    create:
      'create' in checker
        ? (context) => checker.create(context)
        : (context) => ({ check: (signal) => checker.check({ ...context, signal }) }),
  };
}
