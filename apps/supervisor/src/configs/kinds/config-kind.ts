import type { ChangedKey, SchemaSection } from '@libs/broker-config';
import type { ConfigId, OperationId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import type { ConfigRow } from '@libs/persistence/runtime';
import type { ConnectorName } from '../named-connector.decorator.js';

export type Values = Record<string, unknown>;

/**
 * The configurations of one kind on one deployment: their schema, how they are read and shown, and the effect of
 * activation. Saving, counting, activating and deleting are the same for all kinds.
 */
export interface ConfigKind {
  /** The kind in rows: `broker`, `connector:sink:http`. */
  readonly key: string;
  /** The release that values are validated for. */
  readonly release: string;
  /** Ids of the configurations of this kind that nodes have applied. */
  readonly applied: readonly ConfigId[];
  sections(): SchemaSection[];
  /**
   * Returns the name of the configuration in a request.
   * @throws DomainError validation_failed, connector_instance_not_found
   */
  nameOf(name: string | undefined): string;
  /**
   * Returns the values to store. Secrets of `kept` replace masks.
   * @throws DomainError validation_failed naming each fault, insufficient_permissions
   */
  read(actor: ActingCaller, values: Values, stored: Values): Values;
  /** Returns the values for callers: secrets are masked by the schema of the release that the values were saved for. */
  shown(values: Values, savedFor: string): Values;
  changes(from: Values, to: Values): ChangedKey[];
  /**
   * Called when the configuration has become the active one. Returns the id of the operation that applies it, or null
   * if nothing applies it automatically.
   * @throws DomainError state_conflict
   */
  promoted(actor: ActingCaller, config: ConfigRow): Promise<OperationId | null>;
}

/** The kind in a path. */
export type NamedKind = 'broker' | ConnectorName;
