import { isIP, Socket } from 'node:net';
import { requireAllowed, type OutboundPolicy } from './destination.js';
import { guardedLookup } from './guarded-lookup.js';
import { DestinationRefused } from './outbound-error.js';

interface Target {
  host: string;
  port: number;
}

/**
 * A TCP socket that connects only to allowed addresses, for clients that bring their own protocol. Names are resolved once
 * for each connection, and the dialled address is a checked one. Paths of unix sockets are refused. TLS works on top of it.
 */
export class GuardedSocket extends Socket {
  constructor(private readonly policy: OutboundPolicy) {
    super();
  }

  /** Accepts `(port, host)` and `({ port, host })`. Emits DestinationRefused as its error for every other target. */
  override connect(...parameters: unknown[]): this {
    const [target, last] = [targetOf(parameters), parameters.at(-1)];
    if (typeof last === 'function') this.once('connect', last as () => void);
    const refusal = target === null ? new DestinationRefused(NO_TARGET) : refusalOf(target, this.policy);
    if (target === null || refusal !== null) return this.destroy(refusal ?? undefined);
    return super.connect({ ...target, lookup: guardedLookup(this.policy), autoSelectFamily: true });
  }
}

const NO_TARGET = 'only a host with a port can be reached, not a file or a unix socket';

/** Connects to a host. Rejects with DestinationRefused, or with the error of the network. */
export function dialGuarded(target: Target, policy: OutboundPolicy, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new GuardedSocket(policy);
    const timer = setTimeout(() => socket.destroy(new Error(`${target.host} did not answer in time`)), timeoutMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once('error', reject);
    socket.connect(target.port, target.host, () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function targetOf([first, second]: readonly unknown[]): Target | null {
  const { host, port, path } =
    typeof first === 'object' && first !== null ? (first as Partial<Target> & { path?: string }) : {};
  const target = { host: host ?? second, port: Number(port ?? first) };
  const isTarget =
    path === undefined && typeof target.host === 'string' && target.host !== '' && !target.host.startsWith('/');
  return isTarget && Number.isInteger(target.port) && target.port > 0 && target.port < 65_536
    ? (target as Target)
    : null;
}

/** A literal address never passes the lookup. */
function refusalOf({ host }: Target, policy: OutboundPolicy): Error | null {
  if (isIP(host) === 0) return null;
  try {
    requireAllowed(host, [host], policy);
    return null;
  } catch (error) {
    return error as Error;
  }
}
