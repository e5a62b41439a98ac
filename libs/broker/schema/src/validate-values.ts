import type { BrokerDriver } from '@libs/domain';
import { brokerSettings } from './broker-schema.js';
import type { BrokerSetting } from './broker-setting.js';

/** Why a value cannot be taken. `message` says what is wrong and what would be right. */
export interface ValueIssue {
  /** JSON pointer into the values, e.g. `/mqtt.max_connections`. */
  pointer: string;
  code: 'unknown_key' | 'not_editable' | 'wrong_type' | 'not_an_integer' | 'below_minimum' | 'above_maximum';
  reason: string;
}

type Refusal = Omit<ValueIssue, 'pointer'> | null;

/** Every issue of the values, in their order; none when the driver's release can take them. */
export function validateValues(driver: BrokerDriver, release: string, values: Record<string, unknown>): ValueIssue[] {
  const settings = brokerSettings(driver, release);
  return Object.entries(values).flatMap(([key, value]) => {
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
    const refusal = setting ? refusalOf(setting, value) : unknown(driver, release);
    return refusal ? [{ pointer: pointerTo(key), ...refusal }] : [];
  });
}

/** The values with a default for every key of the schema that they leave out. */
export function withDefaults(
  driver: BrokerDriver,
  release: string,
  values: Record<string, unknown>,
): Record<string, unknown> {
  const settings = Object.entries(brokerSettings(driver, release));
  const defaults = Object.fromEntries(settings.map(([key, setting]) => [key, setting.default] as const));
  return { ...defaults, ...values };
}

const unknown = (driver: BrokerDriver, release: string): Refusal => ({
  code: 'unknown_key',
  reason: `${driver} ${release} has no such key.`,
});

function refusalOf(setting: BrokerSetting, value: unknown): Refusal {
  if (!setting.editable) return factRefusal(setting, value);
  const wanted = typeof setting.default;
  if (typeof value !== wanted) return { code: 'wrong_type', reason: `This must be a ${wanted}.` };
  return typeof value === 'number' ? numberRefusal(setting, value) : null;
}

/** What cannot be changed may be sent back as it was read. */
function factRefusal(setting: BrokerSetting, value: unknown): Refusal {
  if (value === setting.default) return null;
  return { code: 'not_editable', reason: `This is ${setting.default} and cannot be changed.` };
}

function numberRefusal({ min, max, unit }: BrokerSetting, value: number): Refusal {
  const of = unit ? ` ${unit}` : '';
  if (!Number.isSafeInteger(value)) return { code: 'not_an_integer', reason: 'This must be a whole number.' };
  if (min !== undefined && value < min) return { code: 'below_minimum', reason: `This must be at least ${min}${of}.` };
  if (max !== undefined && value > max) return { code: 'above_maximum', reason: `This must be at most ${max}${of}.` };
  return null;
}

const pointerTo = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
