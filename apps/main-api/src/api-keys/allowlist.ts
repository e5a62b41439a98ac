import { isRangeWithin, readRange, validationFailed, type FieldIssue } from '@libs/domain';

/** More than any plan allows. */
const MAX_ENTRIES = 1000;

/** The addresses that may use a key. */
export interface Allowlist {
  validateIp: boolean;
  allowedIps: string[];
}

/**
 * Reads the allowlist of a request, in canonical form, each entry once.
 * @throws DomainError validation_failed naming each entry that is not an address or CIDR, a list without the check that
 * uses it, and a check that excludes every address
 */
export function readAllowlist(validateIp: boolean, entries: readonly unknown[]): Allowlist {
  const read = entries.slice(0, MAX_ENTRIES).map((entry) => readRange(typeof entry === 'string' ? entry : ''));
  const issues: FieldIssue[] = read.flatMap(({ fault }, index) =>
    fault === undefined ? [] : [issue(`/${index}`, 'is_ip', fault)],
  );
  if (entries.length > MAX_ENTRIES)
    issues.push(issue('', 'array_max_size', `must have at most ${MAX_ENTRIES} entries`));
  if (!validateIp && entries.length > 0) issues.push(issue('', 'needs_validate_ip', 'needs validate_ip to be true'));
  if (validateIp && entries.length === 0) issues.push(issue('', 'array_not_empty', 'must name who may use the key'));
  if (issues.length > 0) throw validationFailed(issues);
  return { validateIp, allowedIps: [...new Set(read.flatMap(({ range }) => range ?? []))] };
}

/** The restriction of a key, as its record shows it. */
interface Restriction {
  validate_ip: boolean;
  allowed_ips: readonly string[];
}

/** Whether `next` allows an address that `previous` does not allow. */
export function isLooser(next: Restriction, previous: Restriction): boolean {
  if (!previous.validate_ip) return false;
  return !next.validate_ip || next.allowed_ips.some((range) => !isRangeWithin(range, previous.allowed_ips));
}

const issue = (path: string, code: string, reason: string): FieldIssue => ({
  path: `/allowed_ips${path}`,
  code,
  reason,
});
