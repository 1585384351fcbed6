// Orderers that lie: the config block that is used, how it is anchored, and the messages about the others. Chains are made in the process.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { CommonMetadata } from '../../../proto/messages.js';
import { readMessage, writeMessage } from '../../../proto/typed.js';
import { blockBytes, blockHash, parseBlock, type StoredBlock } from '../../../translator/ledger/index.js';
import { trustedBlock, type Orderer, type Trusted } from '../../../translator/orderer/index.js';
import { Network } from '../../../translator/orderer/network.js';
import { anchoredText, lackingText } from '../../../translator/orderer/responses.js';
import { stopTimeouts, withoutTimeouts } from '../../helpers/clock.js';
import { Consenters } from '../../helpers/made-chain.js';
import { BLOCKS as RECORDED } from '../../helpers/migration.js';
import { ASKING, ordererWith, silent } from '../../helpers/stand-in-orderer.js';

const [A, B, C, D] = [
  'a.example.com:7050',
  'b.example.com:7050',
  'c.example.com:7050',
  'd.example.com:7050',
] as const;
const LIAR = 'liar.example.com:7050';

/** A BFT channel with four consenters; one may be faulty. */
const HONEST = new Consenters([A, B, C, D]);
const CHAIN = HONEST.chain(4);
/** An attacker with the addresses of the consenters and one more, but without their keys. */
const OTHERS = new Consenters([LIAR]);

const hexOf = (block: StoredBlock): string => Buffer.from(blockHash(block)).toString('hex');
const at = (address: string, blocks: readonly StoredBlock[] = CHAIN): Orderer => ordererWith(blocks, address);

interface Outcome {
  readonly number: bigint | undefined;
  readonly anchored: string | undefined;
  /** The messages for users, or the error. */
  readonly texts: readonly string[];
}

/** Asks for the newest config block. @param others are reached if a config names them */
async function ask(
  given: readonly Orderer[],
  others: readonly Orderer[] = [],
  trusted?: Trusted,
): Promise<Outcome> {
  const network = new Network(
    given,
    ASKING,
    async (address) => others.find((each) => each.address === address) ?? silent(address),
    trusted,
  );
  try {
    const { number } = await withoutTimeouts(() => network.newestConfig());
    const heights = network.heights!;
    return {
      number,
      anchored: heights.anchored,
      texts: [anchoredText(heights), ...(lackingText(heights)?.split('; ').slice(1) ?? [])],
    };
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return { number: undefined, anchored: undefined, texts: [`${error.code}: ${error.message}`] };
  }
}

test.serial('four orderers with one block: a line says how many consenters have it', async (t) => {
  t.deepEqual(await ask([A, B, C, D].map((address) => at(address))), {
    number: 3n,
    anchored: 'majority',
    texts: ['config block 3 is on 4 of 4 consenters'],
  });
});

test.serial(
  'with BFT enough consenters are those that cannot all be faulty; fewer are a warning',
  async (t) => {
    const two = await ask([at(A), at(B)]);
    t.deepEqual([two.anchored, two.texts[0]], ['majority', 'config block 3 is on 2 of 4 consenters']);
    const one = await ask([at(A)]);
    t.deepEqual(
      [one.number, one.anchored, one.texts],
      [
        3n,
        'no',
        [
          'not-anchored: config block 3 is from 1 of 4 consenters; name a block that you trust to be sure',
          `${B}: connection refused`,
          `${C}: connection refused`,
          `${D}: connection refused`,
        ],
      ],
    );
  },
);

test.serial('an address without a consenter in the config is not counted', async (t) => {
  const { anchored, texts } = await ask([at('10.0.0.1:7050'), at('10.0.0.2:7050')]);
  t.is(anchored, 'no');
  t.is(
    texts[0],
    'not-anchored: config block 3 is from 0 of 4 consenters and from 10.0.0.1:7050, 10.0.0.2:7050, where the config has no consenter; name a block that you trust to be sure',
  );
});

const behind = CHAIN.slice(0, 2);
const LIES: readonly (readonly [what: string, blocks: readonly StoredBlock[], text: string | RegExp])[] = [
  ['an old block', behind, `${D} has config block 1 and block 1`],
  [
    'a block of another channel',
    new Consenters([A, B, C, D], 'ch2').chain(5),
    `${D}: block 4 is not used: it is of the channel "ch2", not of "ch1"`,
  ],
  [
    'a newest block that nobody signed',
    [...CHAIN, { ...HONEST.chain(5)[4]!, metadata: [] }],
    `${D}: block 4 is not used: 0 of its 0 signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation`,
  ],
  [
    'a newest block that other keys signed',
    OTHERS.chain(5, 's', CHAIN),
    `${D}: block 4 is not used: 0 of its 1 signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation`,
  ],
  [
    'a longer chain that was made up from block 0 on',
    OTHERS.chain(9),
    /^d\.example\.com:7050: orderers have different configs with the sequence 3: /,
  ],
  [
    'a shorter chain that was made up from block 0 on',
    OTHERS.chain(2),
    /^d\.example\.com:7050: orderers have different configs with the sequence 1: /,
  ],
];

