import type { NodeDocument } from '@libs/domain';
import { secretsOf } from './document-secrets.js';
import { LogRedaction } from '../logs/log-redaction.js';

const KEY = [
  '-----BEGIN PRIVATE KEY-----',
  'MIGHfirstlineplanted',
  'secondlineplanted==',
  '-----END PRIVATE KEY-----',
  '',
];

function aDocument(certs?: NodeDocument['spec']['certs']): NodeDocument {
  return {
    ...{ node_id: 7, timeline: 1, generation: 9, hash: 'abc', epoch: 1 },
    spec: {
      ...{ node_id: 7, deployment_id: 3, name: 'node-1' },
      broker: {
        ...{ driver: 'embedded', version: '1.2.0', want: 'running', restart: 0 },
        config: { id: 5, version: 2, values: {} },
      },
      listen: { address: '127.0.0.1', ports: { tcp: 1, http: null, websocket: null, udp: null }, peer: null },
      cluster: { size: 1, ordinal: 1, leader: null, secret: 'cluster secret' },
      credentials: { username: 'user', password: 'client password', version: 1 },
      access_rules: [],
      ...(certs && { certs }),
    },
  };
}

describe('the secrets of a document', () => {
  it("include every line of the certificate's key, so that no log line contains one, in any format", () => {
    const redaction = new LogRedaction();
    redaction.know(...secretsOf(aDocument({ certificate: 'PEM', private_key: KEY.join('\n') })));

    const printed = [...KEY, JSON.stringify(KEY.join('\n')), 'the certificate is PEM'].map((line) =>
      redaction.redact(line),
    );

    expect(printed.join()).not.toContain('planted');
    expect(printed.at(-1)).toBe('the certificate is PEM');
  });

  it('include the keys of the stored data, and of the backup of another deployment', () => {
    const { spec, ...document } = aDocument();
    const encrypted = {
      ...document,
      spec: {
        ...spec,
        broker: { ...spec.broker, encryption: { key: 'c2VjcmV0+/==', source: { key: 'c291cmNl+/==' } } },
      },
    };

    expect(secretsOf(encrypted)).toEqual(['client password', 'cluster secret', 'c2VjcmV0+/==', 'c291cmNl+/==']);
  });

  it('include the previous password while it is good', () => {
    const { spec, ...document } = aDocument();
    const previous_password = { password: 'previous password', valid_to: null };

    const secrets = secretsOf({ ...document, spec: { ...spec, previous_password } });

    expect(secrets).toEqual(['client password', 'cluster secret', 'previous password']);
  });

  it('are only those of the broker while there is no certificate', () => {
    expect(secretsOf(aDocument())).toEqual(['client password', 'cluster secret']);
  });
});
