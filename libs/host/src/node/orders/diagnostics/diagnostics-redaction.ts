import type { NodeDiagnostics, NodeDocument } from '@libs/domain';
import { isSecretName, maskMembers, maskSecrets } from '@libs/domain/secret-patterns';
import { dataKeysOf, keyLines, secretsOf } from '../../gateway/document-secrets.js';
import { LogRedaction } from '../../logs/log-redaction.js';

/** Secrets of Landlord, not of the user. They never leave the node, whatever the user requests. */
function ownSecrets({ spec }: NodeDocument, authorization: string): string[] {
  const credential = authorization.replace(/^Bearer\s+/i, '');
  const key = keyLines(spec.certs?.private_key ?? '');
  return [
    credential,
    credential.slice(credential.indexOf('.') + 1),
    spec.cluster.secret,
    ...key,
    ...dataKeysOf(spec.broker),
  ];
}

/** Secrets of the user: credentials, and settings with names of secrets. */
function userSecrets({ spec }: NodeDocument): string[] {
  const settings = Object.entries(spec.broker.config.values).filter(([name]) => isSecretName(name));
  const previous = spec.previous_password ? [spec.previous_password.password] : [];
  return [spec.credentials.password, ...previous, ...settings.flatMap(([, value]) => textsIn(value))];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/** Masks secrets in the diagnostics of a node before they leave the node. */
export class DiagnosticsRedaction {
  private readonly known = new LogRedaction();

  constructor(
    document: NodeDocument,
    authorization: string,
    /** Whether the user's secrets are masked too. */
    private readonly isWhole: boolean,
  ) {
    this.known.know(...ownSecrets(document, authorization));
    if (isWhole) this.known.know(...userSecrets(document), ...secretsOf(document));
  }

  /** One text of any origin. */
  readonly text = (text: string): string => {
    const redacted = this.known.redact(text);
    return this.isWhole ? maskSecrets(redacted) : redacted;
  };

  /** The whole bundle: members with names of secrets, known secrets, and text that looks like a secret. */
  bundle(diagnostics: NodeDiagnostics): NodeDiagnostics {
    const { config, environment, ...rest } = diagnostics;
    const settings = this.isWhole
      ? (maskMembers({ config, environment }) as typeof diagnostics)
      : { config, environment };
    return this.walk({ ...rest, config: settings.config, environment: settings.environment }) as NodeDiagnostics;
  }

  private walk(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.walk(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.walk(member)]));
  }
}
