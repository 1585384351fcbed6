// `npm run names`: prints how many names each subpath of the package exports, or with a subpath such as `./plugin` the names.

import { exportedNames, subpaths } from '../helpers/exported-names.js';

const [asked] = process.argv.slice(2);
const found = [...subpaths()].filter(([subpath]) => asked === undefined || subpath === asked);
for (const [subpath, file] of found) {
  const names = exportedNames(file);
  console.log(asked === undefined ? `${String(names.length).padStart(4)}  ${subpath}` : names.join('\n'));
}
if (found.length === 0) {
  console.error(`unknown subpath ${asked}: the subpaths are ${[...subpaths().keys()].join(', ')}`);
  process.exitCode = 2;
}
