import type { SettingValue } from './broker-setting.js';

/** What a rule sees: every key of the release, with what counts for it; quantities as numbers (milliseconds, bytes). */
export type MeasuredValues = Record<string, SettingValue>;

/** A rule between several keys, or beyond the form of one. Pure; it is asked only when each of its keys is well-formed. */
export interface CrossRule {
  name: string;
  /** The keys it is about. A release that lacks one of them is not held to it. */
  keys: readonly string[];
  /** What would be right; told as it stands. */
  reason: string;
  holds: (values: MeasuredValues) => boolean;
}
