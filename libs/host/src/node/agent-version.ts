/** Release of the agent, as the gateway gets it. */
export { RELEASE as AGENT_VERSION } from '@libs/domain/release';
