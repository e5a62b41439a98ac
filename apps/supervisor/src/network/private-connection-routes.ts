import { applyDecorators, type Type } from '@nestjs/common';
import type { LimitName } from '@libs/domain';
import { FailsWith, NoContent, Reads, TakesIdempotencyKey, WithinPlan, Writes } from '@libs/http';

/** The name of a private connection in paths, headers and error codes. */
type ConnectionResource = 'peering' | 'service' | 'attachment';

const HEADERS = { peering: 'peering', service: 'endpoint-service', attachment: 'attachment' } as const;

/** The rules of the four kinds of private connections are the same, so their routes share the declarations. */
export const CreatesConnection = (resource: ConnectionResource, limit: LimitName): MethodDecorator =>
  applyDecorators(
    // Here the API description has the key before the parameters of the path.
    TakesIdempotencyKey(),
    Writes('deployment:network:manage', 'private_connection_created'),
    NoContent(HEADERS[resource], 'operation'),
    WithinPlan('private_networking_enabled', limit),
    FailsWith('private_networking_not_supported', 'name_taken', 'state_conflict', 'feature_unavailable'),
  );

/** Reads private connections, or what belongs to one of them. */
export const ReadsConnections = (view: Type | [Type]): MethodDecorator =>
  applyDecorators(Reads('deployment:network:read', view), FailsWith('private_networking_not_supported'));

export const DeletesConnection = (): MethodDecorator =>
  applyDecorators(
    Writes('deployment:network:manage', 'private_connection_deleted'),
    NoContent('operation'),
    FailsWith('private_networking_not_supported', 'state_conflict'),
  );
