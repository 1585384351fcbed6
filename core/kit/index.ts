export { HttpClient } from './client.js';
