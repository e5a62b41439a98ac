/** Nodes as processes of this machine, for the agent of a machine. Small, because the agent contains it. */
export { CloudError } from '../cloud-error.js';
export { LocalNodes, type LocalNodeSpec, type LocalNodesOptions } from './local-nodes.js';
export { BootSlots } from './processes/boot-slots.js';
export { nodeFlag } from './processes/node-processes.js';
export { isPortFree } from './processes/ports.js';
export { until } from './until.js';