for (const [what, blocks, text] of LIES)
  test.serial(`with BFT one liar of four changes nothing: ${what}`, async (t) => {
    const liar = at(D, blocks);
    for (const given of [
      [at(A), at(B), at(C), liar],
      [liar, at(A), at(B), at(C)],
    ]) {
      const { number, anchored, texts } = await ask(given);
      t.deepEqual([number, anchored, texts[0]], [3n, 'majority', 'config block 3 is on 3 of 4 consenters']);
      const said = texts.find((each) => each.startsWith(D));
      if (typeof text === 'string') t.is(said, text);
      else t.regex(said!, text);
    }
  });

test.serial(
  'one honest orderer and one liar that a user names: both chains are named, and none is used',
  async (t) => {
    const made = OTHERS.chain(6);
    const { texts } = await ask([at(LIAR, made), at(A)], [at(B), at(C), at(D)]);
    t.deepEqual(texts, [
      `BAD_BLOCK: orderers have different configs with the sequence 3: block 3 with the hash ${hexOf(made[3]!)} at ${LIAR} (newest block 5); block 3 with the hash ${hexOf(CHAIN[3]!)} at ${A} (newest block 3), ${B} (newest block 3), ${C} (newest block 3), ${D} (newest block 3); find out which of them are wrong, or name a block that you trust`,
    ]);
  },
);

test.serial('a lying orderer of the config that the user does not name changes nothing', async (t) => {
  const { number, anchored } = await ask([at(A)], [at(B), at(C), at(D, OTHERS.chain(6))]);
  t.deepEqual([number, anchored], [3n, 'majority']);
});

test.serial(
  'with Raft different chains are an error, also if only one orderer has another one',
  async (t) => {
    const raft = RECORDED.slice(0, 3).map(parseBlock);
    const [first, second, third] = [27070, 27073, 27076].map((port) => `127.0.0.1:${port}`);
    const { texts } = await ask([at(first!, raft), at(second!, raft), at(third!, CHAIN)]);
    t.regex(texts[0]!, /^BAD_BLOCK: orderers have different configs with the sequence 2: /);
  },
);

test.serial('with Raft more than half of the consenters are needed', async (t) => {
  const raft = RECORDED.slice(0, 3).map(parseBlock);
  const [first, second, third] = [27070, 27073, 27076].map((port) => at(`127.0.0.1:${port}`, raft));
  const two = await ask([first!, second!]);
  t.is(
    two.texts[0],
    'not-anchored: config block 2 is from 2 of 4 consenters; name a block that you trust to be sure',
  );
  const three = await ask([first!, second!, third!]);
  t.is(three.texts[0], 'config block 2 is on 3 of 4 consenters');
});

const trusted = (number: number): Trusted => trustedBlock(blockBytes(CHAIN[number]!), 'ch1');

for (const [what, trust] of [
  ['block 0', trusted(0)],
  ['a later config block', trusted(2)],
  ['the newest config block', trusted(3)],
  ['the hash of block 0', { hash: hexOf(CHAIN[0]!) }],
  ['the hash of a later block', { hash: hexOf(CHAIN[2]!) }],
] as const)
  test.serial(`one orderer and a trusted block: ${what}`, async (t) => {
    const { number, anchored, texts } = await ask([at(A)], [], trust);
    t.deepEqual(
      [number, anchored, texts[0]],
      [3n, 'trust', 'config block 3 leads back to the trusted block'],
    );
  });

test.serial(
  'a liar alone is refused with a trusted block: another genesis block, and a hash that its chain does not have',
  async (t) => {
    const made = OTHERS.chain(6);
    const liar = at(LIAR, made);
    t.deepEqual((await ask([liar], [], trusted(0))).texts, [
      `BAD_BLOCK: orderer ${LIAR}: block 5 is not used: it leads back to block 0 with the hash ${hexOf(made[0]!)}, the trusted one has the hash ${hexOf(CHAIN[0]!)}`,
    ]);
    t.deepEqual((await ask([liar], [], { hash: hexOf(CHAIN[0]!) })).texts, [
      `BAD_BLOCK: orderer ${LIAR}: block 5 is not used: it does not lead back to the trusted block with the hash ${hexOf(CHAIN[0]!)}`,
    ]);
  },
);

