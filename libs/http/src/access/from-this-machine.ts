import { isInRanges } from '@libs/domain';
import type { Request } from 'express';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** A proxy that adds one of these headers has other clients. */
const FORWARDED = [
  ...['forwarded', 'via', 'x-real-ip'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-forwarded-server'],
];

/**
 * Whether a request comes from a program on this machine. Behind a proxy on this machine, every request seems to, so a forwarded
 * request does not count.
 */
export const isFromThisMachine = ({ headers, socket }: Pick<Request, 'headers' | 'socket'>): boolean =>
  FORWARDED.every((name) => headers[name] === undefined) && isInRanges(socket.remoteAddress ?? '', LOOPBACK);
