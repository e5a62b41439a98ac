import type { Main } from '@landlord/sdk';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { landlordOf } from '../client.js';
import { structureQuery } from '../queries.js';

const LIST_MS = 10_000;
const CHANGING_MS = 2_000;
/** States in which a deployment does not stay. */
const LASTING = ['initialized', 'stopped', 'degraded', 'failed'];

/** A deployment with its place. The tree of the tenant answers where the deployment is. */
export interface PlacedDeployment {
  place: { division: string; environment: string };
  deployment: Main.DeploymentView;
  /** Whether the deployment was deleted since. What was known stays on the screen until the person leaves. */
  isGone: boolean;
}

/**
 * A deployment, followed by its entry in the list of deployments: the browser reports a refused read of a deleted deployment as an
 * error, and an entry that is not in the list is no error.
 */
export const deploymentQuery = (tenantId: number, deploymentId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'deployment', deploymentId],
    queryFn: ({ client, queryKey }): Promise<PlacedDeployment> =>
      placed(client, tenantId, deploymentId, client.getQueryData<PlacedDeployment>(queryKey)),
    refetchInterval: ({ state: { data } }) => {
      if (data?.isGone) return false;
      return data && isChanging(data.deployment) ? CHANGING_MS : LIST_MS;
    },
  });

const isChanging = ({ status, operation_id }: Main.DeploymentView): boolean =>
  operation_id !== null || !LASTING.includes(status);

async function placed(
  client: QueryClient,
  tenantId: number,
  deploymentId: number,
  known: PlacedDeployment | undefined,
): Promise<PlacedDeployment> {
  const entry = known && (await entryOf(tenantId, known.deployment));
  const place = await placeOf(client, tenantId, deploymentId, entry === undefined);
  if (!place && known) return { ...known, isGone: true };
  return {
    place: { division: place?.division.name ?? '', environment: place?.environment.name ?? '' },
    deployment: isSame(entry, known) ? known.deployment : await read(tenantId, deploymentId, place),
    isGone: false,
  };
}

/** Without a place, the API says that there is no such deployment. */
const read = (tenantId: number, deployment_id: number, place: Place | undefined): Promise<Main.DeploymentView> =>
  landlordOf(tenantId).deployments.get({
    ...{ division_id: place?.division.id ?? 0, environment_id: place?.environment.id ?? 0, deployment_id },
  });

/** Undefined: the deployment is deleted or has another name, or too many others have its name in theirs. */
async function entryOf(
  tenantId: number,
  { id, name }: Main.DeploymentView,
): Promise<Main.DeploymentItemView | undefined> {
  const { items } = await landlordOf(tenantId).deployments.listAll({ name, results: 100 });
  return items.find((item) => item.id === id);
}

function isSame(
  entry: Main.DeploymentItemView | undefined,
  known: PlacedDeployment | undefined,
): known is PlacedDeployment {
  if (!entry || !known) return false;
  const before: Readonly<Record<string, unknown>> = { ...known.deployment };
  return Object.entries(entry).every(([member, value]) => JSON.stringify(value) === JSON.stringify(before[member]));
}

interface Place {
  division: { id: number; name: string };
  environment: { id: number; name: string };
}

/** @param mustRead Whether the tree that the tab knows can be too old. */
async function placeOf(
  client: QueryClient,
  tenantId: number,
  deploymentId: number,
  mustRead: boolean,
): Promise<Place | undefined> {
  const { divisions } = await client.fetchQuery({
    ...structureQuery(tenantId),
    staleTime: mustRead ? 0 : Infinity,
  });
  return divisions
    .flatMap((division) =>
      division.environments.flatMap((environment) =>
        environment.deployments.map(({ id }) => ({ id, division, environment })),
      ),
    )
    .find(({ id }) => id === deploymentId);
}
