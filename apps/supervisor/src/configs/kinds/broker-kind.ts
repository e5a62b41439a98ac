import {
  brokerSchema,
  changedKeys,
  maskSecrets,
  valuesBySection,
  writtenValues,
  type ChangedKey,
  type SchemaSection,
} from '@libs/broker-config';
import type { ConfigId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import type { ConfiguredBroker } from '@libs/persistence/runtime';
import { readConfigValues } from '../read-config-values.js';
import { requireAdminKeys } from '../require-admin-keys.js';
import type { ConfigKind, Values } from './config-kind.js';

/** Configurations of the broker. Nodes keep their configuration until a task or an activity applies another. */
export class BrokerKind implements ConfigKind {
  readonly key = 'broker';

  constructor(private readonly broker: ConfiguredBroker) {}

  get release(): string {
    return this.broker.release;
  }

  get applied(): ConfigId[] {
    return this.broker.applied;
  }

  sections(): SchemaSection[] {
    return brokerSchema(this.broker.driver, this.broker.release);
  }

  nameOf(name: string | undefined): string {
    return name ?? this.key;
  }

  read(actor: ActingCaller, values: Values, stored: Values): Values {
    const written = writtenValues(values);
    requireAdminKeys(actor, this.broker, written);
    return readConfigValues(this.broker, written, stored);
  }

  /** A key that is missing in a later release may have been a secret. */
  shown(values: Values, savedFor: string): Values {
    return valuesBySection(maskSecrets(this.broker.driver, savedFor, values));
  }

  changes(from: Values, to: Values): ChangedKey[] {
    return changedKeys(this.broker.driver, this.broker.release, from, to);
  }

  async promoted(): Promise<null> {
    return null;
  }
}
