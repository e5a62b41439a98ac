import { LOCAL_CONNECTION_KINDS } from '@libs/cloud';
import type { TestCloud } from '@libs/testing';
import { nameAtProvider, PRIVATE_WAYS, saidBy } from './private-ways.js';
import type { KeptConnection, Promised } from './promised.js';

/**
 * Each deployment has its promised private connections with the state that the other side chose, and the provider has
 * exactly these connections.
 * @param records Names of all records of the provider
 */
export async function privateConnectionsKept(
  cloud: TestCloud,
  promised: readonly Promised[],
  records: readonly string[],
): Promise<string[]> {
  const rows = await cloud.rows<Pick<KeptConnection, 'id' | 'kind'> & { deployment: number }>(
    'select id::int as id, deployment_id::int as deployment, kind from private_connections where deleted_at is null',
  );
  const living = promised.filter(({ isDeleted }) => !isDeleted);
  const wanted = living.flatMap(({ privateConnections }) => privateConnections.map(({ id }) => id));
  const held = rows.map(({ id }) => id);
  const { installation } = cloud.installation;
  const named = rows.map(({ deployment, ...row }) => `${nameAtProvider(installation, deployment, row)}.json`);
  const kinds = LOCAL_CONNECTION_KINDS.map((kind) => `-${kind.replace('_', '-')}-`);
  const found = records.filter((name) => kinds.some((kind) => name.includes(kind)));
  const astray = await Promise.all(living.map((one) => saidOtherwise(cloud, one)));
  return [
    ...(sorted(held) === sorted(wanted) ? [] : [`private connections ${sorted(held)}, not ${sorted(wanted)}`]),
    ...(sorted(found) === sorted(named) ? [] : [`the provider has ${sorted(found)} for ${sorted(named)}`]),
    ...astray.flat(),
  ];
}

/** Connections whose record, as a client reads it, has another state than promised. */
async function saidOtherwise(cloud: TestCloud, { id, name, privateConnections }: Promised): Promise<string[]> {
  const looks = privateConnections.map(async (one) => {
    const { body } = await cloud.runtime().get(`/deployments/${id}/network/${PRIVATE_WAYS[one.kind].path}`);
    const records: { id: number }[] = Array.isArray(body) ? body : [];
    const said = saidBy(
      records.find((record) => record.id === one.id),
      one.kind,
    );
    return said === one.status ? [] : [`${one.kind} ${one.id} of ${name} is ${said}, not ${one.status}`];
  });
  return (await Promise.all(looks)).flat();
}

const sorted = (values: readonly (number | string)[]): string => values.map(String).sort().join(', ');