test.serial('with a trusted block one honest orderer is used, and the liars are named', async (t) => {
  const made = OTHERS.chain(6);
  const { number, anchored, texts } = await ask([at(LIAR, made), at(A)], [at(B, made)], trusted(1));
  t.deepEqual([number, anchored], [3n, 'trust']);
  t.deepEqual(
    texts.filter((text) => text.includes('the trusted one')),
    [LIAR, B].map(
      (address) =>
        `${address}: block 5 is not used: it leads back to block 1 with the hash ${hexOf(made[1]!)}, the trusted one has the hash ${hexOf(CHAIN[1]!)}`,
    ),
  );
});

/** Asks orderers. @returns the addresses that were opened because a config names them */
async function openedBy(
  given: readonly Orderer[],
  others: readonly Orderer[],
  trust?: Trusted,
): Promise<readonly string[]> {
  const opened: string[] = [];
  const open = async (address: string): Promise<Orderer> => {
    opened.push(address);
    return others.find((each) => each.address === address) ?? silent(address);
  };
  const network = new Network(given, ASKING, open, trust);
  await withoutTimeouts(() => network.newestConfig()).catch((error: unknown) => {
    if (!(error instanceof TranslateError)) throw error;
  });
  return opened.toSorted();
}

const EVIL = 'evil.example.com:7050';
/** A forged chain with another address. */
const NAMING_EVIL = new Consenters([EVIL]).chain(6);

for (const trust of [trusted(1), { hash: hexOf(CHAIN[1]!) }]) {
  const by = trust.number === undefined ? 'its hash' : 'its block';
  test.serial(
    `with a trusted block, given by ${by}, a config that does not lead back to it opens no orderer`,
    async (t) => {
      t.deepEqual(await openedBy([at(LIAR, NAMING_EVIL)], [], trust), []);
      t.deepEqual(await openedBy([at(LIAR, NAMING_EVIL), at(A)], [], trust), [B, C, D]);
      t.deepEqual(await openedBy([at(A)], [at(B, NAMING_EVIL)], trust), [B, C, D]);
    },
  );
}

test.serial('a config before the trusted block opens no orderer', async (t) => {
  t.deepEqual(await openedBy([at(A, behind)], [at(B)], trusted(3)), []);
});

test.serial('without a trusted block the orderers of each config are opened', async (t) => {
  t.deepEqual(await openedBy([at(LIAR, NAMING_EVIL)], []), [EVIL]);
});

test.serial(
  'with a trusted block the orderers of each newer config that leads back to it are opened',
  async (t) => {
    const old = new Consenters([A, B]);
    const moved = old.handOver(2, new Consenters([C, D]));
    const genesis = trustedBlock(blockBytes(moved[0]!), 'ch1');
    const first = ordererWith(moved.slice(0, 2), A);
    t.deepEqual(await openedBy([first], [at(B, moved)], genesis), [B, C, D]);
    // Its chain was followed back to the trusted block once, and that of the others to the blocks that it has.
    t.is(first.asked.filter((number) => number === '0').length, 1);
  },
);

test.serial('an orderer that is behind the trusted block is not wrong', async (t) => {
  const { number, texts } = await ask([at(A), at(B, behind)], [], trusted(3));
  t.is(number, 3n);
  t.true(texts.includes(`${B} has config block 1 and block 1`));
});

test.serial('a trusted block that is newer than the blocks of all orderers', async (t) => {
  t.deepEqual((await ask([at(A, behind)], [], trusted(3))).texts, [
    'BAD_BLOCK: the trusted block 3 is newer than config block 1, the newest one of the orderers',
  ]);
});

test.serial('the history before a trusted block is only verified to match', async (t) => {
  t.deepEqual(await history([at(A)], trusted(2)), ['3 trust', '2 trust', '1 no', '0 no']);
});

async function history(given: readonly Orderer[], trust?: Trusted): Promise<readonly string[]> {
  const network = new Network(given, ASKING, undefined, trust);
  const found: string[] = [];
  await withoutTimeouts(async () => {
    for await (const { number } of network.configs()) found.push(`${number} ${network.anchoredAt(number)}`);
  });
  return found;
}

test.serial('config blocks that follow each other are anchored by their hashes', async (t) => {
  const [first, second] = [ordererWith(CHAIN, A), ordererWith(CHAIN, B)];
  t.deepEqual(await history([first, second]), ['3 majority', '2 majority', '1 majority', '0 majority']);
  t.deepEqual(
    second.asked.filter((number) => number === '0'),
    [],
  );
});

