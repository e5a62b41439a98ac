import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The first variable that is set. The hosted system has names of its own for the same values. */
const first = (...names: string[]): string | undefined => names.map((name) => process.env[name]).find((value) => value);

/** The environment of the command. */
export const ENVIRONMENT = {
  get url() {
    return first('LANDLORD_URL');
  },
  get apiKey() {
    return first('LANDLORD_API_KEY', 'LD_API_KEY');
  },
  get tenantId() {
    return first('LANDLORD_TENANT_ID', 'LD_TENANT_ID');
  },
  /** The name of the context of every command. */
  get context() {
    return first('LANDLORD_CONTEXT');
  },
  get caFile() {
    return first('LANDLORD_CA_FILE');
  },
  /** The folder for the file of contexts. */
  get folder() {
    return join(first('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'landlord');
  },
  /** The data directory of an installation on this machine: of a checkout in this folder, or of a release. */
  get dataDirectory() {
    return first('LANDLORD_DATA_DIR') ?? (existsSync('.landlord') ? '.landlord' : join(homedir(), '.landlord'));
  },
  get editor() {
    return first('VISUAL', 'EDITOR') ?? 'vi';
  },
  get hasEditor() {
    return first('VISUAL', 'EDITOR') !== undefined;
  },
  /** Whether the environment names a proxy. Some systems have these names in capital letters. */
  get hasProxy() {
    return first('http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY') !== undefined;
  },
  /** Whether keys may be in the keyring of the operating system. */
  get usesKeyring() {
    return first('LANDLORD_KEYRING') !== 'off';
  },
  get hasColour() {
    return first('NO_COLOR') === undefined && first('TERM') !== 'dumb';
  },
};

/** The whole environment, for a program that the command starts. */
export const environmentWith = (more: Record<string, string>): NodeJS.ProcessEnv => ({ ...process.env, ...more });
