// How ava runs the test of the image, which installs all packages twice over the network.

export default {
  files: ['dist/test/e2e/image.test.js'],
  serial: true,
  timeout: '10m',
};
