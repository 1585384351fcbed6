// The content of the drawer.

import type { Details } from '../status/answer/index.js';

/** A thing whose details the drawer shows. */
export type Target =
  | Details
  | { readonly of: 'channel' | 'host'; readonly name: string }
  | { readonly of: 'follows'; readonly component: string }
  | { readonly of: 'others' | 'certificates' | 'levels' | 'events' | 'silences' };
