/** What agents of nodes and of machines share: their calls to the gateway, and their artifacts. */
export { ArtifactClient } from '../artifacts/artifact-client.js';
export { ArtifactStore } from '../artifacts/artifact-store.js';
export { ArtifactDamaged, type Artifact } from '../artifacts/artifact.js';
export { AgentError, GatewayError } from '../agent-error.js';
export { AGENT_VERSION } from '../agent-version.js';
export { Wakeup } from '../wakeup.js';
export { Backoff } from './backoff.js';
export { CALL_TIMEOUT_MS, GatewayTransport, POLL_TIMEOUT_MS } from './gateway-transport.js';
export { ServerClock } from './server-clock.js';
