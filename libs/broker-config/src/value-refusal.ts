import type { BrokerSetting, SettingKind } from './broker-setting.js';
import { bytes, bytesText, durationText, milliseconds } from './quantities.js';
import { isLevel } from './written-values.js';

export type ValueIssueCode =
  | 'unknown_key'
  | 'duplicate_key'
  | 'not_editable'
  | 'wrong_type'
  | 'not_an_integer'
  | 'below_minimum'
  | 'above_maximum'
  | 'not_one_of'
  | 'not_in_format'
  | 'too_long'
  | 'too_short'
  | 'required'
  | 'no_secret_kept'
  | 'rule_broken';

/** Why a value of a key is refused. Null when it is accepted. */
export type Refusal = { code: ValueIssueCode; reason: string } | null;

const MOST_CHARACTERS = 1_000;
const MOST_ENTRIES = 100;
/** Limit of values of kind `json`. */
const MOST_JSON = 16_384;
const MOST_LEVELS = 20;
const WANTED: Record<SettingKind, string> = {
  integer: 'This must be a number.',
  number: 'This must be a number.',
  boolean: 'This must be a boolean.',
  string: 'This must be a string.',
  enum: 'This must be a string.',
  duration: 'This must be a duration such as "30 s" or "1m 30s".',
  bytesize: 'This must be a size such as "64 MiB" or "2 MB".',
  list: 'This must be an array of strings.',
  integers: 'This must be an array of whole numbers.',
  map: 'This must be an object whose members are strings.',
  json: 'This must be an object.',
};

/** Checks one value against the type of its key only. */
export function refusalOf(setting: BrokerSetting, value: unknown): Refusal {
  if (!setting.editable) return uneditable(setting, value);
  if (value === null && setting.default === null) return null;
  return JUDGES[setting.kind](setting, value);
}

/**
 * A quantity as a number: milliseconds or bytes, infinity for a word that stands for no limit. Other values unchanged. Null
 * for an invalid quantity and for a missing one.
 */
export function measured({ kind, words }: BrokerSetting, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (words?.includes(value)) return Number.POSITIVE_INFINITY;
  if (kind === 'duration') return milliseconds(value);
  return kind === 'bytesize' ? bytes(value) : value;
}

type Validator = (setting: BrokerSetting, value: unknown) => Refusal;

const wrongType = ({ kind }: BrokerSetting): Refusal => ({ code: 'wrong_type', reason: WANTED[kind] });
const ofType =
  (type: 'boolean' | 'number' | 'string', judge: Validator): Validator =>
  (setting, value) =>
    typeof value === type ? judge(setting, value) : wrongType(setting);

const quantity =
  (read: (text: string) => number | null, tell: (amount: number) => string): Validator =>
  (setting, value) => {
    if (setting.words?.includes(String(value))) return null;
    const amount = read(String(value));
    return amount === null ? wrongType(setting) : outOfRange(setting, amount, tell);
  };

const JUDGES: Record<SettingKind, Validator> = {
  boolean: ofType('boolean', () => null),
  integer: ofType('number', integerRefusal),
  string: ofType('string', textRefusal),
  enum: ofType('string', choiceRefusal),
  duration: ofType('string', quantity(milliseconds, durationText)),
  bytesize: ofType('string', quantity(bytes, bytesText)),
  list: listRefusal,
  number: ofType('number', (setting, value) => outOfRange(setting, value as number, String)),
  integers: integersRefusal,
  map: mapRefusal,
  json: jsonRefusal,
};

/** A fixed value may be sent back as it was read. For values of the control plane the default is not the actual value. */
function uneditable({ owner, default: only }: BrokerSetting, value: unknown): Refusal {
  if (owner === 'plane') return { code: 'not_editable', reason: 'The platform sets this value. It cannot be changed.' };
  if (value === only) return null;
  return { code: 'not_editable', reason: `This is ${JSON.stringify(only)} and cannot be changed.` };
}

function integerRefusal(setting: BrokerSetting, value: unknown): Refusal {
  if (!Number.isSafeInteger(value)) return { code: 'not_an_integer', reason: 'This must be a whole number.' };
  const of = setting.unit ? ` ${setting.unit}` : '';
  return outOfRange(setting, value as number, (amount) => `${amount}${of}`);
}

