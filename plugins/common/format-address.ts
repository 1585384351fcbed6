import type { HostPort } from '../../core/contract/index.js';

/** Formats an address as `host:port`, with an IPv6 host in brackets. */
export function formatAddress({ host, port }: HostPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
