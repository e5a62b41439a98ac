import { isInRanges } from '@libs/domain';
import { isLoopbackHost } from '@libs/domain/starts';
import type { Request } from 'express';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** A proxy that adds one of these headers has other clients. */
const FORWARDED = [
  ...['forwarded', 'via', 'x-real-ip'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-forwarded-server'],
];

type Received = Pick<Request, 'headers' | 'socket'>;

/**
 * Whether a request comes from a program on this machine that means this machine. Behind a proxy on this machine, every request seems
 * to, so a forwarded request does not count.
 */
export const isFromThisMachine = (request: Received): boolean =>
  isInRanges(request.socket.remoteAddress ?? '', LOOPBACK) && isMeantForThisMachine(request);

/**
 * Whether a client has called its own machine, by no proxy. In a container all clients have the address of the network, and only this
 * tells. A page of another site can reach a loopback address under a name of its own, so only a loopback name or address in `Host` counts.
 */
export const isMeantForThisMachine = ({ headers }: Pick<Received, 'headers'>): boolean =>
  FORWARDED.every((name) => headers[name] === undefined) && isLoopbackHost(hostOf(headers.host ?? ''));

/** Without the port, and without the brackets of IPv6. */
const hostOf = (host: string): string => /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(host)?.slice(1).join('') ?? '';