const SPARSE = HONEST.sparseChain(3);

test.serial('older config blocks are anchored if enough consenters have them', async (t) => {
  t.deepEqual(await history([at(A, SPARSE), at(B, SPARSE)]), ['4 majority', '2 majority', '0 majority']);
  // Of two consenters, one does not have block 0.
  const late = SPARSE.map((block, index) => (index < 1 ? (undefined as never) : block));
  t.deepEqual(await history([at(A, SPARSE), at(B, late), at(LIAR, SPARSE)]), [
    '4 majority',
    '2 majority',
    '0 no',
  ]);
});

test.serial(
  'orderers with one newest config block and different older ones: an error with both hashes',
  async (t) => {
    const other = HONEST.sparseChain(3, 'm');
    const mixed = SPARSE.map((block, index) => (index === 0 ? other[0]! : block));
    await t.throwsAsync(history([at(A, SPARSE), at(B, mixed)]), {
      code: 'BAD_BLOCK',
      message: `block 0 is not used: orderers have different versions of it: ${A} has the one with the hash ${hexOf(SPARSE[0]!)}, ${B} the one with the hash ${hexOf(other[0]!)}`,
    });
  },
);

test.serial('a removed orderer that still responds hides nothing', async (t) => {
  const before = new Consenters([A, B, C, D, LIAR]).chain(2);
  const removed = at(LIAR, before.slice(0, 1));
  const { number, anchored, texts } = await ask(
    [removed],
    [A, B, C, D].map((address) => at(address, before)),
  );
  t.deepEqual([number, anchored], [1n, 'majority']);
  t.deepEqual(texts, ['config block 1 is on 4 of 5 consenters', `${LIAR} has config block 0 and block 0`]);
});

for (const [what, bytes, channel, message] of [
  [
    'another channel',
    blockBytes(CHAIN[0]!),
    'ch2',
    'block 0 is not used: it is of the channel "ch1", not of "ch2"',
  ],
  [
    'other data',
    blockBytes({ ...CHAIN[1]!, data: CHAIN[0]!.data }),
    'ch1',
    'block 1 is not used: its data do not match the hash in its header',
  ],
  [
    'no block',
    new TextEncoder().encode('x'),
    'ch1',
    'this is no block, envelope, config or config update; a config block is needed',
  ],
  ['an envelope', CHAIN[0]!.data[0]!, 'ch1', 'this is an envelope with a config; a config block is needed'],
] as const)
  test.serial(`a trusted block with ${what} is an error`, (t) => {
    t.throws(() => trustedBlock(bytes, channel), { instanceOf: TranslateError, message });
  });

test.serial('an orderer that stops responding does not block a command', async (t) => {
  const clock = stopTimeouts(t);
  const made = OTHERS.chain(6);
  const slow = at(LIAR, made);
  let calls = 0;
  const network = new Network(
    [
      {
        ...slow,
        deliver: async (envelope, signal) => {
          calls += 1;
          // Its newest block and those that verify it; the others never come.
          if (calls <= 2) return slow.deliver(envelope, signal);
          return new Promise((_, reject) =>
            signal?.addEventListener('abort', () => reject(new TranslateError('UNREACHABLE', 'cancelled'))),
          );
        },
      },
    ],
    ASKING,
    undefined,
    trusted(0),
  );
  const done = t.throwsAsync(network.newestConfig());
  while (calls < 3) await new Promise((resolve) => void setImmediate(resolve));
  await clock.tickAsync(60_000);
  t.is(
    (await done)?.message,
    `orderer ${LIAR}: block 5 is not used: it was not followed back to the trusted block within 60 s; a newer trusted block takes less time`,
  );
});

test.serial('a block of transactions is verified with the config block that it names', async (t) => {
  const [first, transactions, second] = SPARSE as readonly [StoredBlock, StoredBlock, StoredBlock];
  const read = (block: StoredBlock): Promise<StoredBlock> =>
    withoutTimeouts(() => new Network([at(A, [first, block, second])], ASKING).block(1n));
  t.is((await read(transactions)).number, 1n);
  const { value, signatures } = readMessage(CommonMetadata, transactions.metadata[0]!);
  const metadata = [writeMessage(CommonMetadata, { value, signatures: signatures.slice(2) })];
  await t.throwsAsync(read({ ...transactions, metadata }), {
    code: 'BAD_BLOCK',
    message:
      'block 1 is not used: 2 of its 2 signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation',
  });
});
