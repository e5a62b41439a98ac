import { commandLine } from '../lib/command-line.js';
import { resource } from '../lib/hcl.js';
import type { Order, Place } from './order.js';

/** An order in the words of each client. */
export interface Written {
  command: string;
  /** Method, path and body. */
  request: string;
  terraform: string;
}

export function written(tenantId: number, place: Place | undefined, order: Order): Written {
  const division = `/tenants/${tenantId}/divisions/${place?.division.id ?? '{division_id}'}`;
  const path =
    order.kind === 'free'
      ? `${division}/deployments/starter`
      : `${division}/environments/${place?.environment.id ?? '{environment_id}'}/deployments/managed`;
  return {
    command: commandLine(commandOf(place, order)),
    request: `POST ${path}\n${JSON.stringify(order.body, null, 2)}`,
    terraform: terraformOf(place, order),
  };
}

function commandOf(place: Place | undefined, { kind, body }: Order) {
  const at = { division: place?.division.name, environment: place?.environment.name };
  if (kind === 'free') {
    const { cloud, region, deployment_name: name } = body;
    return { command: 'deployments create --starter --wait', options: { cloud, region, name, ...at } };
  }
  const { cloud, region, name, tier, managed_tier, cluster, availability_mode } = body;
  return {
    command: 'deployments create-managed --wait',
    options: {
      ...{ name, cloud, region, tier, 'managed-tier': managed_tier, cluster },
      ...{ 'availability-mode': availability_mode, ...at },
    },
  };
}

function terraformOf(place: Place | undefined, { kind, body }: Order): string {
  const at = { division_id: place?.division.id, environment_id: place?.environment.id };
  const { cloud, region } = body;
  if (kind === 'free') {
    const { deployment_name: name } = body;
    return resource('landlord_starter_deployment', name ?? 'broker', { ...at, name, cloud, region });
  }
  const { name, tier, managed_tier, cluster, availability_mode } = body;
  const shape = { cloud, region, tier, managed_tier, cluster, availability_mode };
  return resource('landlord_deployment', name || 'broker', { ...at, name, ...shape });
}
