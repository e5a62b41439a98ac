export { AgentError } from './agent-error.js';
export { AGENT_VERSION } from './agent-version.js';
export type { AgentBootstrap } from './agent-bootstrap.js';
export type { AgentPing } from './agent-socket.js';
export { runNodeAgent, type AgentOptions } from './node-agent.js';
