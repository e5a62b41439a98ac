import {
  brokerSettings,
  flatValues,
  validateWritten,
  withKeptSecrets,
  type ValueIssue,
  type WrittenValue,
} from '@libs/broker-config';
import { validationFailed } from '@libs/domain';
import { eachPathOnce } from '@libs/http';
import type { ConfiguredBroker } from '@libs/persistence/runtime';

/** More keys than any broker has. Each fault is reported, so the number of faults must be limited. */
const MOST_KEYS = 1_000;

/**
 * Returns the values of a request by single key. Stored secrets replace its masks.
 * @throws DomainError validation_failed, naming each fault
 */
export function readConfigValues(
  { driver, release }: ConfiguredBroker,
  written: readonly WrittenValue[],
  stored: Record<string, unknown>,
): Record<string, unknown> {
  if (written.length > MOST_KEYS)
    throw validationFailed([
      { path: '/values', code: 'too_many', reason: `must not have more than ${MOST_KEYS} keys` },
    ]);
  const restored = withKeptSecrets(brokerSettings(driver, release), written, stored);
  const issues = [...restored.issues, ...validateWritten(driver, release, restored.written)];
  if (issues.length > 0) throw validationFailed(eachPathOnce(issues.map(toFieldIssue)));
  return flatValues(restored.written);
}

/** Converts a fault of the values to the path in the request. */
export const toFieldIssue = ({ pointer, code, reason }: ValueIssue) => ({ path: `/values${pointer}`, code, reason });
