import { isInRanges } from '../cidr.js';

/** Whether a listener on this host is reachable only from its own machine. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isInRanges(host, ['127.0.0.0/8', '::1/128']);
