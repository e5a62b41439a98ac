import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { landlordOf } from '../api/client.js';
import { structureQuery } from '../api/queries.js';
import { orderOf, type Choices, type Kind, type Order, type Place } from './order.js';

/** The choices of the form, and the order that they make. Every choice has a default. */
export function useOrder(tenantId: number, kind: Kind) {
  const { data: structure } = useSuspenseQuery(structureQuery(tenantId));
  const places: readonly Place[] = structure.divisions.flatMap((division) =>
    division.environments.map((environment) => ({ division, environment })),
  );
  const first = String(places[0]?.environment.id ?? '');
  const [choices, set] = useState<Choices>({
    ...{ name: '', environment: first, cloud: 'aws', region: 'us-east-1' },
    ...{ tier: 'small', terms: 'standard', zones: 'single_az' },
  });
  const place = places.find(({ environment }) => String(environment.id) === choices.environment);
  const change = (changed: Partial<Choices>): void => set((before) => ({ ...before, ...changed }));
  return { choices, change, places, place, order: orderOf(kind, choices, place) };
}

/** Sends the order, and opens the page of the new deployment. */
export function useCreation(tenantId: number, place: Place | undefined, order: Order) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => created(tenantId, place, order),
    onSuccess: async ({ deployment_id }) => {
      await queries.invalidateQueries({ queryKey: ['tenant', tenantId] });
      await navigate({
        to: '/t/$tenantId/deployments/$deploymentId',
        params: { tenantId, deploymentId: deployment_id },
      });
    },
  });
}

function created(tenantId: number, place: Place | undefined, { kind, body }: Order) {
  const { deployments } = landlordOf(tenantId);
  const division_id = place?.division.id ?? 0;
  return kind === 'free'
    ? deployments.createStarter({ division_id, ...body })
    : deployments.createManaged({ division_id, environment_id: place?.environment.id ?? 0, ...body });
}
