// `start`: its flags and arguments.

import type { Command } from '../../command.js';

/** The command. */
export const start: Command = {
  name: 'start',
  help: 'Serve the translator over HTTP.',
  flags: [
    {
      name: 'hostname',
      kind: 'string',
      fallback: '0.0.0.0',
      help: 'The address to listen on; empty: all addresses.',
    },
    { name: 'port', kind: 'port', fallback: '7059', help: 'The port to listen on; 0: any free port.' },
    {
      name: 'CORS',
      kind: 'string',
      isRepeatable: true,
      help: "An origin whose pages may call the service, or '*' for all origins (may be repeated).",
    },
    {
      name: 'workers',
      kind: 'string',
      fallback: '1',
      help: 'The number of processes that serve requests, or auto for one for each core.',
    },
    { name: 'no-page', kind: 'boolean', help: 'Do not serve the channel page at /.' },
    { name: 'max-body', kind: 'size', fallback: '100MB', help: 'The maximum size of a request body.' },
    {
      name: 'max-output',
      kind: 'size',
      help: 'The maximum size of the JSON that a request can be decoded to; by default four times --max-body.',
    },
    {
      name: 'tls-cert',
      kind: 'input',
      help: 'The server certificate (PEM). The service then accepts only TLS connections.',
    },
    { name: 'tls-key', kind: 'input', help: 'The private key of the server certificate (PEM).' },
    {
      name: 'tls-client-ca',
      kind: 'input',
      isRepeatable: true,
      help: 'A CA certificate (PEM). Clients must then present a certificate issued by one of these CAs (may be repeated).',
    },
  ],
  load: () => import('./run.js'),
};
