// The look of the page: light and dark, from 360 pixels on.

import { css } from 'lit';

export const styles = css`
  :host {
    --text: #1b1f24;
    --dim: #57606a;
    --paper: #ffffff;
    --box: #f6f8fa;
    --line: #d0d7de;
    --link: #0550ae;
    --danger: #b3140f;
    --danger-box: #fff0ee;
    --warning: #7a4b00;
    --good: #116329;
    display: block;
    max-width: 72rem;
    margin: 0 auto;
    padding: 1rem;
    color: var(--text);
    font:
      1rem/1.5 system-ui,
      sans-serif;
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --text: #e6edf3;
      --dim: #9da7b1;
      --paper: #0d1117;
      --box: #161b22;
      --line: #3d444d;
      --link: #79b8ff;
      --danger: #ff8f87;
      --danger-box: #3a1514;
      --warning: #f0b849;
      --good: #6fdd8b;
    }
  }
  * {
    box-sizing: border-box;
  }
  h1 {
    font-size: 1.25rem;
    margin: 0 0 0.5rem;
  }
  h2 {
    font-size: 1.1rem;
    margin: 1.5rem 0 0.5rem;
  }
  h3 {
    font-size: 1rem;
    margin: 0.75rem 0 0.25rem;
  }
  .drop {
    border: 2px dashed var(--line);
    border-radius: 0.5rem;
    padding: 1rem;
    background: var(--box);
  }
  .drop.over {
    border-color: var(--link);
  }
  button,
  input,
  select {
    font: inherit;
    color: inherit;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.375rem;
    padding: 0.25rem 0.75rem;
  }
  button:focus-visible,
  input:focus-visible,
  .row:focus-visible {
    outline: 2px solid var(--link);
    outline-offset: 1px;
  }
  input {
    max-width: 100%;
  }
  .dim {
    color: var(--dim);
  }
  .finding {
    border-left: 4px solid var(--line);
    padding: 0.25rem 0.75rem;
    margin: 0.5rem 0;
    background: var(--box);
  }
  .finding.danger,
  .finding.refused {
    border-color: var(--danger);
    background: var(--danger-box);
  }
  .verdict {
    font-size: 1.35rem;
    font-weight: 600;
  }
  .verdict.bad {
    color: var(--danger);
  }
  .verdict.open {
    color: var(--warning);
  }
  .verdict.good {
    color: var(--good);
  }
  .fingerprint {
    font:
      600 1.15rem/1.4 ui-monospace,
      monospace;
    overflow-wrap: anywhere;
    letter-spacing: 0.02em;
  }
  .scroll {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    width: 100%;
  }
  th,
  td {
    text-align: left;
    vertical-align: top;
    padding: 0.25rem 0.75rem 0.25rem 0;
    border-bottom: 1px solid var(--line);
    overflow-wrap: anywhere;
  }
  .tree {
    height: 24rem;
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: 0.375rem;
  }
  .row {
    display: flex;
    gap: 0.75rem;
    width: 100%;
    min-height: 1.75rem;
    padding: 0.1rem 0.5rem;
  }
  .row .name {
    flex: none;
    max-width: 60%;
    overflow-wrap: anywhere;
  }
  .row .words {
    color: var(--dim);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .bar {
    height: 0.6rem;
    border-radius: 0.3rem;
  }
  .bar rect.track {
    fill: var(--line);
  }
  .bar rect.left {
    fill: var(--good);
  }
  .bar rect.soon {
    fill: var(--warning);
  }
  .bar rect.over {
    fill: var(--danger);
  }
  .dot {
    fill: var(--good);
  }
  .dot.spare {
    fill: none;
    stroke: var(--dim);
  }
`;
