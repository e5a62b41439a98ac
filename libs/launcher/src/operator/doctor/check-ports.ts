import { fail, ok, warn, type Finding } from '@libs/operator';
import type { LauncherConfig } from '../../config.js';
import { readFileIfAnySync } from '@libs/host/os';
import { isPortFree } from '../../embedded-postgres/free-port.js';
import { loopbackStatus } from '../../processes/loopback-status.js';

const TIMEOUT_MS = 2_000;

/** Checks that each port of the apps is free or in use by Landlord, and that local nodes can keep their ports. */
export async function checkPorts(config: LauncherConfig): Promise<Finding[]> {
  const { mainApi, supervisor, gatewayPort } = config;
  return [
    await checkPort(config, {
      name: 'main API',
      port: mainApi.port,
      variable: 'MAIN_API_PORT',
      path: '/health/live',
      status: 200,
    }),
    await checkPort(config, {
      name: 'Supervisor',
      port: supervisor.port,
      variable: 'SUPERVISOR_PORT',
      path: '/health/live',
      status: 200,
    }),
    // The gateway answers 401 without a credential.
    await checkPort(config, {
      name: 'gateway',
      port: gatewayPort,
      variable: 'GATEWAY_PORT',
      path: '/agent/v1/desired',
      status: 401,
    }),
    checkRange(config.localPorts, ephemeralRange()),
  ];
}

interface Listener {
  name: string;
  port: number;
  variable: string;
  path: string;
  /** The status that Landlord answers there. */
  status: number;
}

async function checkPort(
  { isTls }: LauncherConfig,
  { name, port, variable, path, status }: Listener,
): Promise<Finding> {
  const check = `port ${port}`;
  if (await isPortFree(port, '127.0.0.1')) return ok(check, `free for the ${name}`);
  const url = `${isTls ? 'https' : 'http'}://127.0.0.1:${port}${path}`;
  const answer = await loopbackStatus(url, AbortSignal.timeout(TIMEOUT_MS));
  if (answer === status) return ok(check, `in use by the ${name}`);
  return fail(
    check,
    `needed by the ${name}, but in use by another program`,
    `Free the port, or set ${variable} to another port.`,
  );
}

/** A port of the ephemeral range may be in use by an outgoing connection when a node restarts. */
export function checkRange([first, last]: [number, number], ephemeral: [number, number] | null): Finding {
  const check = 'node ports';
  if (ephemeral === null) return ok(check, `${first}-${last}; this system does not report its ephemeral range`);
  const what = `${first}-${last}; ephemeral ports are ${ephemeral[0]}-${ephemeral[1]}`;
  if (last < ephemeral[0] || first > ephemeral[1]) return ok(check, what);
  return warn(check, what, 'The ranges overlap. Set LOCAL_PORT_RANGE below the ephemeral range.');
}

function ephemeralRange(): [number, number] | null {
  const [first, last] = (readFileIfAnySync('/proc/sys/net/ipv4/ip_local_port_range') ?? '').split(/\s+/).map(Number);
  return first && last ? [first, last] : null;
}
