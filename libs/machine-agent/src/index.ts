export { runMachineAgent, type MachineAgentOptions } from './machine-agent.js';
export { MachineRefused, REFUSED_EXIT_CODE } from './machine-refused.js';
export { MACHINE_FILE, type MachineFile } from './machine-file.js';
