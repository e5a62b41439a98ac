import type { BrokerDriver } from '@libs/domain';
import type { BrokerSettings } from './broker-setting.js';
import { brokerSettings } from './broker-tables.js';
import { MASK } from './mask.js';
import { withDefaults, type ValueIssue } from './validate-values.js';
import { measured } from './value-refusal.js';
import type { WrittenValue } from './written-values.js';

/** A key whose value differs between two configurations. The values of a secret are not shown. */
export interface ChangedKey {
  /** Includes the section. */
  key: string;
  from: unknown;
  to: unknown;
  secret: boolean;
  restart_required: boolean;
}

/** The written keys that only administrators may set. */
export function adminKeys(driver: BrokerDriver, release: string, written: readonly WrittenValue[]): string[] {
  const settings = brokerSettings(driver, release);
  const keys = written.map(({ key }) => key);
  return keys.filter((key) => Object.hasOwn(settings, key) && settings[key]?.owner === 'admin');
}

/** Replaces masks that were sent back with the stored secrets. A mask without a stored secret is an issue. */
export function withKeptSecrets(
  settings: BrokerSettings,
  written: readonly WrittenValue[],
  stored: Record<string, unknown>,
): { written: WrittenValue[]; issues: ValueIssue[] } {
  const isMask = ({ key, value }: WrittenValue): boolean =>
    value === MASK && Object.hasOwn(settings, key) && settings[key]?.secret === true && settings[key].editable;
  const isUnkept = (one: WrittenValue): boolean => isMask(one) && !isText(stored[one.key]);
  return {
    written: written.map((one) => (isMask(one) && !isUnkept(one) ? { ...one, value: stored[one.key] } : one)),
    issues: written.filter(isUnkept).map(({ pointer }) => ({ pointer, ...NO_SECRET })),
  };
}

const NO_SECRET = {
  code: 'no_secret_kept',
  reason: 'This is the mask of a secret, but this key has no stored secret. Send the secret itself.',
} as const;

/**
 * Masks the secrets among single keys. An empty secret counts as none. Unknown keys are masked, because they may be secrets.
 */
export function maskSecrets(
  driver: BrokerDriver,
  release: string,
  flat: Record<string, unknown>,
): Record<string, unknown> {
  const settings = brokerSettings(driver, release);
  return Object.fromEntries(
    Object.entries(flat).map(([key, value]) => {
      const isSecret = Object.hasOwn(settings, key) ? settings[key]?.secret : true;
      return [key, isSecret && value !== '' && value !== null ? MASK : value];
    }),
  );
}

/** The differences with defaults filled in. A key with its default value equals a missing key. */
export function changedKeys(
  driver: BrokerDriver,
  release: string,
  from: Record<string, unknown>,
  to: Record<string, unknown>,
): ChangedKey[] {
  const [before, after] = [withDefaults(driver, release, from), withDefaults(driver, release, to)];
  const [shownBefore, shownAfter] = [maskSecrets(driver, release, before), maskSecrets(driver, release, after)];
  const settings = brokerSettings(driver, release);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
    const same = (value: unknown): string => JSON.stringify(setting ? measured(setting, value) : value) ?? '';
    if (same(before[key]) === same(after[key])) return [];
    return [
      {
        ...{ key, from: shownBefore[key] ?? null, to: shownAfter[key] ?? null },
        secret: setting?.secret ?? false,
        restart_required: setting?.restart_required ?? true,
      },
    ];
  });
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
