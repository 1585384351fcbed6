export { createAgentClient, AGENTS, OtherAgents, type CreateAgentClient } from './agents.js';
