const WRITES = 'libs/http/src/writes/write.interceptor.ts';
const OVER_HTTP = ['libs/http/src/writes/write.interceptor-http.spec.ts'];
const AUTHORIZE = 'libs/http/src/access/authorize.ts';
const AUTHORIZE_SPEC = ['libs/http/src/access/authorize.spec.ts'];
const STORES = ['libs/access/src/access-stores.spec.ts'];

/** Writes over HTTP. */
export const WRITES_OVER_HTTP = [
  {
    name: 'compares a repeated request without its body',
    file: WRITES,
    before: 'update(`${method} ${originalUrl}\\n`).update(body).digest()',
    after: 'update(`${method} ${originalUrl}\\n`).digest()',
    specs: OVER_HTTP,
  },
  {
    name: 'accepts a write without its audit record',
    file: WRITES,
    before: '(declared.length > 0 && !rule.unlessUnchanged && recorded.length === 0)',
    after: 'false',
    specs: ['libs/http/src/writes/write.interceptor.spec.ts'],
  },
  {
    name: 'does not compare If-Match',
    file: 'libs/domain/src/precondition.ts',
    before: 'this.isMetBy === null || this.isMetBy(record)',
    after: 'this.isMetBy === null || record',
    specs: OVER_HTTP,
  },
];

/** Keys, sessions, permissions and rates. */
export const ACCESS = [
  {
    name: 'does not check the permission',
    file: AUTHORIZE,
    before: 'if (isHeld) return;',
    after: 'return;',
    specs: AUTHORIZE_SPEC,
  },
  {
    name: 'does not compare the CSRF token',
    file: AUTHORIZE,
    before: 'if (isSameHash(token, Buffer.from(session.csrfToken))) return;',
    after: 'if (token) return;',
    specs: AUTHORIZE_SPEC,
  },
  {
    name: 'ignores the allowed addresses of a key',
    file: AUTHORIZE,
    before: 'if (resolved.allowedIps === null || isInRanges(address, resolved.allowedIps)) return;',
    after: 'if (address) return;',
    specs: AUTHORIZE_SPEC,
  },
  {
    name: 'does not compare the secret of a key',
    file: 'libs/access/src/access-caller-store.ts',
    before: 'return isCurrent || isPrevious;',
    after: 'return true;',
    specs: STORES,
  },
  {
    name: 'accepts the keys of an inactive member',
    file: 'libs/access/src/access-caller-store.ts',
    before: '!row.is_active || ',
    after: '',
    specs: STORES,
  },
  {
    name: 'counts only the current slot of the rate limit',
    file: 'libs/persistence/src/platform/rate-counts.repository.ts',
    before: 'kept.slot >= clock.slot - $4 and',
    after: 'kept.slot >= clock.slot - 0 * $4::int and',
    specs: ['libs/access/src/access-rate-store.spec.ts'],
  },
  {
    name: 'allows one request more than the rate limit',
    file: 'libs/access/src/access-rate-store.ts',
    before: 'tally.total + tally.pending < limit;',
    after: 'tally.total + tally.pending <= limit;',
    specs: ['libs/access/src/access-rate-store.spec.ts'],
  },
];

export const GATE = [
  {
    name: 'makes an access rule one bit too wide',
    file: 'libs/host/src/gate/access-rules.ts',
    before: 'addSubnet(network, prefix,',
    after: 'addSubnet(network, Math.max(0, prefix - 1),',
    specs: ['libs/host/src/gate/access-rules.spec.ts'],
  },
  {
    name: 'allows connections after the end of a rule',
    file: 'libs/host/src/gate/access-rules.ts',
    before: '(rule) => nowMs < rule.validToMs && rule.protocols',
    after: '(rule) => rule.protocols',
    specs: ['libs/host/src/gate/access-rules.spec.ts'],
  },
];

export const AUDIT = [
  {
    name: 'does not compare the links of the audit chain',
    file: 'apps/main-api/src/audit/audit-verifier.ts',
    before: 'seal.previous_hash !== previous.hash',
    after: 'seal.previous_hash === null',
    specs: ['apps/main-api/src/audit/audit-verifier.spec.ts'],
  },
];
