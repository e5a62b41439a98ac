import type { BrokerSetting, SettingKind, SettingOwner, SettingValue } from './broker-setting.js';
import { MASK } from './mask.js';

/**
 * A constraint of a value, in the terms of the contract: a bound, the choices, the pattern, or the name and the text of a rule
 * between keys.
 */
export interface SchemaRule {
  rule: string;
  value: number | string | readonly string[];
}

/** One key as the API describes it (C-16.3). */
export interface SchemaEntry {
  /** The name within the section of `values`. */
  key: string;
  name: string;
  description: string;
  /** Null where the broker chooses the value. The mask for a secret. */
  default_value: SettingValue;
  kind: SettingKind;
  /** The unit of the numbers in `rules`. Null for a plain count, a flag or a text. */
  unit: 'bytes' | 'seconds' | 'milliseconds' | null;
  /** The writer of the key: users, users with a role of owner or admin, or only the control plane. */
  owner: SettingOwner;
  editable: boolean;
  /** Sent like a password, read as a mask. */
  secret: boolean;
  /** Keys, including the section, that must have a value for this key to have an effect. */
  requirements: { key: string; value: boolean | string }[];
  rules: SchemaRule[];
  restart_required: boolean;
}

export interface SchemaSection {
  key: string;
  name: string;
  description: string;
  schema: SchemaEntry[];
}

/** Describes one key. */
export function describeSetting(
  key: string,
  setting: BrokerSetting,
  requirements: SchemaEntry['requirements'],
  furtherRules: readonly SchemaRule[],
): SchemaEntry {
  return {
    key,
    name: wordsOf(key),
    description: setting.description,
    default_value: setting.secret ? MASK : setting.default,
    kind: setting.kind,
    unit: unitOf(setting),
    owner: setting.owner,
    editable: setting.editable,
    secret: setting.secret,
    requirements,
    rules: [...rulesOf(setting), ...furtherRules],
    restart_required: setting.restart_required,
  };
}

/** `cors.max_age` becomes "Cors max age". */
export function wordsOf(key: string): string {
  const words = key.replace(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function unitOf({ kind, unit }: BrokerSetting): SchemaEntry['unit'] {
  if (kind === 'duration') return 'milliseconds';
  return kind === 'bytesize' ? 'bytes' : (unit ?? null);
}

function rulesOf({
  min,
  max,
  isZeroTaken,
  multipleOf,
  isPowerOfTwo,
  isGrowing,
  choices,
  words = [],
  format,
  entries,
}: BrokerSetting): SchemaRule[] {
  const rules: SchemaRule[] = [];
  if (min !== undefined) rules.push({ rule: 'minimum', value: min });
  if (max !== undefined) rules.push({ rule: 'maximum', value: max });
  if (isZeroTaken) rules.push({ rule: 'or', value: 0 });
  for (const word of words) rules.push({ rule: 'or', value: word });
  if (multipleOf !== undefined) rules.push({ rule: 'multiple_of', value: multipleOf });
  if (isGrowing) rules.push({ rule: 'each_larger_than', value: 'the number before' });
  if (isPowerOfTwo) rules.push({ rule: 'power_of', value: 2 });
  if (entries)
    rules.push({ rule: 'minimum_entries', value: entries[0] }, { rule: 'maximum_entries', value: entries[1] });
  if (choices) rules.push({ rule: 'one_of', value: choices });
  if (format) rules.push({ rule: 'pattern', value: format.pattern.source });
  return rules;
}
