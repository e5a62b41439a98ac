import type { NodeDocument } from '@libs/domain';

const SECRET_KEY = /password|secret|token|key|credential|headers|authorization|connection_string|connection_uri|dsn/i;

/**
 * Secrets that processes of the node may print. They must not appear in logs, because readers of logs may lack the permission
 * to read credentials. The agent does not have the catalogue of connectors, so it uses the names of their options. Below such a
 * name every text counts as secret.
 */
export function secretsOf({ spec }: NodeDocument): string[] {
  const { credentials, previous_password: previous, cluster, broker, connectors, certs } = spec;
  const instances = connectors?.instances ?? [];
  return [
    ...[credentials.password, cluster.secret],
    ...(previous ? [previous.password] : []),
    ...keyLines(certs?.private_key ?? ''),
    ...dataKeysOf(broker),
    ...secretTexts(broker.config.values),
    ...instances.flatMap(({ config }) => secretTexts(config.values.plugin_config)),
  ];
}

/** The secrets of the stored data: of the node, and of a backup of another deployment that the node receives. */
export const dataKeysOf = ({ encryption, copied_root: root }: NodeDocument['spec']['broker']): string[] =>
  [encryption?.key, encryption?.source?.key, root].filter((key) => typeof key === 'string');

/** Log redaction works per line, and a key has several lines, so each line is a secret. The PEM header and footer are not. */
export const keyLines = (pem: string): string[] =>
  pem.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));

function secretTexts(values: Record<string, unknown>): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (SECRET_KEY.test(key)) return texts(value);
    return isRecord(value) ? secretTexts(value) : [];
  });
}

function texts(value: unknown): string[] {
  if (isRecord(value)) return Object.values(value).flatMap(texts);
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value === 'number') return [`${value}`];
  return typeof value === 'string' ? spellings(value) : [];
}

/** `Bearer abc` is a secret, and `abc` is too. */
function spellings(text: string): string[] {
  const [, word] = /^(?:Bearer|Basic|Token) (.+)$/i.exec(text) ?? [];
  return word === undefined ? [text] : [text, word];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
