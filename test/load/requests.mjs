// The kinds of requests, and how many of each there are in a cycle.
import { randomUUID } from 'node:crypto';

/** Requests of each kind in one cycle. Creations and deletions are equal, so the number of deployments stays the same. */
export const CYCLE = {
  read: 20,
  list: 10,
  structure: 5,
  'audit page': 5,
  'live state': 5,
  rename: 3,
  create: 1,
  delete: 1,
};
const STARTER = { cloud: 'aws', region: 'us-east-1' };

/** The kinds of one cycle in an order that spreads each kind evenly. */
export function orderOfCycle(cycle = CYCLE) {
  const length = Object.values(cycle).reduce((sum, count) => sum + count, 0);
  const places = Object.entries(cycle).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => ({ kind, at: ((index + 0.5) * length) / count })),
  );
  return places.sort((a, b) => a.at - b.at).map(({ kind }) => kind);
}

/** Sends one request of a kind; rejects if the final answer is not the expected one. Returns the number of retries. */
export class Requests {
  #renames = 0;

  /** `temporary` has the deployments that can be deleted, oldest first. */
  constructor({ mainApis, supervisors, temporary }) {
    Object.assign(this, { mainApis, supervisors, temporary });
    this.byKind = {
      read: (tenant) => this.#get(tenant, tenant.kept.path),
      list: (tenant) => this.#get(tenant, `${tenant.deployments}?results=50`),
      structure: (tenant) => this.#get(tenant, `/tenants/${tenant.tenantId}/structure`),
      'audit page': (tenant) => this.#get(tenant, `/audit/tenants/${tenant.tenantId}?results=50`),
      'live state': (tenant) => this.#liveState(tenant),
      rename: (tenant) => this.#rename(tenant),
      create: (tenant) => this.create(tenant),
      delete: () => this.#delete(),
    };
  }

  async #get({ key }, path) {
    return expect(await this.mainApis.send({ method: 'GET', path, key }), [200]);
  }

  async #liveState({ key, kept }) {
    return expect(await this.supervisors.send({ method: 'GET', path: `/deployments/${kept.id}`, key }), [200]);
  }

  async #rename({ key, kept }) {
    this.#renames += 1;
    const body = { name: `renamed-${this.#renames}` };
    const request = { method: 'PUT', path: kept.path, key, body, idempotencyKey: randomUUID() };
    return expect(await this.mainApis.send(request), [200]);
  }

  /** Does not wait for the operation. */
  async create(tenant) {
    const answer = await this.mainApis.send({
      method: 'POST',
      path: `${tenant.division}/deployments/starter`,
      key: tenant.key,
      body: { ...STARTER, environment_id: tenant.environmentId },
      idempotencyKey: randomUUID(),
    });
    const retries = expect(answer, [202]);
    const id = answer.body.deployment_id;
    this.temporary.push({ id, path: `${tenant.deployments}/${id}`, key: tenant.key });
    return retries;
  }

  async #delete() {
    const deployment = this.temporary.shift();
    if (!deployment) throw new Error('there is no deployment to delete');
    const answer = await this.mainApis.send({ method: 'DELETE', ...deployment });
    // A kill can lose the answer of a deletion. Its repetition then finds a deployment in deletion, or none.
    return expect(answer, answer.retries > 0 ? [202, 404, 409] : [202]);
  }
}

function expect({ status, body, retries }, statuses) {
  if (!statuses.includes(status)) throw new Error(`${status} ${body?.code ?? ''}`.trim());
  return retries;
}
