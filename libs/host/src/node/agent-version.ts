import { RELEASE } from '@libs/domain/release';

/** Release of the agent, as the gateway gets it. */
export const AGENT_VERSION = RELEASE;
