import type { ErrorCode } from '@libs/domain';

/** Codes that most operations return together, and the name for all of them. */
const GROUPS: readonly { name: string; codes: readonly ErrorCode[] }[] = [
  { name: 'BadRequest', codes: ['malformed_json', 'validation_failed'] },
  { name: 'Unauthorized', codes: ['api_key_expired', 'unauthenticated'] },
  { name: 'Forbidden', codes: ['email_not_verified', 'insufficient_permissions', 'ip_not_allowed'] },
  { name: 'IdempotencyConflict', codes: ['idempotency_error', 'idempotent_request_in_progress'] },
];
/** The levels of the resources in a path, the deepest first. */
const LEVELS = ['deployment', 'environment', 'division', 'tenant'];
const NOT_FOUND = '_not_found';

/**
 * The name of the response with these codes, such as `BadRequestOrTierFeatureUnsupported`. The name depends on the codes
 * only, so a client that is generated from the next description finds the same name.
 */
export function nameOfRefusal(codes: readonly string[]): string {
  if (codes.every((code) => code.endsWith(NOT_FOUND))) return nameOfNotFound(codes);
  const groups = GROUPS.filter((group) => group.codes.every((code) => codes.includes(code)));
  const inGroups = new Set<string>(groups.flatMap((group) => group.codes));
  const others = codes.filter((code) => !inGroups.has(code)).sort();
  return [...groups.map(({ name }) => name), ...others.map(pascalCase)].join('Or');
}

/** `channel_not_found`, `division_not_found` and `tenant_not_found` → `ChannelOfDivisionNotFound`. */
function nameOfNotFound(codes: readonly string[]): string {
  const resources = codes.map((code) => code.slice(0, -NOT_FOUND.length));
  const level = LEVELS.find((one) => resources.includes(one));
  const subjects = resources.filter((resource) => !LEVELS.includes(resource)).sort();
  const parts = [subjects.map(pascalCase).join('Or'), level ? pascalCase(level) : ''];
  return `${parts.filter((part) => part !== '').join('Of')}NotFound`;
}

/** `idempotency-key` and `idempotency_key` → `IdempotencyKey`. */
export const pascalCase = (name: string): string =>
  name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
