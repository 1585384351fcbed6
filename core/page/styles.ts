// The styles of the page of the agent, besides the styles of both pages.

import { css } from 'lit';

export const layout = css`
  :host {
    --stale: #6e7781;
    --risk-box: #fff8e6;
    --planned: #4a6580;
    --planned-box: #eef3f8;
    --hover: #eaeef2;
    --danger-over: #ce6663;
    --warning-over: #a2814d;
    font-size: 15px;
    line-height: 22px;
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --stale: #8b949e;
      --risk-box: #2b2008;
      --planned: #9fb6cd;
      --planned-box: #18222d;
      --hover: #21262d;
      --danger-over: #9e5d5a;
      --warning-over: #957535;
    }
  }
  main {
    padding: 12px 16px 24px;
    overflow-wrap: break-word;
  }
  ul,
  ol,
  p {
    margin: 0;
    padding: 0;
  }
  ul {
    list-style: none;
  }
  h1,
  h2,
  h3 {
    margin: 0;
  }
  header {
    display: flex;
    justify-content: space-between;
    gap: 16px;
    min-height: 32px;
    align-items: center;
    color: var(--dim);
    margin-bottom: 8px;
  }
  header h1 {
    font-size: 15px;
    font-weight: 600;
    color: var(--text);
  }
  header .live {
    display: flex;
    gap: 6px;
    align-items: center;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .glyph {
    flex: none;
    width: 16px;
    height: 16px;
    fill: currentColor;
    color: var(--dim);
  }
  .glyph .ring {
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
  }
  .glyph .dashed {
    stroke-dasharray: 3 2.4;
  }
  .glyph[data-state='works'] {
    color: var(--good);
  }
  .glyph[data-state='risk'] {
    color: var(--warning);
  }
  .glyph[data-state='planned'] {
    color: var(--planned);
  }
  .glyph[data-state='stopped'],
  .glyph[data-state='silent'] {
    color: var(--danger);
  }
  .glyph[data-state='stale'] {
    color: var(--stale);
  }

  .answer {
    border: 1px solid var(--line);
    border-left: 6px solid var(--stale);
    border-radius: 6px;
    padding: 16px 20px;
    background: var(--box);
  }
  .answer[data-state='works'] {
    border-left-color: var(--good);
  }
  .answer[data-state='risk'] {
    border-left-color: var(--warning);
    background: var(--risk-box);
  }
  .answer[data-state='planned'] {
    border-left-color: var(--planned);
    background: var(--planned-box);
  }
  .answer[data-state='stopped'],
  .answer[data-state='silent'] {
    border-left-color: var(--danger);
    background: var(--danger-box);
  }
  .sentence {
    display: flex;
    gap: 12px;
    align-items: baseline;
  }
  .sentence .glyph {
    width: 20px;
    height: 20px;
    align-self: flex-start;
    margin-top: 5px;
  }
  .sentence .said {
    flex: 1;
    min-width: 0;
  }
  .sentence h2 {
    font-size: 24px;
    line-height: 30px;
    font-weight: 650;
    text-wrap: balance;
  }
  .age {
    color: var(--dim);
    white-space: nowrap;
  }
  .body {
    margin-left: 32px;
  }
  .meaning {
    margin-top: 4px;
    font-size: 17px;
    line-height: 24px;
  }
  .meaning:empty {
    display: none;
  }
  .steps {
    margin-top: 16px;
    padding-left: 20px;
  }
  .steps.single {
    list-style: none;
    padding-left: 0;
  }
  .steps > li {
    margin-top: 4px;
    font-weight: 600;
  }
  .steps > li > .link {
    font-weight: inherit;
  }
  .steps > li::marker {
    color: var(--dim);
  }
  .clues {
    margin: 2px 0;
    font-weight: 400;
  }
  .clues .link {
    text-align: left;
  }
  .clues span {
    color: var(--dim);
  }
  .steps > li.alternative {
    list-style: none;
    counter-increment: list-item 0;
  }
  .follows {
    margin-left: 20px;
    font-size: 13px;
  }
  .steps.single + .follows {
    margin-left: 0;
  }
  .others {
    margin: 12px 0 0 32px;
    padding-top: 8px;
    border-top: 1px solid var(--line);
  }
  .others li {
    display: flex;
    gap: 8px;
    align-items: center;
  }

  button.link,
  .member,
  .sentence .said,
  header h1,
  .meaning,
  .steps li {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  button.link {
    border: 0;
    background: none;
    min-height: 32px;
    padding: 0;
    text-align: left;
    font: inherit;
    color: var(--link);
  }
  button.link strong {
    color: var(--text);
  }
  button.link:hover {
    text-decoration: underline;
  }
  .copyable {
    display: flex;
    max-width: 44rem;
    margin: 4px 0;
    font-weight: 400;
  }
  .copyable code {
    flex: 1;
    align-content: center;
    min-width: 0;
    padding: 5px 12px;
    line-height: 22px;
    border: 1px solid var(--line);
    border-radius: 6px 0 0 6px;
    background: var(--paper);
  }
  .copyable a {
    display: block;
    margin: -5px 0;
    padding: 5px 0;
  }
  .whole {
    white-space: nowrap;
  }
  .copyable button {
    flex: none;
    min-height: 34px;
    border-left: 0;
    border-radius: 0 6px 6px 0;
    font-size: 13px;
  }
  .copyable button.copied::after {
    content: ' ✓';
  }

  .above {
    display: flex;
    gap: 16px;
    justify-content: space-between;
    margin: 12px 8px 0;
  }
  .axis {
    display: flex;
    justify-content: space-between;
    width: 20rem;
    margin-left: auto;
  }
  .above p {
    color: var(--dim);
    font-size: 13px;
    line-height: 20px;
  }
  .line {
    position: relative;
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr) 11rem 20rem;
    gap: 0 12px;
    min-height: 36px;
    padding: 2px 8px;
    border-radius: 6px;
  }
  /* All cells are beside the first line of the names, which is 32 pixels high. */
  .line > .glyph,
  .line .lane {
    margin: 8px 0;
  }
  .line .facts {
    margin: 6px 0;
  }
  .line:hover {
    background: var(--hover);
  }
  .line.channel {
    min-height: 44px;
    padding-top: 6px;
    padding-bottom: 6px;
    border-top: 1px solid var(--line);
    border-radius: 0;
  }
  .line.node {
    padding-left: 32px;
  }
  .line.host {
    grid-template-columns: 16px minmax(0, 1fr);
    border-top: 1px solid var(--line);
    border-radius: 0;
  }
  .line .what,
  .line .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    align-items: baseline;
    min-width: 0;
  }
  .line .name {
    border: 0;
    background: none;
    min-height: 32px;
    padding: 0;
    text-align: left;
    max-width: 100%;
    overflow-wrap: anywhere;
  }
  .line.channel .name {
    font-size: 17px;
    font-weight: 600;
  }
  /* The whole row opens the drawer. */
  .line .name::after {
    content: '';
    position: absolute;
    inset: 0;
  }
  .line .words,
  .line .needs,
  .line .facts,
  .line .dots {
    color: var(--dim);
    font-size: 13px;
    line-height: 20px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .line.host[data-state='risk'] .words {
    color: var(--warning);
  }
  .line[data-state='stopped'] .words,
  .line[data-state='silent'] .words {
    color: var(--danger);
  }
  .line .facts {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 8px;
    font-variant-numeric: tabular-nums;
  }
  .facts .curve {
    width: 60px;
    height: 16px;
    fill: var(--dim);
    align-self: center;
  }
  .dots {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 12px;
    align-items: baseline;
  }
  .member {
    display: inline-flex;
    gap: 4px;
    align-items: center;
    min-width: 0;
  }
  .member .glyph {
    width: 11px;
    height: 11px;
  }
  .badge {
    border: 1px solid var(--line);
    border-radius: 6px;
    padding: 0 6px;
    font-size: 13px;
    line-height: 20px;
    background: var(--paper);
    overflow-wrap: anywhere;
  }
  .badge.warning {
    border-color: var(--warning);
    color: var(--warning);
  }
  .more {
    padding-left: 60px;
    font-size: 13px;
  }
  .more.all {
    padding: 4px 0 0 36px;
    border-top: 1px solid var(--line);
  }
  .lane {
    display: block;
    width: 100%;
    height: 16px;
    fill: var(--good);
  }
  .lane [data-state='risk'] {
    fill: var(--warning);
  }
  .lane [data-state='stopped'],
  .lane [data-state='silent'] {
    fill: var(--danger);
  }
  .lane [data-state='unknown'] {
    fill: var(--stale);
  }
  /* What has ended is less important than what lasts. */
  .lane .over[data-state='risk'] {
    fill: var(--warning-over);
  }
  .lane .over[data-state='stopped'] {
    fill: var(--danger-over);
  }
  .lane .restart {
    fill: var(--text);
  }
  /* Nothing is known about it yet. */
  .line[data-state='unknown'] .lane {
    fill: var(--stale);
  }
  .line[data-state='stale'] .lane {
    fill: var(--stale);
    opacity: 0.6;
  }
  .line[data-state='stale'] .lane rect {
    fill: var(--stale);
  }

  footer {
    display: flex;
    flex-wrap: wrap;
    gap: 0 24px;
    margin-top: 12px;
    padding: 8px 8px 0;
    border-top: 1px solid var(--line);
    font-size: 13px;
  }
  footer button.end {
    min-height: 32px;
    padding: 0 8px;
    font-size: 13px;
    margin-left: 8px;
  }
  .uncertain .line > .glyph,
  .uncertain .member .glyph,
  .uncertain .lane {
    opacity: 0.7;
  }
  main.old .rows,
  main.old footer {
    color: var(--stale);
  }
  main.old .rows .badge {
    color: var(--stale);
    border-color: var(--line);
  }

  dialog {
    width: min(46rem, 100vw);
    max-width: none;
    height: 100dvh;
    max-height: none;
    margin: 0 0 0 auto;
    padding: 16px 20px 24px;
    border: 0;
    border-left: 1px solid var(--line);
    background: var(--paper);
    color: var(--text);
    overflow-wrap: anywhere;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 40%);
  }
  dialog .title {
    display: flex;
    gap: 12px;
    justify-content: space-between;
    align-items: flex-start;
  }
  dialog h2 {
    font-size: 24px;
    line-height: 30px;
  }
  dialog h3 {
    margin-top: 20px;
    font-size: 15px;
  }
  dialog dl {
    display: grid;
    grid-template-columns: minmax(5rem, max-content) minmax(0, 1fr);
    gap: 4px 16px;
    margin: 12px 0 0;
  }
  dialog dt {
    color: var(--dim);
  }
  dialog dd {
    margin: 0;
  }
  dialog .list > li {
    padding: 6px 0;
    border-bottom: 1px solid var(--line);
  }
  dialog .list .glyph {
    width: 12px;
    height: 12px;
  }
  dialog pre {
    max-height: none;
    white-space: pre-wrap;
    margin: 4px 0 0;
    font-size: 13px;
    line-height: 20px;
  }
  dialog button {
    min-height: 32px;
  }
  dialog .title button {
    flex: none;
  }
  dialog .curve {
    display: block;
    width: 100%;
    height: 40px;
    margin-top: 8px;
    fill: var(--link);
  }
  .control {
    margin: 8px 0;
  }
  .control:first-child {
    margin-top: 16px;
  }
  .runbook {
    margin-top: 8px;
  }
  .runbook.item {
    display: list-item;
    margin-left: 20px;
    list-style: disc;
  }
  .control button {
    min-height: 32px;
  }

  @media (pointer: coarse) {
    button.link,
    .line .name,
    .copyable button,
    dialog button,
    footer button.end {
      min-height: 44px;
    }
    .line > .glyph,
    .line .lane {
      margin: 14px 0;
    }
    .line .facts {
      margin: 12px 0;
    }
  }
  @media (max-width: 62rem) {
    .line {
      grid-template-columns: 16px minmax(0, 1fr) 10rem 12rem;
    }
    .axis {
      width: 12rem;
    }
  }
  @media (max-width: 40rem) {
    main {
      padding: 4px 12px 16px;
    }
    header {
      margin-bottom: 4px;
    }
    .answer {
      padding: 12px;
    }
    .sentence {
      flex-wrap: wrap;
      gap: 0 8px;
    }
    .sentence .said {
      flex-basis: calc(100% - 28px);
    }
    .sentence h2 {
      font-size: 20px;
      line-height: 26px;
    }
    .sentence .glyph {
      margin-top: 3px;
    }
    .sentence .age {
      margin-left: 28px;
    }
    .body,
    .others {
      margin-left: 28px;
    }
    .meaning {
      font-size: 15px;
      line-height: 22px;
    }
    .line {
      grid-template-columns: 16px minmax(0, 1fr) auto;
      gap: 0 8px;
      padding: 4px 4px 6px;
    }
    .line .facts {
      flex-direction: column;
      gap: 0;
      align-items: flex-end;
      max-width: 8rem;
    }
    /* The dots have a line of their own. */
    .line.channel .what {
      display: contents;
    }
    .line.channel .head {
      grid-area: 1 / 2 / auto / -1;
    }
    .line.channel {
      padding-top: 2px;
      padding-bottom: 2px;
    }
    .line.channel .facts {
      grid-column: 2 / -1;
      flex-direction: row;
      justify-content: flex-start;
      gap: 0 12px;
      max-width: none;
      margin: 0;
    }
    .facts .curve {
      display: none;
    }
    .line.channel .dots {
      grid-column: 2 / -1;
      gap: 2px 10px;
    }
    .line.node {
      padding-left: 16px;
    }
    .line .lane {
      grid-column: 1 / -1;
      height: 10px;
      margin: 0;
    }
    .axis {
      flex: 1;
    }
    .above {
      margin: 8px 4px 0;
    }
    .more {
      padding-left: 40px;
    }
    .more.all {
      padding-left: 28px;
    }
    dialog {
      width: 100vw;
      border-left: 0;
    }
  }
  /* The command needs the whole width. */
  @media (max-width: 24rem) {
    .copyable {
      flex-direction: column;
    }
    .copyable code {
      border-radius: 6px 6px 0 0;
    }
    .copyable button {
      border: 1px solid var(--line);
      border-top: 0;
      border-radius: 0 0 6px 6px;
    }
  }
`;
