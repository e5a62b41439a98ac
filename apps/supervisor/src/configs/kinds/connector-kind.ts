import {
  changedConnectorKeys,
  connectorSchema,
  connectorValues,
  maskConnector,
  secretsElsewhere,
  validateConnector,
  withKeptConnectorSecrets,
  type ChangedKey,
  type ConnectorPlugin,
  type SchemaSection,
} from '@libs/broker-config';
import { DomainError, validationFailed, type ConfigId, type OperationId } from '@libs/domain';
import { eachPathOnce, type ActingCaller } from '@libs/http';
import { connectorKind, type ConfigRow, type ConnectorInstanceRow } from '@libs/persistence/runtime';
import type { ActivityRequests } from '../../activities/index.js';
import { toFieldIssue } from '../read-config-values.js';
import { refusedDestinations } from '../refused-destinations.js';
import type { ConfigKind, Values } from './config-kind.js';

/** Configurations of the instances of one plugin. Activation applies a configuration at once. */
export class ConnectorKind implements ConfigKind {
  readonly key: string;

  constructor(
    private readonly plugin: ConnectorPlugin,
    /** Activated instances of the plugin. */
    private readonly instances: readonly ConnectorInstanceRow[],
    private readonly requests: ActivityRequests,
    /** Whether nodes may send to private addresses. */
    private readonly allowPrivate: boolean,
  ) {
    this.key = connectorKind(plugin.type, plugin.key);
  }

  get release(): string {
    return this.plugin.version;
  }

  get applied(): ConfigId[] {
    return this.instances.map(({ config_id }) => config_id);
  }

  sections(): SchemaSection[] {
    return connectorSchema(this.plugin);
  }

  nameOf(name: string | undefined): string {
    if (name === undefined)
      throw validationFailed([{ path: '/name', code: 'required', reason: 'must be the key of an activated instance' }]);
    if (this.instances.some(({ key }) => key === name)) return name;
    throw new DomainError('connector_instance_not_found', `No instance of this connector has the key ${name}.`);
  }

  read(_actor: ActingCaller, values: Values, stored: Values): Values {
    const restored = withKeptConnectorSecrets(this.plugin, values, stored);
    const issues = [
      ...restored.issues,
      ...validateConnector(this.plugin, restored.values),
      ...refusedDestinations(this.plugin, restored.values, this.allowPrivate),
    ];
    if (issues.length > 0) throw validationFailed(eachPathOnce(issues.map(toFieldIssue)));
    this.requireOwnSecrets(values, stored);
    return { ...connectorValues(restored.values) };
  }

  /** @throws DomainError secret_required */
  private requireOwnSecrets(values: Values, stored: Values): void {
    const key = secretsElsewhere(this.plugin, values, stored);
    if (key === null) return;
    throw new DomainError('secret_required', `${key} names another service than before: send the secrets again.`, {
      members: { path: `/values/plugin_config/${key}` },
    });
  }

  shown(values: Values): Values {
    return maskConnector(this.plugin, values);
  }

  changes(from: Values, to: Values): ChangedKey[] {
    return changedConnectorKeys(this.plugin, from, to);
  }

  promoted(actor: ActingCaller, { id }: ConfigRow): Promise<OperationId> {
    return this.requests.start(actor, { runtime: 'connectors', verb: 'reconfigure', configId: id });
  }
}
