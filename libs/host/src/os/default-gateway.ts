import { readFileSync } from 'node:fs';

const EVERYWHERE = '00000000';

/** The IPv4 address of the router to all other networks, from the table of Linux. Null when there is none. */
export function defaultGateway(table: string = routes()): string | null {
  for (const line of table.split('\n').slice(1)) {
    const [, destination, gateway, , , , , mask] = line.split('\t');
    if (destination !== EVERYWHERE || mask !== EVERYWHERE || gateway === undefined || gateway === EVERYWHERE) continue;
    return [...Buffer.from(gateway, 'hex').reverse()].join('.');
  }
  return null;
}

function routes(): string {
  try {
    return readFileSync('/proc/net/route', 'utf8');
  } catch {
    // Another system has no such table.
    return '';
  }
}
