// The messages about an update that an orderer has accepted, or may have accepted, if its block is not seen. Chains are made in the process.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import type { StoredBlock } from '../../../translator/ledger/index.js';
import { Network, type Orderer, type Submitted } from '../../../translator/orderer/index.js';
import type { Review } from '../../../translator/review/index.js';
import { signEnvelope } from '../../../translator/sign/index.js';
import { Consenters } from '../../helpers/made-chain.js';
import { ASKING, ordererWith, silent } from '../../helpers/stand-in-orderer.js';

const [A, B] = ['a.example.com:1', 'b.example.com:2'] as const;
const CONSENTERS = new Consenters([A]);
const CHAIN = CONSENTERS.chain(5);
/** The chain before the update of block 4. */
const BEFORE = CHAIN.slice(0, 4);

/** An orderer that handles requests for blocks differently before and after an update was sent. */
interface Changing extends Orderer {
  after: (envelope: Uint8Array) => Promise<Uint8Array>;
}

/** The responses of an orderer with blocks. */
const sending =
  (blocks: readonly StoredBlock[]): Changing['after'] =>
  async (envelope) =>
    ordererWith(blocks).deliver(envelope);

/** An orderer with the chain before the update. @param accept handles the update */
function ordererAt(address: string, accept: Orderer['broadcast']): Changing {
  const before = ordererWith(BEFORE, address);
  let isSent = false;
  const orderer: Changing = {
    ...before,
    after: async (envelope) => before.deliver(envelope),
    deliver: async (envelope) => (isSent ? orderer.after(envelope) : before.deliver(envelope)),
    async broadcast(envelope) {
      isSent = true;
      return accept(envelope);
    },
  };
  return orderer;
}

const OK = { status: 200, info: '' };
const failing =
  (code: 'REFUSED' | 'UNREACHABLE' | 'NOT_SEEN', message: string) => async (): Promise<never> => {
    throw new TranslateError(code, message);
  };

/**
 * Submits the update of block 4 to orderers.
 *
 * @param others are reached if a config names them
 * @param onReview is called with the review before the update is sent
 * @returns the result, or the error without the time
 */
async function submitTo(
  given: readonly Orderer[],
  seconds = 0,
  consenters = CONSENTERS,
  others: readonly Orderer[] = [],
  onReview: (review: Review) => void = () => undefined,
): Promise<Submitted | string> {
  const signer = await consenters.admin();
  const envelope = await signEnvelope(consenters.update(4n), signer, new Date());
  const open = async (address: string): Promise<Orderer> =>
    others.find((each) => each.address === address) ?? silent(address);
  try {
    return await new Network(given, { ...ASKING, signer }, open).submit(envelope, {
      seconds,
      onProgress: (progress) => {
        if (progress.kind === 'review') onReview(progress.review);
      },
    });
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return `${error.code}: ${error.message.replace(/ at \S+Z,/, ' at TIME,')}`;
  }
}

const FORBIDDEN = 'forbidden: the identity is not valid for the channel, or may not read it (403)';
for (const [what, after, reason] of [
  ['403', failing('REFUSED', FORBIDDEN), FORBIDDEN],
  [
    '404',
    failing('REFUSED', 'the channel or the block does not exist there (404)'),
    'the channel or the block does not exist there (404)',
  ],
  [
    '503',
    failing('REFUSED', 'unavailable: it does not serve the channel now (503)'),
    'unavailable: it does not serve the channel now (503)',
  ],
  ['a closed connection', failing('UNREACHABLE', 'connection refused'), 'connection refused'],
  [
    'a block that nobody signed',
    sending([...BEFORE, { ...CHAIN[4]!, metadata: [] }]),
    'block 4 is not used: 0 of its 0 signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation',
  ],
] as const)
  test.serial(
    `an update that was accepted, and then only ${what}: it was not seen, with the reason`,
    async (t) => {
      const orderer = ordererAt(A, async () => OK);
      orderer.after = after;
      t.is(
        await submitTo([orderer]),
        `NOT_SEEN: accepted by ${A} at TIME, but it was not seen (not within 0 s): orderer ${A}: ${reason}`,
      );
    },
  );

