// The numbers of the last minutes as bars.

import { svg, html, type TemplateResult } from 'lit';

/** The units of the picture. */
const WIDTH = 240;
const HEIGHT = 40;
/** Fewest minutes of the whole width. */
const MINUTES = 20;

/** One bar for each minute, the newest at the right end. @param words all of it in words */
export function curveView(counts: readonly number[], words: string): TemplateResult {
  const top = Math.max(1, ...counts);
  const step = WIDTH / Math.max(MINUTES, counts.length);
  const bars = counts.map((count, index) => {
    const height = (count / top) * HEIGHT;
    return svg`<rect x=${WIDTH - (counts.length - index) * step} y=${HEIGHT - height} width=${step * 0.75} height=${height}></rect>`;
  });
  return html`<svg
    class="curve"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label=${words}
  >
    ${bars}
  </svg>`;
}
