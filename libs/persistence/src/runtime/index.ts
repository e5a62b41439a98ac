import { DeploymentRuntime } from './deployment-runtime.entity.js';
import { Node } from './node.entity.js';

export * from './access-rules.repository.js';
export * from './account-validations.repository.js';
export * from './activities.repository.js';
export * from './births.repository.js';
export * from './config-versions.repository.js';
export * from './configs.repository.js';
export * from './credentials.repository.js';
export * from './deployment-accounts.repository.js';
export * from './node-agents.repository.js';
export * from './node-documents.repository.js';
export * from './node-logs.repository.js';
export * from './node-ports.repository.js';
export * from './node-spec.js';
export * from './nodes.repository.js';
export * from './reachability.repository.js';
export * from './runtimes.repository.js';
export * from './summaries.repository.js';
export * from './tasks.repository.js';
export * from './telemetry-keeping.repository.js';
export * from './telemetry-samples.repository.js';
export * from './telemetry.repository.js';
export * from './tenant-plans.repository.js';
export * from './usage-alerts.repository.js';
export { DeploymentRuntime, Node };

export const RUNTIME_ENTITIES = [DeploymentRuntime, Node];
