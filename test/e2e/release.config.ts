// How ava runs `npm run release:check`: the packed package, installed into an empty project, on every supported version of Node.js,
// and the audit of its packages.

export default {
  files: ['dist/test/e2e/{audit,package,public-api}.test.js'],
  serial: true,
  timeout: '5m',
};
