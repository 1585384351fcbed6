// The numbers of the last minutes as bars.

import { svg, html, type TemplateResult } from 'lit';

/** Most minutes that a channel reports. */
const MINUTES = 60;
const HEIGHT = 40;

/** One bar for each minute, the newest at the right end. @param words all of it in words */
export function curveView(counts: readonly number[], words: string): TemplateResult {
  const top = Math.max(1, ...counts);
  const bars = counts.map((count, index) => {
    const height = (count / top) * HEIGHT;
    return svg`<rect x=${(MINUTES - counts.length + index) * 4} y=${HEIGHT - height} width="3" height=${height}></rect>`;
  });
  return html`<svg
    class="curve"
    viewBox="0 0 ${MINUTES * 4} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label=${words}
  >
    ${bars}
  </svg>`;
}
