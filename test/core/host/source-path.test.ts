import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { sourcePath } from '../../../core/host/stack.js';

// ava enables source maps.
test('the path of a module with a source map is that of its source', (t) => {
  const file = fileURLToPath(import.meta.url);
  const path = sourcePath(file);
  t.is(path, join(file, '../../../../../test/core/host/source-path.test.ts'));
  t.true(new Error('stack').stack?.includes(path));
});

test('the path of a module without a source map is unchanged', (t) => {
  t.is(sourcePath('/no/such/plugin.js'), '/no/such/plugin.js');
});
