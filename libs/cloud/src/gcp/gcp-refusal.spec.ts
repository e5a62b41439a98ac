import { cloudErrorOf, isInUse, isMissing, type GoogleCall, type GoogleFault } from './gcp-refusal.js';

const OWN: GoogleCall = { action: 'POST disks', isOfCustomer: false };
const THEIRS: GoogleCall = { ...OWN, isOfCustomer: true };
const fault = (status: number, reason: string, message = 'text of Google'): GoogleFault => ({
  status,
  reason,
  message,
});
const LINK =
  'Enable it by visiting https://console.developers.google.com/apis/api/compute.googleapis.com/overview?project=p';

describe('What Google refuses', () => {
  it.each<[string, GoogleFault, object]>([
    ['too many requests', fault(403, 'rateLimitExceeded'), { code: 'throttled', retry_after_ms: 2_000 }],
    ['too many requests without a reason', fault(429, ''), { code: 'throttled', retry_after_ms: 2_000 }],
    [
      'a full zone',
      fault(503, 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS'),
      { code: 'capacity', what: 'POST disks', zone: null },
    ],
    ['a quota in an answer', fault(403, 'quotaExceeded', "Quota 'CPUS' exceeded."), { code: 'quota', name: 'CPUS' }],
    [
      'a quota in an operation',
      fault(403, 'QUOTA_EXCEEDED', "Quota 'IN_USE_ADDRESSES' exceeded."),
      { code: 'quota', name: 'IN_USE_ADDRESSES' },
    ],
    [
      'a missing permission',
      fault(403, 'forbidden', "Required 'compute.disks.create' permission for 'projects/p/zones/z/disks/d'"),
      { code: 'denied', actions: ['compute.disks.create'] },
    ],
    ['no token', fault(401, 'required'), { code: 'denied', actions: [] }],
    [
      'a project that does not exist',
      fault(404, 'notFound', "The resource 'projects/none' was not found"),
      { code: 'denied', actions: [] },
    ],
    [
      'a resource that does not exist',
      fault(404, 'notFound', "The resource 'projects/p/zones/z/disks/d' was not found"),
      { code: 'unavailable' },
    ],
    ['a resource in use', fault(400, 'resourceInUseByAnotherResource'), { code: 'unavailable' }],
    ['another operation', fault(400, 'resourceNotReady'), { code: 'unavailable' }],
    ['an old fingerprint', fault(412, 'conditionNotMet'), { code: 'unavailable' }],
    ['a wrong value', fault(400, 'invalid'), { code: 'invalid' }],
    ['a failure of Google', fault(503, 'backendError'), { code: 'unavailable' }],
    ['an internal error in an operation', fault(0, 'INTERNAL_ERROR'), { code: 'unavailable' }],
    ['a page of a proxy', fault(502, ''), { code: 'unavailable' }],
  ])('%s', (_what, fault, refusal) => {
    expect(cloudErrorOf(fault, OWN).refusal).toEqual(refusal);
  });

  it('names what a creation asked for when the zone is full', () => {
    const asked = { what: 'n2-standard-2', zone: 'us-central1-a' };

    expect(cloudErrorOf(fault(503, 'ZONE_RESOURCE_POOL_EXHAUSTED'), { ...OWN, asked }).refusal).toEqual({
      code: 'capacity',
      ...asked,
    });
  });

  it('shows the link that enables the API to the customer, and no name of a project of the operator to tenants', () => {
    const disabled = fault(403, 'accessNotConfigured', LINK);

    expect(cloudErrorOf(disabled, THEIRS).message).toContain(LINK);
    expect(cloudErrorOf(disabled, OWN).message).toBe(
      'Google POST disks: the API is not enabled in the project of the operator',
    );
  });

  it('keeps names of accounts and projects out of the text of a denied call', () => {
    const denied = fault(
      403,
      'forbidden',
      "Required 'compute.disks.create' permission for 'projects/secret/zones/z/disks/d'",
    );

    expect(cloudErrorOf(denied, OWN).message).toBe('Google POST disks: forbidden: compute.disks.create');
  });

  it('tells a missing resource from a missing project', () => {
    const missing = (message: string) => isMissing(cloudErrorOf(fault(404, 'notFound', message), OWN));

    expect(missing("The resource 'projects/p/global/networks/n' was not found")).toBe(true);
    expect(missing("The resource 'projects/p' was not found")).toBe(false);
    expect(isInUse(cloudErrorOf(fault(400, 'resourceNotReady'), OWN))).toBe(true);
  });
});
