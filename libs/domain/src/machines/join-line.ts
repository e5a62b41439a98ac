import { createHash } from 'node:crypto';
import { shellWord } from './shell-word.js';
import { MACHINE_PATHS } from './machine-protocol.js';

/** The files that a host reads before it has a credential, as the gateway sends them. */
export interface JoinFiles {
  /** URL of the gateway. */
  url: string;
  /** The certificate of the gateway's authority in PEM. Null: the gateway uses plain HTTP on this machine. */
  authority: string | null;
  script: string;
}

/** One shell line that makes a host a machine, and the hashes that it checks. */
export interface JoinLine {
  line: string;
  script_sha256: string;
  /** Null without TLS. */
  ca_sha256: string | null;
}

/**
 * The line trusts nothing that it downloads: it contains the hash of each file. It does not contain the token. The script reads the
 * token from its standard input, so no list of processes and no history of the shell contains the token.
 */
export function joinLine({ url, authority, script }: JoinFiles): JoinLine {
  const base = url.replace(/\/+$/, '');
  const [scriptHash, authorityHash] = [sha256(script), authority === null ? null : sha256(authority)];
  const trust = authorityHash === null ? '' : ' --cacert ca.pem';
  const steps = [
    'cd "$(mktemp -d)"',
    ...(authorityHash === null
      ? []
      : [`curl -fsSk ${shellWord(base + MACHINE_PATHS.authority)} -o ca.pem`, checked(authorityHash, 'ca.pem')]),
    `curl -fsS${trust} ${shellWord(base + MACHINE_PATHS.script)} -o join.sh`,
    checked(scriptHash, 'join.sh'),
    `sh join.sh --url ${shellWord(base)}${authorityHash === null ? '' : ' --ca-file ca.pem'}`,
  ];
  return { line: `(${steps.join(' && ')})`, script_sha256: scriptHash, ca_sha256: authorityHash };
}

const checked = (hash: string, file: string): string => `echo '${hash}  ${file}' | sha256sum -c - >&2`;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
