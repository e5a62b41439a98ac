export { TelemetryKeepingModule } from './telemetry-keeping.module.js';
export { TelemetryModule } from './telemetry.module.js';
