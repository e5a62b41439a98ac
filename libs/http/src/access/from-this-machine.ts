import { isInRanges } from '@libs/domain';
import { isLoopbackHost } from '@libs/domain/starts';
import type { Request } from 'express';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** A proxy that adds one of these headers has other clients. */
const FORWARDED = [
  ...['forwarded', 'via', 'x-real-ip'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-forwarded-server'],
];

/**
 * Whether a request comes from a program on this machine that means this machine. Behind a proxy on this machine, every request seems
 * to, so a forwarded request does not count. A page of another site can reach a loopback address under a name of its own, so only a
 * loopback name or address in `Host` counts.
 */
export const isFromThisMachine = ({ headers, socket }: Pick<Request, 'headers' | 'socket'>): boolean =>
  FORWARDED.every((name) => headers[name] === undefined) &&
  isInRanges(socket.remoteAddress ?? '', LOOPBACK) &&
  isLoopbackHost(hostOf(headers.host ?? ''));

/** Without the port, and without the brackets of IPv6. */
const hostOf = (host: string): string => /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(host)?.slice(1).join('') ?? '';
