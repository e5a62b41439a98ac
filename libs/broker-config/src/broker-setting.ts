/** A value in JSON form. Null only where the broker chooses the value unless the user sets one. */
export type SettingValue =
  number | boolean | string | readonly string[] | readonly number[] | Readonly<Record<string, unknown>> | null;

/**
 * The types of values. A duration is text such as `1m 30s`, a byte size text such as `64 MiB`. A list contains texts,
 * `integers` whole numbers. A map contains texts by name. `json` is any object.
 */
export const SETTING_KINDS = [
  ...(['integer', 'number', 'boolean', 'string', 'enum', 'duration', 'bytesize'] as const),
  ...(['list', 'integers', 'map', 'json'] as const),
] as const;
export type SettingKind = (typeof SETTING_KINDS)[number];

/** The writer of a key: users, users who administer the tenant, or only the control plane, from its data about the node. */
export type SettingOwner = 'user' | 'admin' | 'plane';

/** The pattern of a text, and its description. */
export interface SettingFormat {
  pattern: RegExp;
  reason: string;
}

/** One key of `broker.config.values` that a driver supports. */
export interface BrokerSetting<T extends SettingValue = SettingValue> {
  kind: SettingKind;
  /** The value that a deployment gets when nobody sets one. */
  default: T;
  /** The default of the broker itself, where the one of Landlord differs. The driver then writes `default` always. */
  brokerDefault?: unknown;
  /** An integer as is, a duration in milliseconds, a byte size in bytes. */
  min?: number;
  max?: number;
  /** Accepts 0 although it is below the minimum. 0 disables a feature. */
  isZeroTaken?: boolean;
  /** Words that stand for no limit, in place of a quantity. */
  words?: readonly string[];
  multipleOf?: number;
  isPowerOfTwo?: boolean;
  /** Each of the integers is larger than the one before. */
  isGrowing?: boolean;
  choices?: readonly string[];
  /** Maximum length of a text, in characters. Default: 1000. */
  longest?: number;
  /** Minimum and maximum number of entries of a list. */
  entries?: readonly [number, number];
  format?: SettingFormat;
  unit?: 'bytes' | 'seconds';
  /** The flag that enables the key. Default: the nearest `enabled` above it. */
  requires?: string;
  owner: SettingOwner;
  /** Shown masked, and never written to files that are not private. */
  secret: boolean;
  /** False for a value that clients should see but no user can change. */
  editable: boolean;
  restart_required: boolean;
  description: string;
}

/** Keys have the form `<section>.<name>`. */
export type BrokerSettings = Record<string, BrokerSetting>;
/** A table with only numbers and flags. */
export type PlainSettings = Record<string, BrokerSetting<number | boolean>>;

/** A value for every key of a table. */
export type ValuesOf<T extends PlainSettings> = {
  [K in keyof T]: T[K]['default'] extends boolean ? boolean : number;
};
