import { bytes as byteCount, milliseconds } from '@libs/broker-config';
import { ConnectorFault } from '../delivery/connector-fault.js';

/**
 * Reads the options of a plugin, each with its type and default. Every reader throws ConnectorFault with the name of the
 * option.
 */
export class PluginOptions {
  constructor(private readonly values: Record<string, unknown>) {}

  text(key: string): string {
    const value = this.values[key];
    if (typeof value === 'string' && value !== '') return value;
    throw new ConnectorFault(`plugin_config.${key} is required`);
  }

  /** Null when it is not given. */
  optionalText(key: string): string | null {
    const value = this.values[key];
    return value === undefined || value === null || value === '' ? null : this.text(key);
  }

  textOr(key: string, standard: string): string {
    return this.optionalText(key) ?? standard;
  }

  /** A list of texts that is not empty. */
  names(key: string): readonly string[] {
    const value = this.values[key];
    const isList =
      Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== '');
    if (isList) return value as string[];
    throw new ConnectorFault(`plugin_config.${key} is required`);
  }

  /** In bytes, such as `8MiB`. */
  bytes(key: string, standard: number): number {
    return this.read(key, standard, (value) => (typeof value === 'string' ? byteCount(value) : null));
  }

  /** Any JSON value. Null when it is not given. */
  json(key: string): unknown {
    return this.values[key] ?? null;
  }

  flag(key: string, standard: boolean): boolean {
    return this.read(key, standard, (value) => (typeof value === 'boolean' ? value : null));
  }

  count(key: string, standard: number, least = 0): number {
    return this.read(key, standard, (value) =>
      Number.isSafeInteger(value) && (value as number) >= least ? (value as number) : null,
    );
  }

  /** Null when it is not given. */
  optionalCount(key: string): number | null {
    return this.values[key] === undefined || this.values[key] === null ? null : this.count(key, 0);
  }

  factor(key: string, standard: number): number {
    return this.read(key, standard, (value) => (typeof value === 'number' && value >= 1 ? value : null));
  }

  /** In milliseconds. */
  duration(key: string, standardMs: number): number {
    return this.read(key, standardMs, (value) => (typeof value === 'string' ? milliseconds(value) : null));
  }

  choice<const T extends string>(key: string, choices: readonly T[], standard: T): T {
    return this.read(key, standard, (value) => choices.find((choice) => choice === value) ?? null);
  }

  counts(key: string, standard: readonly number[]): readonly number[] {
    return this.read(key, standard, (value) =>
      Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && one >= 0) ? (value as number[]) : null,
    );
  }

  texts(key: string): Record<string, string> {
    return this.read(key, {}, (value) =>
      typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string')
        ? (value as Record<string, string>)
        : null,
    );
  }

  private read<T>(key: string, standard: T, parse: (value: unknown) => T | null): T {
    const value = this.values[key];
    if (value === undefined || value === null) return standard;
    const parsed = parse(value);
    if (parsed === null) throw new ConnectorFault(`plugin_config.${key} has an invalid value`);
    return parsed;
  }
}
