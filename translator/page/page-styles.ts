// The layout of the channel page; the colours and sizes are in core/common/page/styles.ts.

import { css } from 'lit';

export const pageStyles = css`
  :host {
    font:
      var(--body) system-ui,
      sans-serif;
  }
  main {
    max-width: 84rem;
    padding: var(--space-2) var(--space-4) var(--space-6);
  }
  h3 {
    font:
      600 var(--strong) system-ui,
      sans-serif;
    margin: var(--space-4) 0 var(--space-1);
  }
  h2 {
    font:
      600 var(--strong) system-ui,
      sans-serif;
    margin: 0 0 var(--space-2);
  }
  button,
  select,
  input:not([type='checkbox']) {
    min-height: var(--hit);
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2);
    height: auto;
    border-radius: 0;
    padding: var(--space-1) 0;
  }
  .bar h1 {
    font:
      600 var(--strong) system-ui,
      sans-serif;
    margin: 0;
    flex: 1 1 auto;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1);
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: var(--space-1);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--box);
    padding: 0 0 0 var(--space-2);
    min-height: var(--hit);
    max-width: 100%;
    overflow-wrap: anywhere;
  }
  .chip.bad {
    border-color: var(--danger);
    background: var(--danger-box);
    color: var(--danger);
  }
  .chip.you {
    border-color: var(--good);
  }
  .chip button {
    border: 0;
    background: none;
    padding: 0;
    min-width: var(--hit);
    color: inherit;
  }
  nav.places {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1);
    align-items: center;
    border-bottom: 1px solid var(--line);
    margin-bottom: var(--space-3);
  }
  nav.places button {
    border: 0;
    border-bottom: 3px solid transparent;
    border-radius: 0;
    background: none;
  }
  nav.places button[aria-current='page'] {
    border-color: var(--link);
    font-weight: 600;
  }
  nav.places .versions {
    margin-left: auto;
    color: var(--dim);
  }
  .versions summary {
    min-height: var(--hit);
    align-content: center;
  }
  .versions input {
    width: 22rem;
    max-width: 100%;
  }
  .versions[open] {
    flex-basis: 100%;
    text-align: right;
  }
  .message {
    margin: var(--space-1) 0;
  }
  .toast {
    position: fixed;
    right: var(--space-4);
    bottom: var(--space-4);
    margin: 0;
    padding: var(--space-2) var(--space-3);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--box);
    z-index: 2;
  }

  /* Start */
  .start {
    max-width: 46rem;
    margin: 12vh auto 0;
  }
  .start .lead-line {
    font:
      600 var(--answer) system-ui,
      sans-serif;
    margin: 0 0 var(--space-5);
    text-wrap: balance;
  }
  .start.small {
    margin-top: var(--space-4);
  }
  .drop {
    padding: var(--space-6) var(--space-5);
    border-radius: var(--radius);
  }
  .drop .needed {
    margin-top: var(--space-3);
    text-wrap: balance;
  }
  :host(.over) .drop,
  :host(.over) main {
    outline: 2px dashed var(--link);
  }
  .demo {
    margin: 0 0 var(--space-2);
  }
  .start a {
    color: var(--link);
  }
  .start .where {
    margin-top: var(--space-5);
  }
  .command {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--box);
    padding: var(--space-1) var(--space-1) var(--space-1) var(--space-2);
  }
  .command code {
    flex: 1;
    min-width: 0;
  }
  summary {
    cursor: pointer;
    min-height: var(--hit);
    align-content: center;
  }

  /* Review */
  .review {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 20rem;
    gap: 0 var(--space-5);
    align-items: start;
  }
  .review.many {
    grid-template-columns: 14rem minmax(0, 1fr) 20rem;
  }
  .inbox {
    display: flex;
    flex-direction: column;
    gap: var(--space-1);
  }
  .inbox h2 {
    font:
      600 var(--small) system-ui,
      sans-serif;
    color: var(--dim);
    margin: 0 0 var(--space-1);
  }
  .inbox .list {
    max-height: 70vh;
    overflow-y: auto;
  }
  .inbox button {
    display: block;
    width: 100%;
    text-align: left;
    border-color: transparent;
    background: none;
    overflow-wrap: anywhere;
  }
  .inbox .dim {
    font-weight: normal;
  }
  .inbox button[aria-current='true'] {
    background: var(--box);
    border-color: var(--line);
    font-weight: 600;
  }
  .verdict {
    font:
      600 var(--answer) system-ui,
      sans-serif;
    margin: 0 0 var(--space-2);
    overflow-wrap: anywhere;
  }
  .verdict .reason {
    display: block;
    font:
      600 var(--strong) system-ui,
      sans-serif;
  }
  .word {
    display: inline-block;
    max-width: 100%;
  }
  .pen {
    border-color: transparent;
    background: none;
    padding: 0;
    min-width: var(--hit);
  }
  .lead {
    margin-bottom: var(--space-3);
  }
  .lead p {
    margin: 0 0 var(--space-1);
  }
  .nobody {
    margin: 0 0 var(--space-3);
  }
  .scroll:focus-visible {
    outline: 2px solid var(--link);
  }
  tbody th {
    font-weight: normal;
  }
  .decides th[scope='row'] {
    font-weight: normal;
  }
  .mark {
    color: var(--danger);
  }
  [data-state='risk'] .mark {
    color: var(--warning);
  }
  ul.plain {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .plain ul.plain {
    padding-left: var(--space-4);
  }
  .legend {
    color: var(--dim);
    margin: var(--space-1) 0;
  }
  .orderer {
    font:
      var(--small) system-ui,
      sans-serif;
    margin-top: var(--space-1);
  }
  .new-cas {
    border: 1px solid var(--warning);
    border-radius: var(--radius);
    padding: var(--space-2) var(--space-3);
    margin: 0 0 var(--space-3);
  }
  .new-cas p {
    margin: 0;
  }
  .new-cas code {
    display: block;
  }
  .basis {
    margin-top: var(--space-4);
    color: var(--dim);
  }
  .part {
    position: sticky;
    top: var(--space-2);
  }
  .part-bar {
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--box);
    padding: var(--space-3);
  }
  .part-bar p {
    margin: 0 0 var(--space-2);
    overflow-wrap: anywhere;
  }
  .part-bar .primary {
    flex: 1 0 100%;
    overflow-wrap: anywhere;
  }
  .part-bar .quiet {
    background: none;
    overflow-wrap: anywhere;
  }
  .part-title {
    font:
      600 var(--strong) system-ui,
      sans-serif;
  }
  .policy h4 {
    margin: var(--space-2) 0 0;
    font:
      600 var(--small) system-ui,
      sans-serif;
    overflow-wrap: anywhere;
  }
  .policy h4 .dim {
    font-weight: normal;
  }
  .fingerprint-note {
    margin: 0 0 var(--space-1);
  }
  .compare {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
    align-items: center;
    margin: 0 0 var(--space-3);
  }

  /* Channel */
  .facts {
    display: grid;
    grid-template-columns: 10rem minmax(0, 1fr);
    gap: var(--space-2) var(--space-4);
    align-items: baseline;
    margin: 0 0 var(--space-4);
  }
  .facts dt {
    font-weight: 600;
  }
  .facts dd {
    margin: 0;
    min-width: 0;
  }
  .dots {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--space-3);
  }
  .names {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1);
    max-height: 16rem;
    overflow: auto;
  }
  .names button {
    border-color: transparent;
    background: var(--box);
  }
  .two {
    display: grid;
    grid-template-columns: minmax(0, 5fr) minmax(0, 7fr);
    gap: var(--space-4) var(--space-6);
    align-items: start;
  }
  .card {
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: var(--space-2) var(--space-4) var(--space-3);
    margin: 0 0 var(--space-3);
  }
  progress {
    width: 100%;
    accent-color: var(--link);
  }

  /* Edit */
  .palette input {
    width: 100%;
    max-width: 40rem;
  }
  .palette .list {
    max-height: 22rem;
    overflow-y: auto;
    max-width: 40rem;
  }
  .palette button {
    display: block;
    width: 100%;
    text-align: left;
    border-color: transparent;
    background: none;
    overflow-wrap: anywhere;
  }

  @media (max-width: 60rem) {
    .review,
    .review.many {
      grid-template-columns: minmax(0, 1fr) 16rem;
    }
    .review.many .inbox {
      grid-column: 1 / -1;
      margin-bottom: var(--space-2);
    }
    .inbox {
      flex-direction: row;
      align-items: flex-start;
    }
    .inbox h2,
    .inbox .list:not(.open) button:not([aria-current='true']) {
      display: none;
    }
    .inbox .list {
      flex: 1;
      min-width: 0;
      order: -1;
    }
    .inbox .updates-button {
      width: auto;
      flex: none;
      border-color: var(--line);
    }
    .chips:not(.open) .chip:not(.bad) {
      display: none;
    }
    .chips {
      flex-basis: 100%;
    }
    .chips:not(.open):not(:has(.bad)) {
      display: none;
    }
    .two {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (max-width: 40rem) {
    :host {
      --hit: 44px;
    }
    main {
      padding: var(--space-1) var(--space-3) 7rem;
    }
    .review,
    .review.many {
      display: block;
    }
    .verdict {
      font:
        600 var(--strong) system-ui,
        sans-serif;
    }
    .start {
      margin-top: var(--space-5);
    }
    .facts {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
    .facts dd {
      position: relative;
      margin-bottom: var(--space-2);
    }
    .facts dd:has(.pen) {
      padding-right: var(--hit);
    }
    .pen {
      position: absolute;
      right: 0;
      top: calc((1.375rem - var(--hit)) / 2);
    }
    .part {
      position: static;
    }
    .part-bar {
      position: fixed;
      left: 0;
      right: 0;
      bottom: 0;
      z-index: 1;
      border-radius: 0;
      border-width: 1px 0 0;
      padding: var(--space-2) var(--space-3);
      max-height: 40vh;
      overflow-y: auto;
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: var(--space-1) var(--space-2);
    }
    .part-bar p {
      margin: 0;
    }
    .part-bar .say {
      flex: 1 1 10rem;
    }
    .part-bar:not(:has(.primary)):not(.dangerous) .part-title {
      font-size: 0.8125rem;
      line-height: 1.25rem;
    }
    .part-bar:has(.primary) .say,
    .part-bar:has(.primary) .buttons {
      flex-basis: 100%;
    }
    .part-bar .buttons button {
      flex: 1 1 auto;
      min-width: 0;
      max-width: 100%;
      padding: 0 var(--space-2);
      overflow-wrap: anywhere;
    }
    .part-bar .buttons .primary {
      font-weight: 600;
    }
    /* Nobody signs a dangerous update in passing: only its title stays in view. */
    .part-bar.dangerous {
      display: block;
      position: static;
      border-width: 1px;
      border-radius: var(--radius);
      max-height: none;
    }
    .part-bar.dangerous .part-title {
      position: fixed;
      left: 0;
      right: 0;
      bottom: 0;
      z-index: 1;
      border-top: 1px solid var(--line);
      background: var(--box);
      padding: var(--space-2) var(--space-3);
    }
    .start .wide {
      display: none;
    }
    /* While users write, the verdict stays in view. */
    .live .verdict {
      position: fixed;
      left: 0;
      right: 0;
      bottom: 0;
      z-index: 1;
      margin: 0;
      border-top: 1px solid var(--line);
      background: var(--box);
      padding: var(--space-2) var(--space-3);
      max-height: 30vh;
      overflow-y: auto;
    }
    .part-bar .part-title {
      font:
        600 var(--body) system-ui,
        sans-serif;
    }
    .decides thead,
    .stack thead,
    .review .scroll thead {
      display: none;
    }
    .decides tr,
    .stack tr,
    .review .scroll tr {
      display: block;
      padding: var(--space-1) 0;
      border-bottom: 1px solid var(--line);
    }
    .decides th,
    .decides td,
    .stack td,
    .review .scroll td {
      display: block;
      border: 0;
      padding: 0;
    }
    .stack td:first-child:not(:last-child) {
      color: var(--dim);
    }
    .decides td::before {
      content: attr(data-title) ': ';
      color: var(--dim);
    }
    .bar .buttons,
    nav.places .versions {
      display: none;
    }
    .files-open .bar .buttons {
      display: flex;
    }
    .files-open nav.places .versions {
      display: block;
    }
    nav.places button {
      padding: 0 var(--space-2);
    }
  }
  @media (min-width: 60.01rem) {
    .files-button,
    .inbox .updates-button {
      display: none;
    }
  }
`;
