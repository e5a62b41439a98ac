// The real Supervisor with a played cloud, whose agents are in this process.
import { PlayedCloud } from './played-cloud.mjs';
import { serveSupervisor } from './serve-supervisor.mjs';

await serveSupervisor((config) => new PlayedCloud(config.GATEWAY_PORT));
