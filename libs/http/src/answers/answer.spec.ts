import { idHeaders, locationOf } from './answer.js';

const CREATED = {
  path: '/tenants/1/channels',
  params: { tenant_id: '1' },
  ids: { channel: 7 },
  record: { name: 'ops' },
};

describe('The location of a created record', () => {
  it.each([
    ['/tenants/:tenant_id/channels/:channel', '/tenants/1/channels/7'],
    [':channel', '/tenants/1/channels/7'],
    [':name/versions', '/tenants/1/channels/ops/versions'],
  ])('of %s has the ids, the parameters and the members', (template, location) => {
    expect(locationOf(template, CREATED)).toBe(location);
  });

  it('has one slash when the path of the request ends with a slash', () => {
    expect(locationOf(':channel', { ...CREATED, path: '/tenants/1/channels/' })).toBe('/tenants/1/channels/7');
  });

  it('fails for a placeholder without a value', () => {
    expect(() => locationOf('/roles/:role', CREATED)).toThrow(TypeError);
  });
});

describe('The headers of created resources', () => {
  it('have one id each', () => {
    expect(idHeaders({ deployment: 3, operation: 9 })).toEqual({ 'ld-deployment': '3', 'ld-operation': '9' });
  });
});
