export { Live } from './live.js';
export { liveRoutes } from './routes.js';
export { stateOf } from './state.js';
