// The start of the page: what it is for, and ways to get files.

import { html, type TemplateResult } from 'lit';
import { command } from './copy-button.js';

const FETCH =
  'configtxlator fetch grpcs://orderer1.example.com:7050/mychannel --tls-ca ca.pem --msp msp --mspid Org1MSP -o config_block.pb';

/** The actions of the buttons of the start. */
export interface StartActions {
  readonly chooseFiles: () => void;
  readonly chooseFolder: () => void;
  readonly tryExample: () => void;
}

/** The start. @param needsBlock whether there are files that need a config block */
export const startView = (
  { chooseFiles, chooseFolder, tryExample }: StartActions,
  needsBlock: boolean,
): TemplateResult =>
  html`<section class="start" aria-label="start">
    ${
      needsBlock
        ? html`<h2 class="verdict state-unknown">Needs the channel's newest block</h2>
            <p>
              Updates are reviewed, and identities are explained, against the newest config block of the
              channel.
            </p>`
        : html`<h2 class="lead-line">See what a channel is, and what a change would do, before you sign.</h2>`
    }
    <div class="drop">
      <p class="buttons">
        <span>Drop files here, or</span>
        <button type="button" class="primary" @click=${chooseFiles}>
          ${needsBlock ? 'Add a block' : 'Choose files'}
        </button>
        <button type="button" @click=${chooseFolder}>Choose a folder</button>
      </p>
      <p class="kinds">a config block · an update · an MSP folder · a certificate</p>
    </div>
    ${
      needsBlock
        ? ''
        : html`<p>
            No file at hand?
            <button type="button" @click=${tryExample}>Try an example</button>
            <span class="dim">a channel, a harmless update, a takeover</span>
          </p>`
    }
    <div class="where">
      <p>Where do I get a block?</p>
      <p>${command(FETCH)}</p>
      <details>
        <summary>from the ledger of a node</summary>
        <p>
          Copy the file <code>blockfile_000000</code> (or the one with the highest number) of the channel:
          <code>ledgersData/chains/chains/mychannel</code> of a peer, <code>chains/mychannel</code> of an
          orderer. Or write a block of it: <code>configtxlator fetch DIRECTORY -o config_block.pb</code>.
        </p>
      </details>
      <details>
        <summary>from a colleague</summary>
        <p>
          A config block has no secrets. Ask for the newest one, and for its fingerprint in another message.
        </p>
      </details>
    </div>
    <p class="dim">Nothing leaves this page.</p>
  </section>`;
