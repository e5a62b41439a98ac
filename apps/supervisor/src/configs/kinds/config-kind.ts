import type { ChangedKey, SchemaSection } from '@libs/broker/schema';
import type { ActingCaller } from '@libs/http';
import type { ConfigRow } from '@libs/persistence/runtime';
import type { ConnectorName } from '../named-connector.decorator.js';

export type Values = Record<string, unknown>;

/**
 * What configurations of one kind are on one deployment: how they are described, read and shown, and what it means that one
 * becomes the active one. Saving, counting, activating and deleting are the same for all kinds.
 */
export interface ConfigKind {
  /** As rows keep it: `broker`, `connector:sink:http`. */
  readonly key: string;
  /** The release that values are validated for. */
  readonly release: string;
  /** Ids of the configurations of this kind that nodes run by. */
  readonly applied: readonly number[];
  sections(): SchemaSection[];
  /**
   * The name that a request means.
   * @throws DomainError validation_failed, connector_instance_not_found
   */
  nameOf(asked: string | undefined): string;
  /**
   * Values as they are kept; masks become the secrets of `kept`.
   * @throws DomainError validation_failed naming each fault, insufficient_permissions
   */
  read(actor: ActingCaller, values: Values, kept: Values): Values;
  /** As callers see them: secrets masked by the release that they were saved for. */
  shown(values: Values, savedFor: string): Values;
  changes(from: Values, to: Values): ChangedKey[];
  /**
   * The configuration has become the active one. Answers the operation that applies it; null where nothing does by itself.
   * @throws DomainError state_conflict
   */
  promoted(actor: ActingCaller, config: ConfigRow): Promise<number | null>;
}

/** The kind that a path names. */
export type NamedKind = 'broker' | ConnectorName;
