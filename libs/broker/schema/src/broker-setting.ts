/** A value as JSON has it. Null only where the broker decides by itself unless told. */
export type SettingValue =
  number | boolean | string | readonly string[] | readonly number[] | Readonly<Record<string, unknown>> | null;

/**
 * How a value is written. A duration is text such as `1m 30s`, a byte size text such as `64 MiB`; a list is of texts,
 * `integers` of whole numbers; a map has texts by name, `json` is an object of whatever shape.
 */
export const SETTING_KINDS = [
  ...(['integer', 'number', 'boolean', 'string', 'enum', 'duration', 'bytesize'] as const),
  ...(['list', 'integers', 'map', 'json'] as const),
] as const;
export type SettingKind = (typeof SETTING_KINDS)[number];

/** Who writes a key: users; users who administer the tenant; or the plane alone, by what it knows of the node. */
export type SettingOwner = 'user' | 'admin' | 'plane';

/** What a text has to look like, and how that is said. */
export interface SettingFormat {
  pattern: RegExp;
  reason: string;
}

/** One key of `broker.config.values` that a driver honours. */
export interface BrokerSetting<T extends SettingValue = SettingValue> {
  kind: SettingKind;
  default: T;
  /** Of an integer as it is, of a duration in milliseconds, of a byte size in bytes. */
  min?: number;
  max?: number;
  /** 0 is taken though it is below the minimum: it switches something off. */
  isZeroTaken?: boolean;
  multipleOf?: number;
  isPowerOfTwo?: boolean;
  choices?: readonly string[];
  /** Longest text, in characters. Default: 1000. */
  longest?: number;
  /** How many entries a list has, at least and at most. */
  entries?: readonly [number, number];
  format?: SettingFormat;
  unit?: 'bytes' | 'seconds';
  /** The flag without which the key does not count. Default: the nearest `enabled` above it. */
  requires?: string;
  owner: SettingOwner;
  /** Shown as a mask, and kept out of files that are not private. */
  secret: boolean;
  /** False for what a client should know and nobody can change. */
  editable: boolean;
  restart_required: boolean;
  description: string;
}

/** Keys are `<section>.<name>`. */
export type BrokerSettings = Record<string, BrokerSetting>;
/** A table of counts and flags alone. */
export type PlainSettings = Record<string, BrokerSetting<number | boolean>>;

/** A value for every key of a table. */
export type ValuesOf<T extends PlainSettings> = {
  [K in keyof T]: T[K]['default'] extends boolean ? boolean : number;
};

type Described<T extends number | boolean> = Pick<BrokerSetting<T>, 'default' | 'min' | 'max' | 'unit' | 'description'>;

const OF_USERS = { owner: 'user', secret: false, editable: true, restart_required: true } as const;

export const integer = (spec: Described<number>) => ({ ...OF_USERS, kind: 'integer' as const, ...spec });
export const flag = (spec: Described<boolean>) => ({ ...OF_USERS, kind: 'boolean' as const, ...spec });
/** What is so, whatever anyone writes. */
export const fact = (spec: Described<number>) => ({
  ...{ ...OF_USERS, editable: false, restart_required: false },
  kind: 'integer' as const,
  ...spec,
});
