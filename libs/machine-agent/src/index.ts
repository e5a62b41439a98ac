export { runMachineAgent, type MachineAgentOptions } from './machine-agent.js';
export { MachineRefused } from './machine-refused.js';
export { MACHINE_FILE, type MachineFile } from './machine-file.js';
export { ACCEPTED } from './upgrade/program-trial.js';
