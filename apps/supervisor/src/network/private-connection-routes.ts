import { applyDecorators, type Type } from '@nestjs/common';
import type { LimitName } from '@libs/domain';
import {
  Audited,
  FailsWith,
  Idempotent,
  InTransaction,
  NoContent,
  OfDeployment,
  OfTheDeployment,
  RequirePermission,
  Returns,
  WithinPlan,
} from '@libs/http';

/** The name of a private connection in paths, headers and error codes. */
type ConnectionResource = 'peering' | 'service' | 'attachment';

const HEADERS = { peering: 'peering', service: 'endpoint-service', attachment: 'attachment' } as const;

/** The rules of the four kinds of private connections are the same, so their routes share the declarations. */
export const CreatesConnection = (resource: ConnectionResource, limit: LimitName): MethodDecorator =>
  applyDecorators(
    RequirePermission('deployment:network:manage'),
    Idempotent(),
    Audited('private_connection_created'),
    OfDeployment(),
    NoContent(HEADERS[resource], 'operation'),
    WithinPlan('private_networking_enabled', limit),
    FailsWith('private_networking_not_supported', 'name_taken', 'state_conflict', 'feature_unavailable'),
  );

export const ListsConnections = (view: Type): MethodDecorator =>
  applyDecorators(
    RequirePermission('deployment:network:read'),
    OfDeployment(),
    Returns([view]),
    FailsWith('private_networking_not_supported'),
  );

/** Reads what belongs to one private connection. */
export const ReadsConnection = (
  resource: ConnectionResource,
  description: string,
  view: Type | [Type],
): MethodDecorator =>
  applyDecorators(
    RequirePermission('deployment:network:read'),
    OfTheDeployment(resource, description),
    Returns(view),
    FailsWith('private_networking_not_supported'),
  );

export const DeletesConnection = (resource: ConnectionResource, description: string): MethodDecorator =>
  applyDecorators(
    RequirePermission('deployment:network:manage'),
    InTransaction(),
    Audited('private_connection_deleted'),
    OfTheDeployment(resource, description),
    NoContent('operation'),
    FailsWith('private_networking_not_supported', 'state_conflict'),
  );
