import { GoogleDocument, type GoogleRequest } from './google-document.js';
import { describeRecorded, recordedTraffic } from './recorded-traffic.js';

type Exchange = [id: string, httpMethod: string, url: string, body: unknown, status: number, answer: unknown];

const document = new GoogleDocument();
const ZONE = 'projects/one/zones/us-east1-b';
const DISK: GoogleRequest = {
  ...{ httpMethod: 'POST', path: `${ZONE}/disks`, query: new URLSearchParams({ requestId: 'x' }) },
  body: { name: 'data-1', sizeGb: '10', type: `${ZONE}/diskTypes/pd-balanced`, labels: { landlord: 'one' } },
};

describe("Google's description of Compute Engine", () => {
  it('finds the method of a request, and the parameters of its path', () => {
    expect(document.match({ httpMethod: 'DELETE', path: `${ZONE}/instances/node-1` })).toEqual({
      id: 'compute.instances.delete',
      parameters: { project: 'one', zone: 'us-east1-b', instance: 'node-1' },
    });
    expect(document.match({ httpMethod: 'PUT', path: `${ZONE}/instances/node-1` })).toBeNull();
    expect(document.match({ httpMethod: 'GET', path: `${ZONE}/instances/node-1/more` })).toBeNull();
  });

  it('accepts a correct request', () => {
    expect(document.faultsOf(DISK)).toEqual([]);
  });

  it.each<[string, Partial<GoogleRequest>, string]>([
    ['a misspelled member', { body: { name: 'data-1', sizeGB: '10' } }, 'sizeGB'],
    ['a member in another spelling', { body: { name: 'data-1', size_gb: '10' } }, 'size_gb'],
    ['a member of another type', { body: { name: 'data-1', sizeGb: { gb: 10 } } }, '/sizeGb'],
    ['a name that Google refuses', { body: { name: 'Data_1' } }, '/name must match pattern'],
    ['no name', { body: { sizeGb: '10' } }, "required property 'name'"],
    ['no body', { body: undefined }, "required property 'name'"],
    [
      'a query that Google does not know',
      { query: new URLSearchParams({ request_id: 'x' }) },
      'the query has request_id',
    ],
    ['a zone that Google refuses', { path: 'projects/one/zones/US_EAST/disks' }, 'the path has US_EAST for zone'],
    ['a method that Landlord does not use', { httpMethod: 'PATCH' }, 'no method PATCH'],
  ])('refuses %s', (_case, change, fault) => {
    expect(document.faultsOf({ ...DISK, ...change }).join('; ')).toContain(fault);
  });

  it('refuses an answer with an unknown member', () => {
    const answer = { kind: 'compute#operation', name: 'operation-1', status: 'RUNNING' };

    expect(document.faultsOfAnswer('compute.disks.insert', answer)).toEqual([]);
    expect(document.faultsOfAnswer('compute.disks.insert', { ...answer, state: 'RUNNING' }).join()).toContain('state');
    expect(document.faultsOfAnswer('compute.disks.insert', { ...answer, status: 'ENDED' }).join()).toContain('/status');
  });
});

/** Google accepts these in the recording: `null` and an empty text for no value, and instances and ranges that are made elsewhere. */
const ONLY_GOOGLE = [
  /^compute\.forwardingRules\.insert: \/loadBalancingScheme must be equal to one of the allowed values/,
  /^compute\.instances\.insert: the body must have required property '(disks|machineType|networkInterfaces)'/,
  /^compute\.regionBackendServices\.insert: \/backends must be array/,
  /^compute\.subnetworks\.insert: \/logConfig must be object/,
  /^compute\.subnetworks\.insert: the body must have required property 'ipCidrRange'/,
];

describeRecorded("Google's description of Compute Engine, held against recorded traffic", () => {
  /** Names of the recording stand for themselves. */
  const text = recordedTraffic().replaceAll(/\$\{[^}]*\}/g, 'x1');
  const exchanges = Object.values(JSON.parse(text) as Record<string, Exchange[]>).flat();
  const ours = exchanges.filter(([id]) => document.methods.includes(id));

  it('accepts every request that Landlord could make', () => {
    const faults = ours.flatMap(([id, httpMethod, url, body]) => {
      const { pathname, searchParams: query } = new URL(url, 'https://compute.googleapis.com');
      const request = { httpMethod, path: pathname.slice(1), query, ...(body !== null && { body }) };
      return document.faultsOf(request).map((fault) => `${id}: ${fault}`);
    });

    expect(faults.filter((fault) => !ONLY_GOOGLE.some((one) => one.test(fault)))).toEqual([]);
    expect(faults).toHaveLength(27);
    expect(ours.length).toBeGreaterThan(1_500);
  });

  it('accepts every answer', () => {
    const faults = ours
      .filter(([, , , , status]) => status < 300)
      .flatMap(([id, , , , , answer]) => document.faultsOfAnswer(id, answer).map((fault) => `${id}: ${fault}`));

    expect(new Set(faults)).toEqual(new Set());
  });
});
