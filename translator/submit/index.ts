// What other directories import: submitting an update to a running channel. Node.js only.

export { submit, type Channel, type SubmitOptions, type Submitted } from './submit.js';
export type { Delivered } from './await-block.js';
export { Waiting } from './waiting.js';
