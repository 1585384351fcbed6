// The start of the page: what it is for, and ways to get files.

import { onOneLine } from '../../core/common/text/one-line.js';
import { html, type TemplateResult } from 'lit';
import { fragmentOf } from './address.js';
import { command } from './copy-button.js';
import { EXAMPLES } from './example.js';

/** Words in capitals are placeholders. */
const FETCH = [
  'peer channel fetch config config_block.pb -c CHANNEL -o ORDERER:7050 --tls --cafile CA',
  'configtxlator fetch grpcs://ORDERER:7050/CHANNEL --tls-ca CA --msp MSP --mspid MSPID -o config_block.pb',
];

/** The actions of the buttons of the start. */
interface StartActions {
  readonly chooseFiles: () => void;
  readonly chooseFolder: () => void;
  readonly tryExample: () => void;
}

/**
 * The start.
 *
 * @param needsBlock whether there are files that need a config block
 * @param contested the configs that contradict each other
 */
export const startView = (
  { chooseFiles, chooseFolder, tryExample }: StartActions,
  needsBlock: boolean,
  contested: readonly string[],
): TemplateResult =>
  html`<section class="start" aria-label="start">
    ${
      contested.length > 0
        ? html`<h2 class="verdict">
            <span class="state-stopped">Nothing is reviewed</span>
            ${contested.map((note) => html` <span class="reason">${onOneLine(note)}</span>`)}
          </h2>`
        : needsBlock
          ? html`<h2 class="verdict state-unknown">Needs the channel's newest block</h2>
              <p>
                Updates are reviewed, and identities are explained, against the newest config block of the
                channel.
              </p>`
          : html`<h2 class="lead-line">See what an update does to a channel before you sign it.</h2>`
    }
    <div class="drop">
      <p class="buttons">
        <span class="wide">Drop files here, or</span>
        <button type="button" class="primary" @click=${chooseFiles}>
          ${needsBlock ? 'Add a block' : 'Choose files'}
        </button>
        <button type="button" @click=${chooseFolder}>Choose a folder</button>
      </p>
      <p class="needed">
        The update you were sent, and the channel's newest config block; your MSP folder only to sign.
      </p>
      <p class="dim">Without an update: the block shows the channel, and explains a certificate.</p>
      <p><strong>Nothing leaves this page.</strong></p>
    </div>
    ${
      needsBlock
        ? ''
        : html`<p>
            No file at hand?
            <button type="button" @click=${tryExample}>Try an example</button>
            or one of
            ${[...EXAMPLES].map(([file, words], at) => html`${at === 0 ? '' : ', '}<a href=${fragmentOf({ isDemo: true, place: 'review', name: file })}>${words}</a>`)}
          </p>`
    }
    <div class="where">
      <p>Where do I get a block? From an orderer, with either command:</p>
      ${FETCH.map((each) => html`<p>${command(each)}</p>`)}
      <details>
        <summary>from the ledger of a node</summary>
        <p>
          Copy the file <code>blockfile_000000</code> (or the one with the highest number) of the channel:
          <code>ledgersData/chains/chains/CHANNEL</code> of a peer, <code>chains/CHANNEL</code> of an orderer.
          Or write a block of it: <code>configtxlator fetch DIRECTORY -o config_block.pb</code>.
        </p>
      </details>
      <details>
        <summary>from a colleague</summary>
        <p>
          A config block has no secrets. Ask for the newest one, and for its fingerprint in another message.
        </p>
      </details>
    </div>
  </section>`;
