// The styles of both pages: light and dark, for widths from 360 pixels on.

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
    --stale: #6e7781;
    --primary: #0550ae;
    --on-primary: #ffffff;
    --space-1: 4px;
    --space-2: 8px;
    --space-3: 12px;
    --space-4: 16px;
    --space-5: 24px;
    --space-6: 32px;
    --small: 0.8125rem/1.25rem;
    --body: 0.9375rem/1.375rem;
    --strong: 1.0625rem/1.5rem;
    --answer: 1.5rem/1.875rem;
    --radius: 6px;
    --hit: 32px;
    display: block;
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
      --stale: #8b949e;
      --primary: #79b8ff;
      --on-primary: #0d1117;
    }
  }
  * {
    box-sizing: border-box;
  }
  :host([hidden]) {
    display: none;
  }
  .outdated {
    visibility: hidden;
  }
  main {
    max-width: 72rem;
    margin: 0 auto;
    padding: 1rem;
    overflow-wrap: break-word;
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
  select,
  textarea {
    font: inherit;
    color: inherit;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.375rem;
    padding: 0.25rem 0.75rem;
  }
  button:focus-visible,
  input:focus-visible,
  select:focus-visible,
  textarea:focus-visible,
  summary:focus-visible,
  pre:focus-visible,
  .tree:focus-visible,
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
    overflow-wrap: anywhere;
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
    overflow-wrap: break-word;
  }
  th {
    overflow-wrap: normal;
  }
  .long {
    overflow-wrap: anywhere;
  }
  .drop p {
    margin: 0.25rem 0;
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
    height: 1.75rem;
    padding: 0.1rem 0.5rem;
  }
  .row span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .row .name {
    flex: none;
    max-width: 75%;
  }
  .row .words {
    color: var(--dim);
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
  button {
    cursor: pointer;
  }
  button:disabled {
    color: var(--stale);
    background: none;
    border-style: dashed;
    opacity: 0.7;
    cursor: not-allowed;
  }
  label,
  select {
    max-width: 100%;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
  }
  .row[aria-selected='true'] {
    background: var(--box);
    outline: 1px solid var(--link);
  }
  .field {
    display: block;
    margin: 0.5rem 0;
  }
  .field span {
    display: block;
    color: var(--dim);
  }
  .field input,
  .field select,
  .field textarea {
    width: 100%;
    max-width: 40rem;
  }
  .field textarea,
  pre,
  code {
    font-family: ui-monospace, monospace;
    font-size: 0.9rem;
  }
  pre {
    max-height: 24rem;
    overflow: auto;
    padding: 0.5rem;
    background: var(--box);
  }
  code {
    overflow-wrap: anywhere;
  }
  .message:empty {
    display: none;
  }
  del {
    color: var(--dim);
  }
  ins {
    text-decoration: none;
    font-weight: 600;
  }
  .signer {
    color: var(--good);
  }
  .count,
  .lost,
  .gained {
    font-weight: 600;
  }
  .lost {
    color: var(--danger);
  }
  .gained {
    color: var(--warning);
  }
  .unknown {
    border-left: 4px solid var(--warning);
    padding: 0.25rem 0.75rem;
    margin: 0.5rem 0;
    background: var(--box);
    overflow-wrap: anywhere;
  }
  .unknown h3,
  .unknown ul {
    margin: 0;
  }
  .tone-good {
    color: var(--good);
  }
  .tone-open {
    color: var(--warning);
  }
  .tone-bad {
    color: var(--danger);
  }
  .detail td:first-child {
    padding-left: 1rem;
  }
  .entry {
    margin: 0.75rem 0 0;
    font-weight: 600;
  }
  .timeline {
    list-style: none;
    margin: 0;
    padding: 0 0 0 1rem;
    border-left: 2px solid var(--line);
  }
  .timeline > li {
    position: relative;
  }
  .timeline > li::before {
    content: '';
    position: absolute;
    left: -1.45rem;
    top: 0.4rem;
    width: 0.75rem;
    height: 0.75rem;
    border-radius: 50%;
    background: var(--link);
  }
  .finding.warning {
    border-color: var(--warning);
  }
  .control {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    margin: 0.25rem 0;
    overflow-wrap: anywhere;
  }
  /* The states: each has a colour, a glyph and a word. */
  .state-works {
    color: var(--good);
  }
  .state-risk {
    color: var(--warning);
  }
  .state-stopped,
  .state-silent {
    color: var(--danger);
  }
  .state-unknown {
    color: var(--dim);
  }
  .state-stale {
    color: var(--stale);
    opacity: 0.6;
  }
  .state-works::before {
    content: '● ';
  }
  .state-risk::before {
    content: '◐ ';
  }
  .state-stopped::before {
    content: '■ ';
  }
  .state-silent::before {
    content: '◌ ';
  }
  .state-unknown::before,
  .state-stale::before {
    content: '○ ';
  }
  .primary {
    color: var(--on-primary);
    background: var(--primary);
    border-color: var(--primary);
    font-weight: 600;
  }
  @media (prefers-reduced-motion: no-preference) {
    button {
      transition: background-color 0.1s;
    }
  }
`;
