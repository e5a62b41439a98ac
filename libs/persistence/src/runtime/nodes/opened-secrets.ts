import type { ConnectorValues, DeploymentId } from '@libs/domain';
import type { Secrets } from '../../secrets.js';
import { configLocation } from '../configs.repository.js';
import { dataKeyLocation } from '../initial-rows.repository.js';
import {
  nextPasswordLocation,
  passwordLocation,
  previousPasswordLocation,
} from '../security/credentials.repository.js';
import { openNodeCertificate } from '../security/deployment-certificates.repository.js';
import { runsConnectors, type OpenedSecrets, type SpecConnector, type SpecRows } from './node-spec.js';

const peerLocation = (row: DeploymentId) => ({ table: 'deployment_runtimes', column: 'peer_secret', row }) as const;

/** Opens every sealed value of a node's rows. */
export function openSecrets(secrets: Secrets, rows: SpecRows): OpenedSecrets {
  const connectors = runsConnectors(rows) ? (rows.connectors ?? []) : [];
  return {
    peerSecret: secrets.open(peerLocation(rows.deployment_id), rows.peer_secret),
    ...openPasswords(secrets, rows),
    dataKey: rows.data_key && secrets.open(dataKeyLocation(rows.deployment_id), rows.data_key),
    sourceKey: openSourceKey(secrets, rows),
    sourceSecret: openSourceSecret(secrets, rows),
    configValues: openConfig(secrets, rows),
    certs: rows.certs && openNodeCertificate(secrets, rows.certs),
    connectorValues: connectors.map((one) => openConnector(secrets, rows, one)),
  };
}

function openSourceKey(secrets: Secrets, { restore_source: source, source_key: sealed }: SpecRows): string | null {
  return source !== null && sealed !== null ? secrets.open(dataKeyLocation(source), sealed) : null;
}

/** A deleted source has no secret. Its backups are deleted, too. */
function openSourceSecret(
  secrets: Secrets,
  { restore_source: source, source_secret: sealed }: SpecRows,
): string | null {
  return source !== null && sealed ? secrets.open(peerLocation(source), sealed) : null;
}

/**
 * During a replacement of credentials, nodes that were already updated have the next password, and the current one is their
 * previous one.
 */
function openPasswords(secrets: Secrets, rows: SpecRows): Pick<OpenedSecrets, 'password' | 'previousPassword'> {
  const { deployment_id: id, previous_password: previous, previous_until: valid_to } = rows;
  const current = secrets.open(passwordLocation(id), rows.password);
  const until = (password: string | null) => (password !== null && valid_to !== null ? { password, valid_to } : null);
  if (rows.has_next_password && rows.next_password !== null)
    return {
      password: secrets.open(nextPasswordLocation(id), rows.next_password),
      previousPassword: until(current),
    };
  return {
    password: current,
    previousPassword: until(previous && secrets.open(previousPasswordLocation(id), previous)),
  };
}

function openConfig(secrets: Secrets, rows: SpecRows): Record<string, unknown> {
  const location = configLocation(rows.deployment_id, 'broker', rows.config_name, rows.config_version);
  return JSON.parse(secrets.open(location, rows.config_values)) as Record<string, unknown>;
}

function openConnector(secrets: Secrets, { deployment_id }: SpecRows, connector: SpecConnector): ConnectorValues {
  const { config_kind, key, config_version, config_values } = connector;
  const location = configLocation(deployment_id, config_kind, key, config_version);
  return JSON.parse(secrets.open(location, config_values)) as ConnectorValues;
}
