// The real Supervisor with the cloud process as its cloud.
import { serveSupervisor } from '../../bench/provisioning/serve-supervisor.mjs';
import { RemoteCloud } from './remote-cloud.mjs';

await serveSupervisor(() => new RemoteCloud(process.env.CLOUD_PORT));
