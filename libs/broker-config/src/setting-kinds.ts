import type { BrokerSetting, SettingFormat, SettingValue } from './broker-setting.js';
import { bytes, milliseconds } from './quantities.js';

/** A table is invalid. Thrown while the module loads, so every test detects it. */
class BadTable extends TypeError {}

type Named =
  'isZeroTaken' | 'multipleOf' | 'isPowerOfTwo' | 'choices' | 'format' | 'requires' | 'secret' | 'words' | 'unit';
type More = Partial<Pick<BrokerSetting, Named>>;
/** Bounds of quantities have the same format as the values. */
type Bounds<T> = { min?: T; max?: T };

const base = (description: string, more: More) => ({
  ...{ owner: 'user' as const, secret: false, editable: true, restart_required: true, description },
  ...more,
});

export const toggle = (
  value: boolean,
  description: string,
  more: Pick<More, 'requires'> = {},
): BrokerSetting<boolean> => ({
  ...base(description, more),
  ...{ kind: 'boolean', default: value },
});

export const count = <T extends number | null>(
  value: T,
  description: string,
  more: More & Bounds<number> = {},
): BrokerSetting<T> => ({
  ...base(description, more),
  ...{ kind: 'integer', default: value, min: more.min ?? 0 },
});

/** A number that no configuration can change. */
export const fact = (value: number, description: string): BrokerSetting<number> => ({
  ...base(description, {}),
  ...{ kind: 'integer', default: value, editable: false, restart_required: false },
});

export const duration = (
  value: string,
  description: string,
  { min, max, ...more }: More & Bounds<string> = {},
): BrokerSetting => ({
  ...base(description, more),
  ...{ kind: 'duration', default: value },
  ...bounds(min, max, milliseconds),
});

export const size = (
  value: string | null,
  description: string,
  { min, max, ...more }: More & Bounds<string> = {},
): BrokerSetting => ({
  ...base(description, more),
  ...{ kind: 'bytesize', default: value },
  ...bounds(min, max, bytes),
});

export const choice = (value: string, choices: readonly string[], description: string): BrokerSetting => ({
  ...base(description, { choices }),
  ...{ kind: 'enum', default: value },
});

export const text = (
  value: string | null,
  description: string,
  format?: SettingFormat,
  more: More = {},
): BrokerSetting => ({
  ...base(description, { ...more, ...(format && { format }) }),
  ...{ kind: 'string', default: value },
});

export const list = (value: readonly string[], description: string, format?: SettingFormat): BrokerSetting => ({
  ...base(description, format ? { format } : {}),
  ...{ kind: 'list', default: value },
});

/** A text that is shown as a mask. */
export const secret = (value: string, description: string): BrokerSetting =>
  text(value, description, undefined, { secret: true });

/**
 * The same setting with a default of Landlord in place of the broker's, and the reason for it. A deployment gets this
 * default, so the driver always writes it into the configuration.
 */
export const ours = (setting: BrokerSetting, value: SettingValue, reason: string): BrokerSetting => ({
  ...setting,
  ...{ default: value, brokerDefault: setting.brokerDefault ?? setting.default },
  description: `${setting.description} ${reason}`,
});

/** The same setting, only for administrators of the tenant. */
export const admin = (setting: BrokerSetting): BrokerSetting => ({ ...setting, owner: 'admin' });

/** The same setting, only for the control plane. */
export const plane = (setting: BrokerSetting): BrokerSetting => ({ ...setting, owner: 'plane', editable: false });

function bounds(
  min: string | undefined,
  max: string | undefined,
  read: (text: string) => number | null,
): Bounds<number> {
  const of = (limit: string): number => {
    const amount = read(limit);
    if (amount === null) throw new BadTable(`${limit} is not a quantity`);
    return amount;
  };
  return { ...(min !== undefined && { min: of(min) }), ...(max !== undefined && { max: of(max) }) };
}
