import type { LauncherConfig } from '../config.js';
import { isPortFree } from '../embedded-postgres/free-port.js';
import { LauncherError } from '../launcher-error.js';

/** Throws LauncherError that lists all taken ports with the variables that change them. */
export async function checkPorts(config: LauncherConfig): Promise<void> {
  const wanted = [
    { port: config.mainApi.port, user: 'the main API', variable: 'MAIN_API_PORT' },
    { port: config.supervisor.port, user: 'the Supervisor API', variable: 'SUPERVISOR_PORT' },
    { port: config.gatewayPort, user: 'the gateway of the node agents', variable: 'GATEWAY_PORT' },
  ];
  const taken: string[] = [];
  for (const { port, user, variable } of wanted) {
    if (await isFreeEverywhere(port)) continue;
    taken.push(`Port ${port} for ${user} is in use. Free the port, or set another port with ${variable}=<port>.`);
  }
  if (taken.length > 0) throw new LauncherError(taken.join('\n'));
}

/** Systems differ in whether "all addresses" conflicts with a listener on one address, so this checks each. */
async function isFreeEverywhere(port: number): Promise<boolean> {
  for (const host of [undefined, '0.0.0.0', '127.0.0.1']) {
    if (!(await isPortFree(port, host))) return false;
  }
  return true;
}
