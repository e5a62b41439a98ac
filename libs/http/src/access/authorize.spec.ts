import { DomainError, EMPTY_TREE, type PermissionTree } from '@libs/domain';
import type { Request } from 'express';
import type { Addressed, Ancestry, Caller } from '../ports.js';
import type { AccessRule } from './access.decorator.js';
import {
  CSRF_HEADER,
  requireCsrfToken,
  requireInScope,
  requireKindOfCaller,
  requirePermission,
  requireUsable,
  requireVerified,
} from './authorize.js';

const TENANT = { id: 1, name: 'Acme' };
const NOWHERE: Ancestry = { division: null, environment: null, deployment: null };
const IN_7: Ancestry = {
  division: { id: 7, name: 'Seven' },
  environment: { id: 70, name: 'prod' },
  deployment: { id: 700, name: 'd', cell: 'c', supervisorUrl: null },
};

function aCaller(tree: Partial<PermissionTree> = {}, changes: Partial<Caller> = {}): Caller {
  return {
    ...{ key: { id: 5, name: 'k' }, session: null, user: { id: 9, name: 'Ann' }, isVerified: true, tenant: TENANT },
    holding: { trees: [{ ...EMPTY_TREE, ...tree }], divisionScope: null },
    ...changes,
  };
}
const aSession = (changes: Partial<Caller> = {}): Caller =>
  aCaller({}, { key: null, session: { id: 3, email: 'ann@example.test', csrfToken: 'token' }, ...changes });

/** A user with a token of the console at a Supervisor. */
const aToken = aCaller({}, { key: null, session: null });

/** The code and the members of the refusal. Null: nothing is refused. */
function refusalOf(work: () => void): object | null {
  try {
    work();
    return null;
  } catch (error) {
    const { code, members } = error as DomainError;
    return { code, ...members };
  }
}

const READ: AccessRule = { kind: 'permission', permission: 'deployment:read', anywhere: false };

describe('A key', () => {
  const resolved = { caller: aCaller(), ancestry: NOWHERE, isExpired: false, allowedIps: null, deploymentRow: null };

  it('is refused after it expired', () => {
    expect(refusalOf(() => requireUsable(resolved, '10.0.0.1'))).toBeNull();
    expect(refusalOf(() => requireUsable({ ...resolved, isExpired: true }, '10.0.0.1'))).toEqual({
      code: 'api_key_expired',
    });
  });

  it('is refused outside its allowed addresses, with the address', () => {
    const limited = { ...resolved, allowedIps: ['10.0.0.0/8'] };

    expect(refusalOf(() => requireUsable(limited, '10.255.0.1'))).toBeNull();
    expect(refusalOf(() => requireUsable(limited, '::ffff:11.0.0.1'))).toEqual({
      code: 'ip_not_allowed',
      ip: '11.0.0.1',
    });
    expect(refusalOf(() => requireUsable({ ...resolved, allowedIps: [] }, 'unknown'))).toEqual({
      code: 'ip_not_allowed',
      ip: 'unknown',
    });
  });

  it('is refused where only a session may call, and a session where only a key may call', () => {
    const kinds: AccessRule[] = [{ kind: 'session_only', beforeVerification: false }, { kind: 'key_only' }, READ];
    const refused = (caller: Caller): (object | null)[] =>
      kinds.map((rule) => refusalOf(() => requireKindOfCaller(rule, caller)));

    expect(refused(aCaller())).toEqual([{ code: 'api_key_not_allowed' }, null, null]);
    expect(refused(aSession())).toEqual([null, { code: 'unauthenticated' }, null]);
    expect(refused(aToken)).toEqual([{ code: 'api_key_not_allowed' }, { code: 'unauthenticated' }, null]);
  });
});

describe('A user without a verified address', () => {
  it('may call only routes of the account that allow this', () => {
    const kinds: AccessRule[] = [
      { kind: 'session_only', beforeVerification: true },
      { kind: 'session_only', beforeVerification: false },
      { kind: 'any_caller' },
      READ,
    ];
    const refused = (isVerified: boolean): (object | null)[] =>
      kinds.map((rule) => refusalOf(() => requireVerified(rule, aSession({ isVerified }))));
    const no = { code: 'email_not_verified' };

    expect(refused(false)).toEqual([null, no, no, no]);
    expect(refused(true)).toEqual([null, null, null, null]);
  });
});

