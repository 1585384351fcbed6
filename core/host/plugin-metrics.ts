// The metrics of all plugins: their state and their faults.

import type { MetricFactory } from '../contract/index.js';

const STATES = ['created', 'starting', 'running', 'failed', 'stopped'] as const;

/** The state of a plugin instance. */
export type PluginState = (typeof STATES)[number];

/** The labels of a plugin instance. */
export interface PluginLabels {
  readonly kind: string;
  readonly plugin: string;
}

/** Records the states and faults of plugins. */
export interface PluginMetrics {
  recordState(plugin: PluginLabels, state: PluginState): void;
  /** @param phase what the plugin was doing: `start`, `flush`, `scrape` and so on */
  countFault(plugin: PluginLabels, phase: string): void;
}

/** Creates the metrics that all plugins share. */
export function createPluginMetrics(metrics: MetricFactory): PluginMetrics {
  const states = metrics.gauge({
    namespace: 'plugin',
    name: 'state',
    help: 'The state of the plugin: 1 for the current state, 0 for the others.',
    labelNames: ['kind', 'plugin', 'state'],
  });
  const faults = metrics.counter({
    namespace: 'plugin',
    name: 'faults_total',
    help: 'Errors of the plugin, by phase; failed checks are not included.',
    labelNames: ['kind', 'plugin', 'phase'],
  });
  return {
    recordState({ kind, plugin }, current) {
      for (const state of STATES) states.with({ kind, plugin, state }).set(state === current ? 1 : 0);
    },
    countFault: ({ kind, plugin }, phase) => faults.with({ kind, plugin, phase }).inc(),
  };
}
