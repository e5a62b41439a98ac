/** Nodes as processes of this machine, for the local cloud. */
export { nodeFlag } from '../control/node-home.js';
export * from './local-nodes.js';
export * from './node-processes.js';