function outOfRange(setting: BrokerSetting, amount: number, tell: (amount: number) => string): Refusal {
  const { min, max, isZeroTaken } = setting;
  if (amount === 0 && isZeroTaken) return null;
  if (min !== undefined && amount < min) {
    const least = setting.kind !== 'integer' && min < 1 ? 'more than 0' : `at least ${tell(min)}`;
    return { code: 'below_minimum', reason: `This must be ${least}${isZeroTaken ? ', or 0' : ''}.` };
  }
  if (max !== undefined && amount > max) return { code: 'above_maximum', reason: `This must be at most ${tell(max)}.` };
  return offGrid(setting, amount, tell);
}

function offGrid(
  { multipleOf, isPowerOfTwo }: BrokerSetting,
  amount: number,
  tell: (amount: number) => string,
): Refusal {
  if (multipleOf !== undefined && amount % multipleOf !== 0)
    return { code: 'not_in_format', reason: `This must be a multiple of ${tell(multipleOf)}.` };
  if (isPowerOfTwo && !Number.isInteger(Math.log2(amount)))
    return { code: 'not_in_format', reason: 'This must be a power of two.' };
  return null;
}

function textRefusal({ format, longest = MOST_CHARACTERS }: BrokerSetting, value: unknown): Refusal {
  const text = String(value);
  if (text.length > longest) return { code: 'too_long', reason: `This may have ${longest} characters at most.` };
  return !format || format.pattern.test(text) ? null : { code: 'not_in_format', reason: `This ${format.reason}.` };
}

function choiceRefusal({ choices = [] }: BrokerSetting, value: unknown): Refusal {
  if (choices.includes(String(value))) return null;
  return { code: 'not_one_of', reason: `This must be one of ${choices.join(', ')}.` };
}

function listRefusal(setting: BrokerSetting, value: unknown): Refusal {
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string')) return wrongType(setting);
  const lengthRefusal = entriesRefusal(setting, value.length);
  if (lengthRefusal) return lengthRefusal;
  for (const entry of value) {
    const refusal = textRefusal(setting, entry);
    if (refusal) return { code: refusal.code, reason: refusal.reason.replace(/^This/, 'Each entry') };
  }
  return null;
}

function entriesRefusal({ entries: [least, most] = [0, MOST_ENTRIES] }: BrokerSetting, length: number): Refusal {
  if (length > most) return { code: 'too_long', reason: `This may have ${most} entries at most.` };
  return length < least ? { code: 'too_short', reason: `This must have at least ${least} entries.` } : null;
}

function integersRefusal(setting: BrokerSetting, value: unknown): Refusal {
  if (!Array.isArray(value) || !value.every(Number.isSafeInteger)) return wrongType(setting);
  const outside = (value as number[]).map((entry) => outOfRange(setting, entry, String)).find((refusal) => refusal);
  return entriesRefusal(setting, value.length) ?? outside ?? orderRefusal(setting, value as number[]);
}

function orderRefusal({ isGrowing }: BrokerSetting, [first = 0, ...rest]: readonly number[]): Refusal {
  const isOrdered = rest.every((entry, index) => entry > (index === 0 ? first : (rest[index - 1] ?? 0)));
  if (!isGrowing || isOrdered) return null;
  return { code: 'rule_broken', reason: 'Each number must be larger than the one before.' };
}

function mapRefusal(setting: BrokerSetting, value: unknown): Refusal {
  if (!isLevel(value)) return wrongType(setting);
  if (Object.values(value).some((member) => typeof member !== 'string')) return wrongType(setting);
  for (const [name, member] of Object.entries(value)) {
    const refusal = textRefusal(setting, member);
    if (refusal) return { code: refusal.code, reason: refusal.reason.replace(/^This/, name) };
  }
  return entriesRefusal(setting, Object.keys(value).length);
}

function jsonRefusal(setting: BrokerSetting, value: unknown): Refusal {
  if (!isLevel(value)) return wrongType(setting);
  if (!isWithinLevels(value, MOST_LEVELS))
    return { code: 'too_long', reason: `This may have ${MOST_LEVELS} levels at most.` };
  if (JSON.stringify(value).length <= MOST_JSON) return null;
  return { code: 'too_long', reason: `This may have ${MOST_JSON} characters at most.` };
}

/** Checks level by level and stops at the limit, so that deep nesting cannot overflow the stack. */
export function isWithinLevels(value: object, levels: number): boolean {
  const isDeep = (member: unknown): member is object => typeof member === 'object' && member !== null;
  return levels > 0 && Object.values(value).every((member) => !isDeep(member) || isWithinLevels(member, levels - 1));
}
