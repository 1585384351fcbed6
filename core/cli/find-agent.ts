import type { ClientOptions } from './client-flags.js';
import { sendGet } from './service-client.js';

/** The port that `start --beside` listens on by default, because the default of `start` is often that of the node. */
export const BESIDE_PORT = 9444;

/**
 * Where the agent is when nothing says it: on the port of `start --beside` if there is an agent, else on that of the settings.
 *
 * @param port the port of `start --beside`
 */
export async function findAgent(options: ClientOptions, port = BESIDE_PORT): Promise<ClientOptions> {
  if (options.isGiven) return options;
  const url = new URL(options.url);
  url.port = String(port);
  try {
    // Nodes do not have this resource.
    const { status } = await sendGet(new URL('/livez', url), options.tls, options.timeout);
    return status === 200 ? { ...options, url } : options;
  } catch {
    return options;
  }
}
