import { ConnectorFault } from '../../delivery/connector-fault.js';

/** Where a database is, and as whom. Nothing of it comes from the environment or from files of the node. */
export interface PostgresAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  ssl: false | { rejectUnauthorized: boolean };
}

const DEFAULT_PORT = 5432;
const TLS: Record<string, PostgresAddress['ssl']> = {
  disable: false,
  require: { rejectUnauthorized: true },
  'verify-ca': { rejectUnauthorized: true },
  'verify-full': { rejectUnauthorized: true },
  'no-verify': { rejectUnauthorized: false },
};

/**
 * Reads `postgres://user:password@host:port/database?sslmode=`. Refuses unix sockets, several hosts, and options that name
 * files of the node. Without `sslmode` the connection is encrypted and the certificate is verified.
 * @throws ConnectorFault without the password
 */
export function postgresAddress(text: string): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw fault('must be an address such as postgres://user:password@db.example.com:5432/name');
  const [user, password] = [decoded(url.username), decoded(url.password)];
  const database = decoded(url.pathname.slice(1));
  if (user === '' || password === '' || database === '') throw fault('must contain user, password and database');
  const ssl = tlsOf(url.searchParams);
  return { host: hostOf(url), port: Number(url.port) || DEFAULT_PORT, user, password, database, ssl };
}

function hostOf({ hostname }: URL): string {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (host !== '' && /^[A-Za-z0-9._:-]+$/.test(host)) return host;
  throw fault('must contain one host. Unix sockets and lists of hosts are not supported');
}

function tlsOf(options: URLSearchParams): PostgresAddress['ssl'] {
  const other = [...options.keys()].find((name) => name !== 'sslmode');
  if (other !== undefined)
    throw fault(`has the option ${other.slice(0, 40)}. Only sslmode is supported, and no file of the node`);
  const mode = options.get('sslmode') ?? 'verify-full';
  const ssl = Object.hasOwn(TLS, mode) ? TLS[mode] : undefined;
  if (ssl !== undefined) return ssl;
  throw fault(`has an unknown sslmode. Known are ${Object.keys(TLS).join(', ')}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fault('has an invalid % escape');
  }
}

const fault = (reason: string): ConnectorFault => new ConnectorFault(`plugin_config.connection_string ${reason}`);
