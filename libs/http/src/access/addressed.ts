import { parseId } from '@libs/domain';
import type { Request } from 'express';
import type { Addressed } from '../ports.js';

/** Returns the ids in the path, by the parameter names that every route uses. */
export function addressedBy(request: Request): Addressed {
  const id = (name: string): number | null | undefined => {
    const text = request.params[name];
    return typeof text === 'string' ? (parseId(text) ?? undefined) : null;
  };
  return {
    tenantId: id('tenant_id'),
    divisionId: id('division_id'),
    environmentId: id('environment_id'),
    deploymentId: id('deployment_id'),
  };
}
