export { createAgentClient, PEERS, Peers, type CreateAgentClient } from './peers.js';
