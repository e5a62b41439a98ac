/** Release of the agent, as the gateway gets it. */
export const AGENT_VERSION = '0.1.0';
