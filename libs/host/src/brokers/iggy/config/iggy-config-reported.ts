import { measured, type BrokerSetting, type BrokerSettings } from '@libs/broker-config';
import type { TomlValue } from './toml-text.js';

/** The server rounds sizes in its report: `1 GiB` becomes `1.07 GB`. */
const ROUNDING = 0.01;
/** The server reports the port that it got in place of port 0. */
const FREE_PORT = /:0$/;

/**
 * The keys whose reported value differs from the rendered one. `reported` has dotted keys, as the server writes them into
 * `current_config.toml`. Other spellings of an equal value do not differ: `1 m` and `1m`, `"2"` and `2`.
 */
export function misreportedKeys(
  settings: BrokerSettings,
  rendered: Readonly<Record<string, TomlValue>>,
  reported: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(rendered)
    .filter(([key, value]) => !isReportedAs(settings[key], value, reported[key]))
    .map(([key]) => key);
}

function isReportedAs(setting: BrokerSetting | undefined, value: TomlValue, reported: unknown): boolean {
  if (typeof value === 'string' && FREE_PORT.test(value)) {
    return typeof reported === 'string' && reported.startsWith(value.replace(FREE_PORT, ':'));
  }
  const [expected, actual] = setting ? [measured(setting, value), measured(setting, reported)] : [value, reported];
  if (typeof expected === 'number' && typeof actual === 'number' && setting?.kind === 'bytesize') {
    return expected === actual || Math.abs(expected - actual) <= expected * ROUNDING;
  }
  return typeof reported === 'number' ? String(expected) === String(actual) : holds(expected, actual);
}

/** Whether everything in `wanted` is in `actual`. The server adds members to tables, with its defaults. */
function holds(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) && actual.length === expected.length && expected.every((one, at) => holds(one, actual[at]))
    );
  if (!isTable(expected)) return expected === actual;
  return isTable(actual) && Object.entries(expected).every(([name, value]) => holds(value, actual[name]));
}

/** The dotted keys of a parsed report. An array of tables is one value. */
export function dotted(table: Readonly<Record<string, unknown>>, path = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, value]) =>
      isTable(value) ? Object.entries(dotted(value, `${path}${name}.`)) : [[`${path}${name}`, value]],
    ),
  );
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