describe('A session', () => {
  const request = (method: string, token?: string): Request =>
    ({ method, headers: token === undefined ? {} : { [CSRF_HEADER]: token } }) as unknown as Request;

  it('writes only with its own token', () => {
    const refused = ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
      [undefined, '', 'tokem', 'token2', 'tok'].map((token) =>
        refusalOf(() => requireCsrfToken(request(method, token), aSession())),
      ),
    );

    expect(refused).toEqual(Array.from({ length: 20 }, () => ({ code: 'csrf_token_invalid' })));
    expect(refusalOf(() => requireCsrfToken(request('POST', 'token'), aSession()))).toBeNull();
  });

  it('reads without a token, and a key needs none', () => {
    expect(refusalOf(() => requireCsrfToken(request('GET'), aSession()))).toBeNull();
    expect(refusalOf(() => requireCsrfToken(request('HEAD'), aSession()))).toBeNull();
    expect(refusalOf(() => requireCsrfToken(request('POST'), aCaller()))).toBeNull();
  });
});

describe('A path', () => {
  const none: Addressed = { tenantId: null, divisionId: null, environmentId: null, deploymentId: null };
  const whole: Addressed = { tenantId: 1, divisionId: 7, environmentId: 70, deploymentId: 700 };
  const all = aCaller({ tenant: ['info:read'] });
  const refused = (addressed: Addressed, ancestry: Ancestry, caller = all): object | null =>
    refusalOf(() => requireInScope(caller, addressed, ancestry));

  it('may contain the resources that belong together', () => {
    expect([refused(whole, IN_7), refused(none, NOWHERE), refused({ ...none, tenantId: 1 }, NOWHERE)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it.each<[Partial<Addressed>, string]>([
    [{ tenantId: 2 }, 'tenant_not_found'],
    [{ tenantId: undefined }, 'tenant_not_found'],
    [{ divisionId: 8 }, 'division_not_found'],
    [{ divisionId: undefined }, 'division_not_found'],
    [{ environmentId: 80 }, 'environment_not_found'],
    [{ deploymentId: 800 }, 'deployment_not_found'],
  ])('with %j is not found', (change, code) => {
    expect(refused({ ...whole, ...change }, IN_7)).toEqual({ code });
  });

  it('with an impossible id of a missing resource is not found', () => {
    expect(refused({ ...none, divisionId: undefined }, NOWHERE)).toEqual({ code: 'division_not_found' });
    expect(refused({ ...none, tenantId: undefined }, NOWHERE, aCaller({}, { tenant: null }))).toEqual({
      code: 'tenant_not_found',
    });
  });

  it('with a division that the caller may not see is not found', () => {
    const other = aCaller({}, { holding: { trees: [{ ...EMPTY_TREE, tenant: ['info:read'] }], divisionScope: 8 } });

    expect(refused(whole, IN_7, other)).toEqual({ code: 'division_not_found' });
    expect(refused({ ...none, deploymentId: 700 }, IN_7, other)).toEqual({ code: 'deployment_not_found' });
  });
});

describe('A permission', () => {
  const refused = (rule: AccessRule, tree: Partial<PermissionTree>, ancestry: Ancestry): object | null =>
    refusalOf(() => requirePermission(rule, aCaller(tree), ancestry));

  it('is needed at the place of the path', () => {
    const exact = { divisions: { 7: { permissions: [], environment: [], environments: { 70: ['deployment:read'] } } } };
    const tree = exact as unknown as Partial<PermissionTree>;
    const elsewhere = { ...IN_7, environment: { id: 71, name: 'test' } };

    expect(refused(READ, tree, IN_7)).toBeNull();
    expect(refused(READ, tree, elsewhere)).toEqual({
      code: 'insufficient_permissions',
      permission: 'deployment:read',
      scope: { tenant_id: 1, division_id: 7, environment_id: 71 },
    });
    expect(refused(READ, {}, NOWHERE)).toEqual({
      code: 'insufficient_permissions',
      permission: 'deployment:read',
      scope: { tenant_id: 1, division_id: null, environment_id: null },
    });
  });

  it('is enough at any place where the route allows this', () => {
    const tree = { environment: ['deployment:read' as const] };

    expect(refused({ ...READ, anywhere: true }, tree, NOWHERE)).toBeNull();
    expect(refused(READ, tree, NOWHERE)).toMatchObject({ code: 'insufficient_permissions' });
    expect(refused({ ...READ, anywhere: true }, {}, NOWHERE)).toMatchObject({ code: 'insufficient_permissions' });
  });

  it('is not needed on a route for any caller', () => {
    expect(refused({ kind: 'any_caller' }, {}, NOWHERE)).toBeNull();
  });
});
