import type { BrokerDriver } from '@libs/domain';
import type { BrokerSettings, SettingValue } from './broker-setting.js';
import { brokerSettings, crossRules } from './broker-tables.js';
import type { MeasuredValues } from './cross-rule.js';
import { pointerTo } from './pointer.js';
import { measured, refusalOf, type Refusal, type ValueIssueCode } from './value-refusal.js';
import { isLevel, writtenValues, type WrittenValue } from './written-values.js';

/** Why a value is refused. `reason` describes a valid value. */
export interface ValueIssue {
  /** JSON pointer into the written values, e.g. `/mqtt/max_connections`. */
  pointer: string;
  code: ValueIssueCode;
  reason: string;
}

/** All issues of the values, in their order, issues of rules between keys last. Empty when the release accepts the values. */
export const validateValues = (driver: BrokerDriver, release: string, values: Record<string, unknown>): ValueIssue[] =>
  validateWritten(driver, release, writtenValues(values));

/** Like `validateValues`, for values that are already split into single keys. */
export function validateWritten(driver: BrokerDriver, release: string, written: readonly WrittenValue[]): ValueIssue[] {
  const settings = brokerSettings(driver, release);
  const keys = new Set<string>();
  const issues = written.flatMap((one) => {
    const refusal = keys.has(one.key) ? TWICE : judge(settings, one, `${driver} ${release}`);
    keys.add(one.key);
    return refusal ? [{ pointer: one.pointer, ...refusal }] : [];
  });
  return [...issues, ...brokenRules(driver, release, written, issues)];
}

/** The single keys, completed with the defaults of all missing keys. */
export function withDefaults(
  driver: BrokerDriver,
  release: string,
  flat: Record<string, unknown>,
): Record<string, unknown> {
  const settings = Object.entries(brokerSettings(driver, release));
  const defaults = Object.fromEntries(settings.map(([key, setting]) => [key, setting.default] as const));
  return { ...defaults, ...flat };
}

const TWICE: Refusal = { code: 'duplicate_key', reason: 'This entry is duplicated.' };

function judge(settings: BrokerSettings, { key, value }: WrittenValue, broker: string): Refusal {
  const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
  if (setting) return refusalOf(setting, value);
  const isEmptySection = isLevel(value) && Object.keys(settings).some((name) => name.startsWith(`${key}.`));
  return isEmptySection && Object.keys(value).length === 0
    ? null
    : { code: 'unknown_key', reason: `${broker} has no such key.` };
}

/** Rules run only on keys without an issue, so that one mistake is reported once. */
function brokenRules(
  driver: BrokerDriver,
  release: string,
  written: readonly WrittenValue[],
  issues: readonly ValueIssue[],
): ValueIssue[] {
  const pointers = new Map(written.map(({ key, pointer }) => [key, pointer]));
  const faulty = new Set(issues.map(({ pointer }) => pointer));
  const isGood = (key: string): boolean => !faulty.has(pointers.get(key) ?? '');
  const values = measuredValues(driver, release, written);
  return crossRules(driver, release)
    .filter(({ keys, holds }) => keys.every(isGood) && !holds(values))
    .map(({ name, keys, reason }) => {
      // Reports the issue at a key that the caller wrote. If the first key has its default, reports it at the other key.
      const [first = ''] = keys;
      const at = keys.find((key) => pointers.has(key)) ?? first;
      const sentence = at === first ? `This ${reason}` : `${first} ${reason}`;
      return {
        pointer: pointers.get(at) ?? pointerTo(at.split('.')),
        code: 'rule_broken' as const,
        reason: `${sentence} (${name}).`,
      };
    });
}

function measuredValues(driver: BrokerDriver, release: string, written: readonly WrittenValue[]): MeasuredValues {
  const valuesByKey = new Map(written.map(({ key, value }) => [key, value]));
  const entries = Object.entries(brokerSettings(driver, release)).map(([key, setting]) => {
    const value = valuesByKey.has(key) ? valuesByKey.get(key) : setting.default;
    return [key, measured(setting, value) as SettingValue] as const;
  });
  return Object.fromEntries(entries);
}
