import { HostError } from '@libs/host/os';
import { findIggyCommand } from '@libs/host/programs';
import type { LauncherConfig } from '../config.js';
import { ApiClient } from '../demo/api-client.js';
import { DemoCloud } from '../demo/demo-cloud.js';
import { DemoDeployment, type DemoPlace } from '../demo/demo-deployment.js';
import { greetBroker } from '../demo/greet-broker.js';
import { OperationFollower } from '../demo/operation-follower.js';
import { Progress } from '../demo/progress.js';
import type { Bootstrap } from '../files/bootstrap-file.js';
import { LauncherError } from '../launcher-error.js';
import { requireSettings } from '../start/check-settings.js';
import { explained } from '../start/explained.js';
import { StopSignals } from '../start/stop-signals.js';
import { openTerminal } from '../start/terminal.js';

/**
 * `landlord demo`: runs the quick start automatically. Creates a Free deployment, sends a message through its broker as a
 * client, deletes the deployment, and shows the time of each part. Uses the running cloud of the data directory, or starts one and stops it again.
 * Always deletes the deployment. `place`: the cloud of the deployment. After a failure prints the reason and throws LauncherError.
 */
export async function demo(place: DemoPlace = 'aws'): Promise<void> {
  const progress = openProgress();
  const config = await requireSettings();
  const cloud = new DemoCloud(config, progress);
  const signals = new StopSignals(() => progress.complain('Stopping immediately.'));
  try {
    const bootstrap = await cloud.open(signals.stop);
    await quickStart({ bootstrap, place }, config, progress, signals);
    progress.table();
  } catch (error) {
    // After an interruption the running part ends with some other exception.
    throw signals.stop.aborted ? new LauncherError('The demo was interrupted.') : explained(config, error);
  } finally {
    await cloud.close(signals.hurry);
  }
}

async function quickStart(
  { bootstrap, place }: { bootstrap: Bootstrap; place: DemoPlace },
  { inherited, dataDir }: LauncherConfig,
  progress: Progress,
  { stop, hurry }: StopSignals,
): Promise<void> {
  const api = new ApiClient(bootstrap.api_key);
  const tenantUrl = `${bootstrap.main_api_url}/tenants/${bootstrap.tenant_id}`;
  const operations = new OperationFollower(api, tenantUrl, progress);
  const deployment = new DemoDeployment({ bootstrap, place }, api, operations, progress);
  try {
    await progress.timed('creating the deployment', () => deployment.create(stop));
    const { IGGY_SERVER_BIN: serverBinary, PATH: path = '' } = inherited;
    const iggyCommand = await findIggyCommand({ given: serverBinary, dataDir, path });
    const login = { ...(await deployment.login(stop)), iggyCommand };
    progress.title('Sending a message through the broker');
    await progress.timed('sending a message', () => greetBroker(login, progress, stop));
    await progress.timed('deleting the deployment', () => deployment.delete(stop));
  } catch (error) {
    // Printed before the cleanup, which may take a while.
    if (!stop.aborted && error instanceof HostError) progress.complain(`\n${error.message}`);
    await deployment.cleanUp(hurry);
    throw error instanceof HostError ? new LauncherError('The demo has failed.') : error;
  }
}

/** A terminal gets a live line. A file or a pipe gets only complete lines. */
function openProgress(): Progress {
  const terminal = openTerminal();
  const live = process.stdout.isTTY ? (text: string): void => void process.stdout.write(text) : null;
  return new Progress(terminal, live);
}
