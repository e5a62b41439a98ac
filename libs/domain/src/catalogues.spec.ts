import { deploymentSubnet, isInRanges } from './cidr.js';
import { DEPLOYMENT_STATES, statesBefore, type DeploymentStatus } from './deployments/deployment-state.js';
import { DomainError, validationFailed } from './domain-error.js';
import { milliseconds } from './duration.js';
import { ERRORS, isRetryable, type ErrorCode } from './errors.js';
import { ALL_PERMISSIONS, PERMISSIONS } from './access/permissions.js';
import { SYSTEM_ROLE_TREES } from './access/system-roles.js';

describe('The catalogue of errors', () => {
  it('has codes in snake_case, statuses of 400 or more, a title and a remedy for each error', () => {
    for (const [code, { status, title, remedy }] of Object.entries(ERRORS)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(title.length * remedy.length).toBeGreaterThan(0);
    }
  });

  it('marks exactly the errors as retryable whose request may succeed later', () => {
    const retryable = (Object.keys(ERRORS) as ErrorCode[]).filter(isRetryable);
    expect(retryable.sort()).toEqual([
      'channel_test_too_soon',
      'code_already_requested',
      'confirmation_too_soon',
      'internal_error',
      'provider_unavailable',
      'rate_limited',
      'redelivery_too_soon',
      'service_busy',
      'verification_already_sent',
    ]);
  });

  it('reports all faults of a request in one error', () => {
    const error = validationFailed([
      { path: '/a', code: 'x', reason: 'is wrong' },
      { path: '/b', code: 'y', reason: 'is wrong too' },
    ]);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({
      status: 400,
      fieldIssues: [{ path: '/a' }, { path: '/b' }],
      detail: '/a: is wrong (and 1 more)',
    });
  });
});

describe('The table of deployment states', () => {
  const states = Object.keys(DEPLOYMENT_STATES) as DeploymentStatus[];

  it('contains only existing states, all of them reachable', () => {
    const reached = new Set(['creating', ...Object.values(DEPLOYMENT_STATES).flat()]);
    expect([...reached].sort()).toEqual([...states].sort());
  });

  it('allows deletion from every state and no state after it', () => {
    expect(statesBefore('deleting')).toEqual(states.filter((state) => state !== 'deleting'));
    expect(DEPLOYMENT_STATES.deleting).toEqual([]);
  });
});

describe('System roles', () => {
  it('grant only permissions of the catalogue, in groups that may carry them', () => {
    for (const tree of Object.values(SYSTEM_ROLE_TREES))
      for (const permission of tree.tenant) expect(PERMISSIONS[permission].groups).toContain('tenant');
    expect(SYSTEM_ROLE_TREES.owner.tenant).toEqual(ALL_PERMISSIONS);
  });

  it('let a viewer read, but not change anything or see credentials', () => {
    expect(SYSTEM_ROLE_TREES.viewer.tenant.every((permission) => permission.endsWith(':read'))).toBe(true);
    expect(SYSTEM_ROLE_TREES.viewer.tenant).not.toContain('deployment:credentials:read');
  });
});

describe('Address ranges', () => {
  it.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['11.0.0.1', ['10.0.0.0/8'], false],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:db8::1', ['10.0.0.0/8'], false],
    ['192.0.2.7', ['192.0.2.7'], true],
    ['nonsense', ['0.0.0.0/0'], false],
  ])('match %s in %j: %s', (address, ranges, expected) => {
    expect(isInRanges(address, ranges)).toBe(expected);
  });

  it('give neighbouring deployments different subnets', () => {
    const subnets = Array.from({ length: 1000 }, (_, id) => deploymentSubnet(id));
    expect(new Set(subnets).size).toBe(1000);
    expect(subnets[300]).toBe('10.1.44.0/24');
  });
});

describe('Durations', () => {
  it.each([
    ['250ms', 250],
    ['5s', 5000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ] as const)('%s is %d ms', (text, expected) => expect(milliseconds(text)).toBe(expected));
});
