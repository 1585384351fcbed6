// What the documents refer to is there.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'ava';
import { documents } from './helpers/documents/story.js';

const DOCUMENTS = documents();

/** The name that a heading has in links. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const withoutBlocks = (text: string): string => text.replaceAll(/^( *)```.*?^\1```$/gms, '');
const anchorsOf = (file: string): string[] =>
  [...withoutBlocks(readFileSync(file, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  );

for (const document of DOCUMENTS) {
  test(`the links of ${document} lead somewhere`, (t) => {
    const text = withoutBlocks(readFileSync(document, 'utf8'));
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const broken = links
      .filter((link) => !/^\w+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const file = path === '' ? document : normalize(join(dirname(document), path));
        return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
      });
    t.deepEqual(broken, []);
  });

  test(`the tests that ${document} names are there`, (t) => {
    const named = readFileSync(document, 'utf8').matchAll(/`(test\/[\w./-]+\.ts)`/g);
    t.deepEqual(
      [...named].map(([, file = '']) => file).filter((file) => !existsSync(file)),
      [],
    );
  });
}

test('links are found, also into the middle of a document', (t) => {
  t.true(DOCUMENTS.some((document) => readFileSync(document, 'utf8').includes('.md#')));
});
