export { VERDICTS, type Channel, type Consenter, type Quorum, type Verdict } from './channel.js';
