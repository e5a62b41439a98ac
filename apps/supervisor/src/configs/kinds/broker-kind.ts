import {
  brokerSchema,
  changedKeys,
  maskSecrets,
  valuesBySection,
  writtenValues,
  type ChangedKey,
  type SchemaSection,
} from '@libs/broker/schema';
import type { ActingCaller } from '@libs/http';
import type { ConfigGround } from '@libs/persistence/runtime';
import { readConfigValues } from '../read-config-values.js';
import { requireAdminKeys } from '../require-admin-keys.js';
import type { ConfigKind, Values } from './config-kind.js';

/** Configurations of the broker. Nodes go on by what they have until a task or an activity gives them another. */
export class BrokerKind implements ConfigKind {
  readonly key = 'broker';

  constructor(private readonly ground: ConfigGround) {}

  get release(): string {
    return this.ground.release;
  }

  get applied(): number[] {
    return this.ground.applied;
  }

  sections(): SchemaSection[] {
    return brokerSchema(this.ground.driver, this.ground.release);
  }

  nameOf(asked: string | undefined): string {
    return asked ?? this.key;
  }

  read(actor: ActingCaller, values: Values, kept: Values): Values {
    const written = writtenValues(values);
    requireAdminKeys(actor, this.ground, written);
    return readConfigValues(this.ground, written, kept);
  }

  /** A key that a later release lacks may have been a secret. */
  shown(values: Values, savedFor: string): Values {
    return valuesBySection(maskSecrets(this.ground.driver, savedFor, values));
  }

  changes(from: Values, to: Values): ChangedKey[] {
    return changedKeys(this.ground.driver, this.ground.release, from, to);
  }

  async promoted(): Promise<null> {
    return null;
  }
}
