// The folders of nodes, whatever their names are.

import test from 'ava';
import { FolderNames } from '../../../../core/tools/bundle/folder-names.js';

const foldersOf = (...names: readonly string[]): readonly string[] => {
  const folders = new FolderNames();
  return names.map((name) => folders.next(name));
};

test('the name of a folder has at most 80 characters', (t) => {
  t.deepEqual(foldersOf('n'.repeat(80), 'n'.repeat(81), 'é'.repeat(14)), [
    `nodes/${'n'.repeat(80)}`,
    'nodes/node2',
    'nodes/node3',
  ]);
});

test('a folder with a number that another node already has gets the next one', (t) => {
  t.deepEqual(foldersOf('a', 'A-2', 'a', 'a'), ['nodes/a', 'nodes/A-2', 'nodes/a-3', 'nodes/a-4']);
});

test('only names of dots are escaped as a whole', (t) => {
  t.deepEqual(foldersOf('.', '...', 'a..b', '.a'), [
    'nodes/%2E',
    'nodes/%2E%2E%2E',
    'nodes/a..b',
    'nodes/.a',
  ]);
});
