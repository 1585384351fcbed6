// Documents as text for a terminal.

import test from 'ava';
import {
  PLAIN,
  documentText,
  documentsText,
  listOf,
  tableOf,
  type Display,
} from '../../../translator/documents/index.js';

const MARKED: Display = { style: (format, text) => `<${format}>${text}</>` };

test('blocks are indented below a title, and sections below it are not', (t) => {
  const sections = [
    {
      id: 'a',
      title: 'one',
      blocks: [listOf(['x'])],
      sections: [{ id: 'b', title: 'two', blocks: [listOf(['y'])] }],
    },
  ];
  t.is(
    documentText({ title: 'title', blocks: [listOf(['z'])], sections }),
    'title\n  z\none\n  x\n  two\n    y\n',
  );
  t.is(documentText({ blocks: [listOf(['z'])], sections }), 'z\none\n  x\n  two\n    y\n');
});

test('the columns of a table are aligned, also those of details; the details of a list are a table', (t) => {
  const rows = [
    {
      cells: ['a', '1', 'x'],
      details: [{ cells: ['long name', '2', 'y'] }, { cells: ['→ a step that is longer'] }],
    },
    { cells: ['b', '3', 'z'] },
  ];
  t.is(
    documentText({ blocks: [tableOf(rows)] }),
    'a            1  x\n  long name  2  y\n  → a step that is longer\nb            3  z\n',
  );
  t.is(
    documentText({ blocks: [listOf(rows)] }),
    'a  1  x\n  long name  2  y\n  → a step that is longer\nb  3  z\n',
  );
});

test('rows beyond a limit are counted, with their name and a hint', (t) => {
  const limit = { shown: 1, noun: 'groups', hint: '; --json lists all' };
  const rows = [{ cells: ['a'], details: [{ cells: ['detail'] }] }, { cells: ['b'] }, { cells: ['c'] }];
  t.is(
    documentText({ blocks: [tableOf(rows, { limit })] }),
    'a\n  detail\nand 2 more groups; --json lists all\n',
  );
  t.is(documentText({ blocks: [listOf(['a', 'b'], { limit: { shown: 2 } })] }), 'a\nb\n');
});

test('a cell with several texts and changes is one text', (t) => {
  const items = ['added', { change: 'changed', label: 'timeout', before: '2s', after: '1s' }] as const;
  t.is(documentText({ blocks: [listOf([['Orderer', { items }]])] }), 'Orderer  added; timeout 2s → 1s\n');
});

test('tones are colours: of a row, a sign, a cell and a state', (t) => {
  const text = documentText(
    {
      sections: [
        {
          id: 'a',
          title: 'who',
          state: { text: 'valid', tone: 'good' },
          blocks: [
            tableOf([{ cells: ['a', 'b'], tone: 'bad' }, ['c', { text: 'd', tone: 'open' }]]),
            listOf([{ mark: { text: '+', tone: 'good' }, cells: ['e'] }]),
          ],
        },
      ],
    },
    MARKED,
  );
  t.is(text, '<bold>who</>: <green>valid</>\n<red>  a  b</>\n  c  <yellow>d</>\n  <green>+</> e\n');
});

const problem = {
  id: 'p',
  tone: 'bad',
  text: 'it is wrong',
  paths: ['/a', '/b', '/c', '/d'],
  todo: 'mend it',
} as const;

test('a problem has a label with its severity and a line with what to do, or only the line', (t) => {
  const labelled = { ...problem, label: 'danger', orderer: 'x'.repeat(401) };
  t.is(
    documentText({ blocks: [{ kind: 'problems', problems: [labelled] }] }, MARKED),
    `<red>danger   </> it is wrong (/a, /b, /c and 1 more)
          <dim>orderer: ${'x'.repeat(400)}…</>
          <dim>to do: mend it</>
`,
  );
  t.is(
    documentText({ blocks: [{ kind: 'problems', problems: [{ ...problem, paths: [] }] }] }, MARKED),
    'it is wrong\n<dim>→ mend it</>\n',
  );
});

test('line ends and direction marks are escaped everywhere in a document', (t) => {
  const bad = 'a\nb\u202e';
  const text = documentText({
    title: bad,
    blocks: [tableOf([[bad, bad]]), listOf([[{ items: [bad] }]])],
    sections: [
      {
        id: 'a',
        title: bad,
        state: bad,
        blocks: [
          listOf([{ mark: bad, cells: [bad], details: [{ cells: [bad] }] }]),
          {
            kind: 'problems',
            problems: [
              { ...problem, text: bad, paths: [bad], todo: bad },
              { ...problem, label: 'danger', text: bad, paths: [bad], orderer: bad, todo: bad },
            ],
          },
        ],
      },
    ],
  });
  t.false(text.includes('\u202e'));
  t.is(text.split('\n').length, 12);
});

test('there is an empty line between documents', (t) => {
  t.is(documentsText([{ title: 'a' }, { title: 'b' }]), 'a\n\nb\n');
});

const WRAPPED = [
  ['a line of the width is not broken', ['0123456789 0123456789'], '  0123456789 0123456789\n'],
  ['other parts are indented', ['0123456789 0123456789 a'], '  0123456789 0123456789\n    a\n'],
  [
    'a longer word is not broken',
    ['a 012345678901234567890123456789 b'],
    '  a\n    012345678901234567890123456789\n    b\n',
  ],
] as const;
for (const [what, row, expected] of WRAPPED)
  test(`on a terminal long lines are broken at spaces: ${what}`, (t) => {
    t.is(
      documentText({ title: 't', blocks: [listOf([[...row]])] }, { ...PLAIN, width: 23 }),
      `t\n${expected}`,
    );
  });

test('on a terminal the other parts of a row of a table begin below its last column', (t) => {
  const rows = [
    ['name', 'one two three four five six'],
    ['a', 'b'],
  ].map((cells) => ({ cells }));
  t.is(
    documentText({ blocks: [tableOf(rows)] }, { ...PLAIN, width: 31 }),
    'name  one two three four five\n      six\na     b\n',
  );
});

test('on a terminal emphasis has no width', (t) => {
  const display = { style: (_: string, text: string) => `\u001b[1m${text}\u001b[22m`, width: 5 };
  t.is(documentText({ title: '12345' }, display), '\u001b[1m12345\u001b[22m\n');
});

for (const [what, parts, lines] of [
  [
    'a text and a path',
    { text: 'it is weaker', paths: ['/Channel/Admins'] },
    ['danger    it is weaker (/Channel/Admins)'],
  ],
  ['only a path', { text: '', paths: ['/Channel/Admins'] }, ['danger    /Channel/Admins']],
  ['neither', { text: '', paths: [] }, ['danger']],
] as const)
  test(`a problem has ${what}`, (t) => {
    const shown = { id: 'x', tone: 'bad', label: 'danger', todo: 'keep it', ...parts } as const;
    t.deepEqual(documentText({ blocks: [{ kind: 'problems', problems: [shown] }] }).split('\n'), [
      ...lines,
      '          to do: keep it',
      '',
    ]);
  });
