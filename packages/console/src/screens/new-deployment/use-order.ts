import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { regionsQuery, structureQuery } from '../../api/queries.js';
import { readQuery } from '../../api/read.js';
import type { Choice } from '../../ui/form/field.js';
import type { Cloud, OrderSearch } from './search.js';

/** Where the new deployment belongs. */
export interface Place {
  division: { id: number; name: string };
  environment: { id: number; name: string };
}

/** What each kind of order gets. */
export interface OrderProps {
  tenantId: number;
  place: Place;
  cloud: Cloud;
  search: OrderSearch;
}

/** All environments of the organization, and the chosen one. The first one is the default. */
export function usePlaces(tenantId: number, { environment: chosen }: OrderSearch) {
  const { data: structure } = useSuspenseQuery(structureQuery(tenantId));
  const places: readonly Place[] = structure.divisions.flatMap((division) =>
    division.environments.map((environment) => ({ division, environment })),
  );
  const place = places.find(({ environment }) => String(environment.id) === chosen) ?? places[0];
  return { places, place };
}

/** The regions of a cloud. One that cannot be ordered says so. */
export function useRegions(tenantId: number, cloud: Cloud): readonly Choice[] {
  const { data: regions = [] } = useQuery(regionsQuery(tenantId, cloud));
  return regions.map(({ key, name, available }) => ({
    ...{ value: key, label: `${name} (${key})`, disabledReason: available ? null : 'not available now' },
  }));
}

/** The sizes of a region. One that cannot be ordered says why. */
export function useSizes(tenantId: number, cloud: Cloud, region: string): readonly Choice[] {
  const { data: tiers = [] } = useQuery({
    ...readQuery(tenantId, 'catalog.listTiers', { cloud, region }),
    enabled: region !== '',
  });
  return tiers
    .filter(({ clusters }) => clusters.includes('cluster'))
    .map(({ key, name, vcpus, memory_gib, available, limit }) => ({
      ...{ value: key, label: `${name}: ${vcpus} CPUs, ${memory_gib} GiB` },
      disabledReason: available ? (limit > 0 ? null : 'the plan allows no more') : 'not in this region',
    }));
}

/** The kinds of storage of a region. */
export function useStorages(tenantId: number, cloud: Cloud, region: string): readonly Choice[] {
  const { data: storages = [] } = useQuery({
    ...readQuery(tenantId, 'catalog.listStorages', { cloud, region }),
    enabled: region !== '',
  });
  return storages.map(({ key, name, available }) => ({
    ...{ value: key, label: name, disabledReason: available ? null : 'not in this region' },
  }));
}

/** Opens the page of a deployment that was just ordered. */
export function useOpening(tenantId: number) {
  const navigate = useNavigate();
  return ({ deployment_id }: { deployment_id: number }) =>
    navigate({ to: '/t/$tenantId/deployments/$deploymentId', params: { tenantId, deploymentId: deployment_id } });
}

/** The first region of each cloud has everything. */
export const FIRST_REGION: Readonly<Record<Cloud, string>> = { aws: 'us-east-1', gcp: 'us-central1' };
