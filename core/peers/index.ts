export { PEERS, Peers } from './peers.js';