test.serial('an orderer that cannot serve the block for a moment is asked again', async (t) => {
  const orderer = ordererAt(A, async () => OK);
  orderer.after = async (envelope) => {
    orderer.after = sending(CHAIN);
    return failing('REFUSED', `unavailable (503), ${envelope.length} bytes`)();
  };
  t.like(await submitTo([orderer], 60), { kind: 'accepted', delivered: { block: 4n, at: [A] } });
});

test.serial('an accepted update is replaced if another one is in the block', async (t) => {
  const orderer = ordererAt(A, async () => OK);
  orderer.after = sending(CONSENTERS.chain(5, 'm', BEFORE));
  t.is(
    await submitTo([orderer]),
    `REFUSED: accepted by ${A} at TIME, but another update was accepted first: block 4 changed /Channel/Orderer/BatchTimeout; update this one with configtxlator rebase`,
  );
});

const outdated = async (): Promise<{ readonly status: number; readonly info: string }> => ({
  status: 400,
  info: 'version',
});

test.serial('a refused connection and then a 400 is a refusal, and no block is waited for', async (t) => {
  const given = [ordererAt(A, failing('UNREACHABLE', 'connection refused')), ordererAt(B, outdated)];
  t.is(await submitTo(given, 3600), `REFUSED: orderer ${B} refused the update (400): version`);
});

test.serial('a lost response and then a 400 is unclear, with both reasons', async (t) => {
  const given = [ordererAt(A, failing('NOT_SEEN', 'connection reset')), ordererAt(B, outdated)];
  t.is(
    await submitTo(given),
    `NOT_SEEN: it is unclear whether an orderer has accepted the update (orderer ${A}: connection reset; orderer ${B} refused the update (400): version), but it was not seen (not within 0 s): no orderer has a block with the update`,
  );
});

test.serial('a lost response, and the orderer has the block: the update is accepted', async (t) => {
  const orderer = ordererAt(A, failing('NOT_SEEN', 'connection reset'));
  orderer.after = sending(CHAIN);
  t.like(await submitTo([orderer]), { kind: 'accepted', delivered: { block: 4n, at: [A] } });
});

test.serial('the review of a submitted update assumes that the config is the newest', async (t) => {
  const unknown: string[] = [];
  const onReview = (review: Review): void => void unknown.push(...review.unknown);
  await submitTo([ordererAt(A, outdated)], 0, CONSENTERS, [], onReview);
  t.deepEqual(unknown, []);
});

test.serial(
  'an update is not sent to orderers whose blocks are not used, nor to those that only they name',
  async (t) => {
    const [liar, friend] = ['liar.example.com:7', 'friend.example.com:8'] as const;
    const sentTo: string[] = [];
    const take = (address: string, blocks: readonly StoredBlock[], status: number): Orderer => ({
      ...ordererWith(blocks, address),
      broadcast: async () => {
        sentTo.push(address);
        return { status, info: 'no leader' };
      },
    });
    const addresses = [A, B, 'c.example.com:3', 'd.example.com:4'];
    const honest = new Consenters(addresses);
    const blocks = honest.chain(4);
    const made = new Consenters([friend]).chain(6);
    await submitTo([take(liar, made, 200), take(A, blocks, 503), take(B, blocks, 503)], 0, honest, [
      take(friend, made, 200),
    ]);
    t.deepEqual(sentTo, [A, B]);
  },
);

test.serial(
  'an update is not sent if the signal aborts before the request, before the review or before it would be sent',
  async (t) => {
    const signer = await CONSENTERS.admin();
    const envelope = await signEnvelope(CONSENTERS.update(4n), signer, new Date());
    const reason = new Error('the console was closed');
    for (const when of ['heights', 'review'] as const) {
      let isSent = false;
      const orderer = ordererAt(A, async () => {
        isSent = true;
        return OK;
      });
      const controller = new AbortController();
      const submitted = new Network([orderer], { ...ASKING, signer }).submit(envelope, {
        signal: controller.signal,
        onProgress: ({ kind }) => {
          if (kind === when) controller.abort(reason);
        },
      });
      await t.throwsAsync(submitted, { is: reason });
      t.false(isSent);
    }
    await t.throwsAsync(
      new Network([silent('o1:7050')], { ...ASKING, signer }).submit(envelope, {
        signal: AbortSignal.abort(reason),
      }),
      { is: reason },
    );
  },
);
