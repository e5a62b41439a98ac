import type { SettingValue } from './broker-setting.js';

/** The input of a rule: every key of the release with its effective value. Quantities are numbers (milliseconds, bytes). */
export type MeasuredValues = Record<string, SettingValue>;

/** A rule between several keys, or beyond the type of one. Pure. Runs only when all of its keys are valid. */
export interface CrossRule {
  name: string;
  /** The keys of the rule. The rule does not apply to a release that lacks one of them. */
  keys: readonly string[];
  /** The requirement, shown to the user unchanged. */
  reason: string;
  holds: (values: MeasuredValues) => boolean;
}
