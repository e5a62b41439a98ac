import { applyDecorators } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { FailsWith } from '../errors/fails-with.decorator.js';

/** Documents one id of the path. */
export const idParameter = (name: string, description: string): MethodDecorator & ClassDecorator =>
  ApiParam({
    name,
    description,
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  });

/** Documents the ids in the path of a route, level by level. The guard resolves them; handlers read them from their Actor. */
export const InTenant = (): MethodDecorator => applyDecorators(idParameter('tenant_id', 'The tenant.'));

export const InDivision = (): MethodDecorator =>
  applyDecorators(InTenant(), idParameter('division_id', 'A division of the tenant.'), FailsWith('division_not_found'));

export const InEnvironment = (): MethodDecorator =>
  applyDecorators(
    InDivision(),
    idParameter('environment_id', 'An environment of the division.'),
    FailsWith('environment_not_found'),
  );

export const InDeployment = (): MethodDecorator =>
  applyDecorators(
    InEnvironment(),
    idParameter('deployment_id', 'A deployment of the environment.'),
    FailsWith('deployment_not_found'),
  );

/** For the Supervisor: its paths contain only the id of the deployment. */
export const OfDeployment = (): MethodDecorator =>
  applyDecorators(idParameter('deployment_id', 'The deployment.'), FailsWith('deployment_not_found'));
