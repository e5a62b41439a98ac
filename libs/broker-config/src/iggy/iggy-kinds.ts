import type { BrokerSetting } from '../broker-setting.js';
import * as kinds from '../setting-kinds.js';
import { IGGY_0_8_DEFAULTS } from './iggy-0.8-defaults.js';

/** A table of settings that the broker reports. */
export type IggySettings = Partial<Record<keyof typeof IGGY_0_8_DEFAULTS, BrokerSetting>>;

/** The same kind without a default, because a table does not repeat what the broker reports. */
const unset =
  <Rest extends unknown[]>(kind: (value: never, ...rest: Rest) => BrokerSetting) =>
  (...rest: Rest): BrokerSetting =>
    kind(null as never, ...rest);

export const toggle = unset(kinds.toggle);
export const count = unset(kinds.count);
export const duration = unset(kinds.duration);
export const size = unset(kinds.size);
export const choice = unset(kinds.choice);
export const text = unset(kinds.text);
export const list = unset(kinds.list);
export const secret = unset(kinds.secret);

const DEFAULTS: Readonly<Record<string, unknown>> = IGGY_0_8_DEFAULTS;

/** The table with the defaults of the broker. A key that the broker does not report has none: the broker chooses its value. */
export const withBrokerDefaults = (table: Readonly<Record<string, BrokerSetting>>): Record<string, BrokerSetting> =>
  Object.fromEntries(
    Object.entries(table).map(([key, setting]) => {
      const value = DEFAULTS[key] as BrokerSetting['default'] | undefined;
      if (value === undefined) return [key, setting];
      return [key, { ...setting, [Object.hasOwn(setting, 'brokerDefault') ? 'brokerDefault' : 'default']: value }];
    }),
  );
