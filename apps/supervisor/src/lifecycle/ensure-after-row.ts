import { CloudError } from '@libs/cloud';
import type { CloudResourcesRepository, PlacedResource, WantedResource } from '@libs/persistence/runtime';

/** The deletion of the resource has begun. A late caller, such as a worker that was paused, must not create it again. */
class ResourceIsRemoved extends Error {}

/**
 * Calls a provider after the row of the resource is committed, and records whether it accepted the call, or why it refused. `call` uses the driver and the place of the row. @throws ResourceIsRemoved
 */
export async function ensureAfterRow<T>(
  rows: CloudResourcesRepository,
  wanted: WantedResource,
  call: (row: PlacedResource) => Promise<T>,
): Promise<T> {
  const row = await rows.want(wanted);
  if (row.intent === 'absent') throw new ResourceIsRemoved(`${row.kind} ${row.name} is being removed`);
  try {
    const resource = await call(row);
    await rows.recordAcceptance(row, wanted.incarnation);
    return resource;
  } catch (error) {
    if (error instanceof CloudError) await rows.recordRefusal(row, error.message);
    throw error;
  }
}
