// The nodes and channels of a silence, in words. Runs in browsers.

import { onOneLine } from '../common/text/one-line.js';
import type { SilenceStatus } from './document.js';

/** `all nodes and channels`, `peer0`, `the channel ch1`, `peer0 in ch1` */
export function scopeText({ node, channel }: Pick<SilenceStatus, 'node' | 'channel'>): string {
  if (node !== undefined) return onOneLine(channel === undefined ? node : `${node} in ${channel}`);
  return channel === undefined ? 'all nodes and channels' : `the channel ${onOneLine(channel)}`;
}
