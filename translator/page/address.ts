// The address of a part of the page, behind `#`: `#takeover.pb` is the review of a file, `#channel` a part of the page, `#Application/Org1`
// an opened organisation, and `#demo/takeover.pb` the review of a recorded example. Works without a browser.

import type { PlaceId } from './model.js';

/** The parts of the page with addresses of their own. */
const PLACES: readonly PlaceId[] = ['channel', 'identities', 'history', 'edit'];

/** What an address is of. */
export interface Address {
  /** Whether it is of the recorded example. */
  readonly isDemo: boolean;
  /** A part of the page; for a name, the part that shows it. */
  readonly place: PlaceId;
  /** The file of an update, or the opened organisation; empty for all of the part. */
  readonly name: string;
}

const DEMO = 'demo';

/** The address of a fragment; undefined if it is empty. */
export function addressOf(fragment: string): Address | undefined {
  const parts = fragment.replace(/^#/, '').split('/').map(decoded);
  const isDemo = parts[0] === DEMO;
  const [first = '', ...more] = isDemo ? parts.slice(1) : parts;
  const place = PLACES.find((each) => each === first);
  if (first === '') return isDemo ? { isDemo, place: 'review', name: '' } : undefined;
  if (place !== undefined && more.length === 0) return { isDemo, place, name: '' };
  return more.length === 0
    ? { isDemo, place: 'review', name: first }
    : { isDemo, place: 'channel', name: [first, ...more].join('/') };
}

/** The fragment of an address, with its `#`. */
export function fragmentOf({ isDemo, place, name }: Address): string {
  const parts = name === '' ? (place === 'review' ? [] : [place]) : name.split('/');
  return `#${[...(isDemo ? [DEMO] : []), ...parts.map(encodeURIComponent)].join('/')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
