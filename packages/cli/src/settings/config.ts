import { homedir } from 'node:os';
import { join } from 'node:path';

const { env } = process;

/** The first variable that is set. The hosted system has names of its own for the same values. */
const first = (...names: string[]): string | undefined => names.map((name) => env[name]).find((value) => value);

/** The environment of the command, read once. */
export const ENVIRONMENT = {
  url: first('LANDLORD_URL'),
  apiKey: first('LANDLORD_API_KEY', 'LD_API_KEY'),
  tenantId: first('LANDLORD_TENANT_ID', 'LD_TENANT_ID'),
  caFile: first('LANDLORD_CA_FILE'),
  /** The folder for the file of contexts. */
  folder: join(first('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'landlord'),
  /** The data directory of an installation on this machine. */
  dataDirectory: first('LANDLORD_DATA_DIR') ?? '.landlord',
  editor: first('VISUAL', 'EDITOR') ?? 'vi',
  /** Whether the environment names a proxy. Some systems have these names in capital letters. */
  hasProxy: first('http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY') !== undefined,
  /** Whether keys may be in the keyring of the operating system. */
  usesKeyring: first('LANDLORD_KEYRING') !== 'off',
  hasColour: first('NO_COLOR') === undefined && first('TERM') !== 'dumb',
};

/** The whole environment, for a program that the command starts. */
export const environmentWith = (more: Record<string, string>): NodeJS.ProcessEnv => ({ ...env, ...more });
