import { deploymentSubnet, isInRanges } from './cidr.js';
import { DEPLOYMENT_STATES, statesBefore, type DeploymentStatus } from './deployments/deployment-state.js';
import { DomainError, validationFailed } from './domain-error.js';
import { milliseconds } from './duration.js';
import { ERRORS, isRetryable, type ErrorCode } from './errors.js';
import { requireFreeName } from './free-name.js';
import { parseId } from './ids.js';
import { RETENTION_CLASSES } from './limits.js';
import { newestSocket, previousSocket, socketName } from './node-sockets.js';
import { Precondition } from './precondition.js';
import { ALL_PERMISSIONS, isPermission, PERMISSIONS, satisfiedBy } from './access/permissions.js';
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
      'idempotent_request_in_progress',
      'internal_error',
      'node_not_responding',
      'provider_unavailable',
      'rate_limited',
      'redelivery_too_soon',
      'service_busy',
      'storage_full',
      'verification_already_sent',
    ]);
  });

  it('reports at most a hundred faults, and the number of all', () => {
    const issues = Array.from({ length: 102 }, (_, index) => ({ path: `/${index}`, code: 'x', reason: 'is wrong' }));

    const error = validationFailed(issues);

    expect(error.fieldIssues).toHaveLength(100);
    expect(error.detail).toBe('/0: is wrong (and 101 more)');
    expect(validationFailed([{ path: '', code: 'x', reason: 'is wrong' }]).detail).toBe('body: is wrong');
    expect(validationFailed([]).detail).toBe('The request is not valid.');
  });

  it('has defaults for an error without options, and keeps the options', () => {
    const cause = new TypeError('below');

    expect(new DomainError('not_empty', 'no')).toMatchObject({
      ...{ name: 'DomainError', message: 'not_empty: no', members: {}, fieldIssues: [], keepsWrites: false },
      retryAfterSeconds: undefined,
    });
    expect(
      new DomainError('not_empty', 'no', { members: { a: 1 }, retryAfterSeconds: 3, keepsWrites: true, cause }),
    ).toMatchObject({ members: { a: 1 }, retryAfterSeconds: 3, keepsWrites: true, cause });
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
    expect(SYSTEM_ROLE_TREES.admin.tenant).toEqual(ALL_PERMISSIONS.filter((name) => name !== 'billing:manage'));
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
    ['0.5s', 500],
  ] as const)('%s is %d ms', (text, expected) => expect(milliseconds(text)).toBe(expected));

  it('have a unit', () => {
    expect(() => milliseconds('5' as never)).toThrow(RangeError);
    expect(() => milliseconds('5 weeks' as never)).toThrow(RangeError);
  });
});

describe('A precondition', () => {
  it('is met by the record that the caller has read', () => {
    const condition = new Precondition((record) => 'read' in record);

    expect(condition.isGiven).toBe(true);
    expect(() => condition.require({ read: 1 })).not.toThrow();
    expect(() => condition.require({ changed: 1 })).toThrow(expect.objectContaining({ code: 'precondition_failed' }));
  });

  it('that is not given is met by every record', () => {
    const none = new Precondition(null);

    expect(none.isGiven).toBe(false);
    expect(() => none.require({ changed: 1 })).not.toThrow();
  });
});

describe('A name', () => {
  const isReadable = (id: number): boolean => id === 7;
  const membersFor = (holder: { id: number | null; own?: number | null }): unknown => {
    try {
      requireFreeName('role', 'admin', { ...holder, isReadable });
      return 'free';
    } catch (error) {
      expect(error).toMatchObject({ code: 'name_taken', detail: 'Another role has the name admin.' });
      return (error as DomainError).members;
    }
  };

  it('is free when no other record has it', () => {
    expect([membersFor({ id: null }), membersFor({ id: 7, own: 7 })]).toEqual(['free', 'free']);
  });

  it('is taken by another record, whose id only a caller sees who may read the record', () => {
    expect([membersFor({ id: 7 }), membersFor({ id: 7, own: 8 }), membersFor({ id: 8 })]).toEqual([
      { id: 7 },
      { id: 7 },
      {},
    ]);
  });
});

describe('An id in a path', () => {
  it.each([
    ['1', 1],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', null],
    ['0', null],
    ['01', null],
    ['-1', null],
    ['1.0', null],
    ['', null],
  ])('%j is %j', (text, id) => {
    expect(parseId(text)).toBe(id);
  });
});

describe('The sockets of a node', () => {
  it('have numbers, and the highest number of the role is valid', () => {
    const names = ['gate.1.sock', 'gate.12.sock', 'broker.99.sock', 'gate.013.sock', 'gate.20.sock.old', 'note'];

    expect(newestSocket(names, 'gate')).toBe(12);
    expect(newestSocket(names, 'agent')).toBe(0);
    expect(newestSocket([], 'gate')).toBe(0);
    expect(socketName('gate', 3)).toBe('gate.3.sock');
    expect(previousSocket('i', 7, 'gate')).toBe('\0landlord-i-7-gate');
  });
});

describe('The retention classes', () => {
  it('are the days of the three plans', () => {
    expect(RETENTION_CLASSES).toEqual([7, 90, 365]);
  });
});

describe('A permission', () => {
  it('is a known name, and `:manage` satisfies `:read`', () => {
    expect([isPermission('info:read'), isPermission('info:write'), isPermission('toString')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(satisfiedBy('info:read')).toEqual(['info:read', 'info:manage']);
    expect(satisfiedBy('info:manage')).toEqual(['info:manage']);
    expect(satisfiedBy('deployment:credentials:read')).toEqual(['deployment:credentials:read']);
    expect(satisfiedBy('audit:read')).toEqual(['audit:read']);
  });
});
