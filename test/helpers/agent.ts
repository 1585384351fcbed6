// Starts agents in the process of a test, on a free port.

import type { ExecutionContext } from 'ava';
import { createAgent, defineSettings, type Agent, type PluginDeclaration } from '../../core/index.js';

/** An agent that was started, and where it is. */
export interface StartedAgent {
  readonly agent: Agent;
  /** `http://127.0.0.1:port` or `https://…`. */
  readonly url: string;
  readonly port: number;
}

/**
 * Starts an agent that is stopped at the end of the test. It listens on a free port of 127.0.0.1 and logs nothing below fatal
 * unless the values say otherwise.
 *
 * @param values settings by dotted key
 */
export async function startAgent(
  t: ExecutionContext,
  values: Readonly<Record<string, unknown>> = {},
): Promise<StartedAgent> {
  const settings = defineSettings(
    { 'operations.listenAddress': '127.0.0.1:0', 'logging.spec': 'fatal', ...values },
    process.cwd(),
  );
  const agent = await createAgent(settings);
  t.teardown(() => agent.stop());
  await agent.start();
  const address = agent.address ?? '';
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  return { agent, port, url: `${settings.operations.tls.enabled ? 'https' : 'http'}://${address}` };
}

/** A declaration as configuration makes it, for tests that skip configuration. */
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
