/** One key of `broker.config.values` that a driver honours. */
export interface BrokerSetting<T extends number | boolean = number | boolean> {
  default: T;
  min?: number;
  max?: number;
  unit?: 'bytes' | 'seconds';
  /** False for what a client should know and nobody can change. */
  editable: boolean;
  restart_required: boolean;
  description: string;
}

/** Keys are `<section>.<name>`. */
export type BrokerSettings = Record<string, BrokerSetting>;

/** A value for every key of a table. */
export type ValuesOf<T extends BrokerSettings> = {
  [K in keyof T]: T[K]['default'] extends boolean ? boolean : number;
};

type Described<T extends number | boolean> = Omit<BrokerSetting<T>, 'editable' | 'restart_required'>;

export const integer = (spec: Described<number>) => ({ ...spec, editable: true, restart_required: true });
export const flag = (spec: Described<boolean>) => ({ ...spec, editable: true, restart_required: true });
/** What is so, whatever anyone writes. */
export const fact = (spec: Described<number>) => ({ ...spec, editable: false, restart_required: false });
