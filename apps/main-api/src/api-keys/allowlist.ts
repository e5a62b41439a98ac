import { canonicalRange, isRangeWithin, validationFailed, type FieldIssue } from '@libs/domain';

/** More than any plan allows. */
const MAX_ENTRIES = 1000;

/** From where a key may be used. */
export interface Allowlist {
  validateIp: boolean;
  allowedIps: string[];
}

/**
 * The allowlist that a request asks for, in canonical spelling, each entry once.
 * @throws DomainError validation_failed naming each entry that is no address or CIDR, a list without the check that would
 * use it, and a check that would let nobody in
 */
export function readAllowlist(validateIp: boolean, entries: readonly unknown[]): Allowlist {
  const read = entries.slice(0, MAX_ENTRIES).map((entry) => (typeof entry === 'string' ? canonicalRange(entry) : null));
  const issues: FieldIssue[] = read.flatMap((range, index) =>
    range === null ? [issue(`/${index}`, 'is_ip', 'must be an IPv4 or IPv6 address or CIDR')] : [],
  );
  if (entries.length > MAX_ENTRIES)
    issues.push(issue('', 'array_max_size', `must have at most ${MAX_ENTRIES} entries`));
  if (!validateIp && entries.length > 0) issues.push(issue('', 'needs_validate_ip', 'needs validate_ip to be true'));
  if (validateIp && entries.length === 0) issues.push(issue('', 'array_not_empty', 'must name who may use the key'));
  if (issues.length > 0) throw validationFailed(issues);
  return { validateIp, allowedIps: [...new Set(read.filter((range) => range !== null))] };
}

/** How a key is restricted, as its record shows it. */
interface Restriction {
  validate_ip: boolean;
  allowed_ips: readonly string[];
}

/** Whether the key may be used from anywhere with `next` that it may not be used from with `previous`. */
export function isLooser(next: Restriction, previous: Restriction): boolean {
  if (!previous.validate_ip) return false;
  return !next.validate_ip || next.allowed_ips.some((range) => !isRangeWithin(range, previous.allowed_ips));
}

const issue = (path: string, code: string, reason: string): FieldIssue => ({
  path: `/allowed_ips${path}`,
  code,
  reason,
});
