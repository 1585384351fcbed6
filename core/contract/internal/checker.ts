// The definition of a built-in checker whose context has what the agent knows about its nodes.

import type { HealthChecker } from '../lifecycle.js';
import {
  defineHealthChecker,
  type OptionSchema,
  type PluginContext,
  type PluginDefinition,
  type PluginParts,
} from '../plugin.js';
import type { Facts } from './facts.js';
import type { HostClock } from './host-clock.js';
import type { Ledgers } from './ledgers.js';

/** The members of the context that only built-in checkers use. */
export interface NodeKnowledge {
  /** Publishes and returns what checkers know. */
  readonly facts: Facts;
  /** Reads the ledger folders of nodes. */
  readonly ledgers: Ledgers;
  /** Takes evidence about the clock of this host. */
  readonly clock: HostClock;
}

/** A built-in checker. */
export interface NodeChecker extends HealthChecker {
  /** `files`: its failures are about files on the disk. The log of the node does not explain them, and is not shown. @default the node or a part of it */
  readonly kind?: 'files';
}

/** The definition of a checker that uses {@link NodeKnowledge} or has a kind. */
export interface NodeCheckerDefinition<Schema extends OptionSchema> extends PluginDefinition<
  'checker',
  Schema
> {
  create(context: PluginContext<'checker', Schema> & NodeKnowledge): NodeChecker;
}

/** Defines a checker that uses {@link NodeKnowledge} or has a kind. */
export const defineNodeChecker = <const Schema extends OptionSchema = Record<never, never>>(
  checker: PluginParts<Schema> & Pick<NodeCheckerDefinition<Schema>, 'create'>,
): NodeCheckerDefinition<Schema> =>
  // The agent gives each checker this context.
  defineHealthChecker(
    checker as Parameters<typeof defineHealthChecker<Schema>>[0],
  ) as NodeCheckerDefinition<Schema>;
