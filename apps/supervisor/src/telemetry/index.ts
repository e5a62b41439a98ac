export { TelemetryCleanupModule } from './telemetry-cleanup.module.js';
export { TelemetryModule } from './telemetry.module.js';
