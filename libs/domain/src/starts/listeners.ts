import { once } from 'node:events';
import { createServer } from 'node:net';
import { startSentence, StartRefused, startText } from './start-refused.js';

/** A port that a process will listen on, and the settings that change it. */
export interface Listener {
  port: number;
  /** Undefined: all addresses. */
  host?: string | undefined;
  /** Who listens: `the main API`. */
  user: string;
  variable: string;
  hostVariable: string;
}

/** Names the process that listens on a port, such as `process 4711 (nginx)`. Null when it is unknown. */
export type HolderOf = (port: number) => string | null;

/** The code of the error when a server listens there, or null. Opens and closes a server. */
export async function listenProblem(port: number, host?: string): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ port, ...(host === undefined ? {} : { host }), exclusive: true });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    server.close();
  }
}

/**
 * Checks all listeners before a process starts its work. All taken ports are in one message.
 * @throws StartRefused
 */
export async function requireListeners(listeners: readonly Listener[], holderOf: HolderOf = () => null): Promise<void> {
  const conflicts: Listener[] = [];
  for (const listener of listeners) {
    const code = await listenProblem(listener.port, listener.host);
    if (code === 'EADDRINUSE')
      conflicts.push(...(conflicts.some(({ port }) => port === listener.port) ? [] : [listener]));
    else if (code !== null) refuseListener(listener, code);
  }
  if (conflicts.length > 0) throw portsTaken(conflicts, holderOf);
}

/** The refusal for taken ports, with one sentence for each. */
export function portsTaken(conflicts: readonly Listener[], holderOf: HolderOf = () => null): StartRefused {
  const facts = conflicts.map(({ port, user, variable }) => {
    return { port: String(port), user, variable, holder: holderOf(port) ?? 'another process' };
  });
  const [first = { port: '', user: '', variable: '', holder: '' }, ...others] = facts;
  const sentences = others.map((one) => `\n${startSentence('ports_taken', { ...one, further_ports: '' })}`);
  return StartRefused.because('ports_taken', {
    ...first,
    further_ports: sentences.join(''),
    variables: conflicts.map(({ variable }) => `${variable}=<port>`).join(', '),
  });
}

/** Turns the error of `listen` into a refusal. Rethrows other errors. */
export function listenFailed(listener: Listener, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') throw portsTaken([listener]);
  refuseListener(listener, code ?? '');
  throw error;
}

/**
 * A warning when no port for new local nodes is free, or null. Stops at the first free port.
 * @throws StartRefused when this machine does not have the address of the nodes
 */
export async function checkNodePorts([first, last]: [number, number], host: string): Promise<string | null> {
  const listener = {
    port: 0,
    host,
    user: 'the nodes',
    variable: 'LOCAL_PORT_RANGE',
    hostVariable: 'LOCAL_BIND_ADDRESS',
  };
  const address = await listenProblem(listener.port, host);
  if (address !== null) refuseListener(listener, address);
  for (let port = first; port <= last; port += 1) if ((await listenProblem(port, host)) === null) return null;
  return startText('node_ports_taken', { range: `${first}-${last}` });
}

const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'];

function refuseListener({ port, host, user, variable, hostVariable }: Listener, code: string): void {
  if (code === 'EACCES') throw StartRefused.because('port_forbidden', { port: String(port), user, variable });
  if (host !== undefined && NO_SUCH_ADDRESS.includes(code))
    throw StartRefused.because('address_unknown', { host, user, variable: hostVariable });
}
