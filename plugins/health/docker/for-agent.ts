import type { ForAgent, WithOrigin } from '../../../core/contract/for-node.js';

/** The engine in the configuration of a peer. */
export const forAgent: ForAgent = (agent) => {
  const key = 'vm.endpoint';
  const endpoint = agent.get(key);
  if (endpoint.value === '') return undefined;
  if (agent.get('vm.docker.tls.enabled').value !== true) return { key, options: { endpoint } };
  const file = (name: string): WithOrigin<unknown> => agent.get(`vm.docker.tls.${name}.file`);
  const files = { ca: file('ca'), cert: file('cert'), key: file('key') };
  const hasFiles = `${String(files.ca.value)}${String(files.cert.value)}` !== '';
  return { key, options: { endpoint: hasFiles ? endpoint : withTlsScheme(endpoint), ...files } };
};

/** With TLS enabled but no files set, only the scheme of the endpoint can enable TLS in the plugin. */
const withTlsScheme = ({ value, origin }: WithOrigin<unknown>): WithOrigin<unknown> => ({
  value: String(value).replace(/^(tcp|http):/, 'https:'),
  origin,
});
