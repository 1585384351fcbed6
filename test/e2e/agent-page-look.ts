// What the page of the agent looks like in Chromium.

import type { Page } from 'playwright-core';

/** The words of `live, 2 s ago`, of which the page shows only the first one during the first second. */
const LIVE = 4;
/** Least size of what people click, in pixels. */
const HIT = 32;

/** What a page looks like. */
export interface Look {
  readonly answerEnd: number;
  readonly height: number;
  /** In the first screen. */
  readonly words: number;
  /** Words that are broken inside: not after a hyphen or a slash. */
  readonly broken: readonly string[];
  /** Elements that scroll sideways. */
  readonly sideways: readonly string[];
  /** Buttons that are too small. */
  readonly small: readonly string[];
  /** Sentences that the page says twice, without the facts of rows: two rows can have the same. */
  readonly twice: readonly string[];
  readonly text: string;
}

/** Measures a page. The function runs in the browser. */
export const lookOf = (page: Page): Promise<Look> =>
  page.evaluate<Look>(`(() => {
    const root = document.querySelector('agent-page').shadowRoot;
    const main = root.querySelector('main');
    const all = [...main.querySelectorAll('*')];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const broken = [];
    let words = ${LIVE};
    while (walker.nextNode()) {
      const node = walker.currentNode;
      for (const { 0: word, index } of node.data.matchAll(/[^\\s/-]+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
        if (boxes.length === 0 || !/[\\p{L}\\p{N}]/u.test(word)) continue;
        if (boxes[0].top < innerHeight && !node.parentElement.closest('.live')) words += 1;
        if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
    const sentences = main.innerText.split(/\\n|(?<=\\.) /).map((each) => each.trim()).filter((each) => each.split(' ').length > 2);
    return {
      answerEnd: root.querySelector('.answer').getBoundingClientRect().bottom,
      height: document.documentElement.scrollHeight,
      words,
      broken,
      sideways: [document.documentElement, ...all].filter((each) => !each.closest('pre') && each.namespaceURI.endsWith('xhtml') && each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline').map((each) => each.className || each.tagName),
      small: [...main.querySelectorAll('button, select, a')].map((each) => [each.innerText, each.getBoundingClientRect().height]).filter(([, height]) => height < ${HIT}).map(([text]) => text),
      twice: sentences.filter((each, index) => sentences.indexOf(each) !== index && !/^(?:down for|newest |had \\d|\\d of \\d)/.test(each)),
      text: main.textContent,
    };
  })()`);
