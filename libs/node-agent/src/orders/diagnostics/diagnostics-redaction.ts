import type { NodeDiagnostics, NodeDocument } from '@libs/domain';
import { isSecretName, maskMembers, maskSecrets } from '@libs/domain/secret-patterns';
import { keyLines, secretsOf } from '../../gateway/document-secrets.js';
import { LogRedaction } from '../../logs/log-redaction.js';

/** Secrets that belong to the cloud and not to its user: they never leave the node, whatever the user asks for. */
function ownSecrets({ spec }: NodeDocument, authorization: string): string[] {
  const credential = authorization.replace(/^Bearer\s+/i, '');
  const key = keyLines(spec.certs?.private_key ?? '');
  return [credential, credential.slice(credential.indexOf('.') + 1), spec.cluster.secret, ...key];
}

/** Those of the user: credentials, and settings that are named like secrets. */
function userSecrets({ spec }: NodeDocument): string[] {
  const settings = Object.entries(spec.broker.config.values).filter(([name]) => isSecretName(name));
  return [spec.credentials.password, ...settings.flatMap(([, value]) => textsIn(value))];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/** Masks secrets in what a node tells of itself, before it leaves the node. */
export class DiagnosticsRedaction {
  private readonly known = new LogRedaction();

  constructor(
    document: NodeDocument,
    authorization: string,
    /** Whether the user's secrets are masked, too. */
    private readonly isWhole: boolean,
  ) {
    this.known.know(...ownSecrets(document, authorization));
    if (isWhole) this.known.know(...userSecrets(document), ...secretsOf(document));
  }

  /** One text, of whatever origin. */
  readonly text = (text: string): string => {
    const known = this.known.redact(text);
    return this.isWhole ? maskSecrets(known) : known;
  };

  /** All of a bundle: what is named like a secret, what is known, and what looks like one. */
  bundle(told: NodeDiagnostics): NodeDiagnostics {
    const { config, environment, ...rest } = told;
    const settings = this.isWhole ? (maskMembers({ config, environment }) as typeof told) : { config, environment };
    return this.walk({ ...rest, config: settings.config, environment: settings.environment }) as NodeDiagnostics;
  }

  private walk(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.walk(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.walk(member)]));
  }
}
