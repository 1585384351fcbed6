// Starts agents in the process of the test, on a free port.

import test, { type ExecutionContext } from 'ava';
import { createAgent, defineSettings, type Agent, type PluginDeclaration } from '../../core/index.js';
import { NoLag } from './no-lag.js';

/** A started agent and its address. */
export interface StartedAgent {
  readonly agent: Agent;
  /** `http://127.0.0.1:port` or `https://…`. */
  readonly url: string;
  readonly port: number;
}

/**
 * Starts an agent and stops it at the end of the test. Unless the values say otherwise, it listens on a free port of 127.0.0.1 and
 * logs at fatal, each request runs the checks, no check is late, and the checks run in the background only at the start.
 *
 * @param values settings by dotted key
 */
export async function startAgent(
  t: ExecutionContext,
  values: Readonly<Record<string, unknown>> = {},
): Promise<StartedAgent> {
  return start(t, values);
}

/**
 * Returns a function that starts agents as {@link startAgent} does, one for each set of values, for all tests of a file: for tests
 * that change nothing. They are stopped after all tests. Call it at the top of a file.
 */
export function shareAgents(): (values?: Readonly<Record<string, unknown>>) => Promise<StartedAgent> {
  const ends: (() => unknown)[] = [];
  const agents = new Map<string, Promise<StartedAgent>>();
  test.after.always(() => Promise.all(ends.map((end) => end())));
  return (values = {}) => {
    const key = JSON.stringify(values);
    const agent = agents.get(key) ?? start({ teardown: (end) => void ends.push(end) }, values);
    agents.set(key, agent);
    return agent;
  };
}

async function start(
  t: Pick<ExecutionContext, 'teardown'>,
  values: Readonly<Record<string, unknown>>,
): Promise<StartedAgent> {
  const settings = defineSettings(
    {
      'operations.listenAddress': '127.0.0.1:0',
      'logging.spec': 'fatal',
      'health.cacheFor': '0s',
      'health.interval': '1h',
      'health.timeout': '5m',
      ...values,
    },
    process.cwd(),
  );
  const agent = await createAgent(settings, [], new NoLag());
  t.teardown(() => agent.stop());
  await agent.start();
  const address = agent.address ?? '';
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  return { agent, port, url: `${settings.operations.tls.enabled ? 'https' : 'http'}://${address}` };
}

/** A plugin declaration, for tests without a configuration. */
export function declaration(values: Partial<PluginDeclaration>): PluginDeclaration {
  return {
    plugin: 'docker',
    name: undefined,
    onStartError: 'fail',
    options: {},
    origin: 'test.yaml:1: plugins[0]',
    directory: process.cwd(),
    fallback: false,
    ...values,
  };
}
