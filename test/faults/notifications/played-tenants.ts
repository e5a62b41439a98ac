import { type ApiAnswer, given, type SeededRandom, type TestCloud } from '@libs/testing';
import { planSubscriptions, type PlayedChannel, type PlayedTenant } from './event-plan.js';
import type { FickleReceiver } from './fickle-receiver.js';
import { WriteRefused } from './event-writer.js';

function made({ status, body }: ApiAnswer): number {
  if (status !== 201) throw new WriteRefused(`${status} ${JSON.stringify(body)}`);
  return body.id as number;
}

/** Three separate organizations with two divisions each. */
export async function openTenants(cloud: TestCloud): Promise<PlayedTenant[]> {
  const { tenant_id: tenantId, division_id: divisionId, environment_id: environmentId } = cloud.installation;
  const found = [{ tenantId, divisionId, environmentId }, await given.tenant(cloud), await given.tenant(cloud)];
  const tenants: PlayedTenant[] = [];
  for (const one of found) {
    const key = one.tenantId === tenantId ? cloud.key : await given.key(cloud, { tenantId: one.tenantId });
    const api = cloud.main(key);
    const other = made(await api.post(`/tenants/${one.tenantId}/divisions`, { name: 'Other' }));
    const path = `/tenants/${one.tenantId}/divisions/${other}/environments`;
    const environment = made(await api.post(path, { name: 'Other' }));
    const divisions = [
      { id: Number(one.divisionId), environmentId: Number(one.environmentId) },
      { id: other, environmentId: environment },
    ];
    tenants.push({ id: Number(one.tenantId), key, divisions });
  }
  return tenants;
}

/** Channels of tenants and divisions alternately, half of them with subscriptions. */
export async function openChannels(
  cloud: TestCloud,
  random: SeededRandom,
  tenants: readonly PlayedTenant[],
  receiver: FickleReceiver,
  count: number,
): Promise<PlayedChannel[]> {
  const channels: PlayedChannel[] = [];
  for (let number = 0; number < count; number += 1) {
    const tenant = tenants[number % tenants.length] as PlayedTenant;
    const divisionId = random.next() < 0.4 ? random.pick(tenant.divisions).id : null;
    const owner = `/tenants/${tenant.id}${divisionId === null ? '' : `/divisions/${divisionId}`}`;
    const path = `/channel-${number}`;
    const api = cloud.main(tenant.key);
    const asked = { channel: 'webhook', name: `channel ${number}`, destination: `${receiver.urlOf(number)}${path}` };
    const answer = await api.post(`${owner}/channels`, asked);
    const id = made(answer);
    const subscriptions = planSubscriptions(random, tenant, divisionId);
    for (const { types, divisions, environments } of subscriptions)
      made(
        await api.post(`${owner}/channels/${id}/subscriptions`, {
          message_types: types,
          scope_division_ids: divisions,
          scope_environment_ids: environments,
        }),
      );
    const channel = { id, path, secret: answer.body.secret as string, tenantId: tenant.id, divisionId, subscriptions };
    receiver.expects(channel);
    channels.push(channel);
  }
  return channels;
}
