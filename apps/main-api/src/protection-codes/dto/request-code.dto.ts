import { Example, IsId, IsOneOf, Nested, Optional } from '@libs/http';
import { ACTION_TYPES, type ActionType } from '../protected-action.js';

/** The resource of the action, by the ids from the tenant down. The action decides which ids are required. */
export class ActionPayloadDto {
  @IsId('The tenant: that of the path.')
  tenant_id: number;

  @Optional()
  @IsId('Required for delete_division, delete_environment and delete_deployment.')
  division_id?: number;

  @Optional()
  @IsId('Required for delete_environment and delete_deployment.')
  environment_id?: number;

  @Optional()
  @IsId('Required for delete_deployment.')
  deployment_id?: number;

  @Optional()
  @IsId('Required for transfer_tenant: the member who becomes the owner of the tenant.')
  member_id?: number;
}

/** An action on a protected resource, which needs a one-time code. */
export class ProtectedActionDto {
  @IsOneOf(ACTION_TYPES, 'The action that the code allows, once.')
  action_type: ActionType;

  /** The resource of the action. */
  @Nested(ActionPayloadDto)
  payload: ActionPayloadDto;
}

/** A request for a one-time code. */
@Example<RequestCodeDto>({
  action: { action_type: 'delete_environment', payload: { tenant_id: 1, division_id: 1, environment_id: 1 } },
})
export class RequestCodeDto {
  /** The action that needs the code. */
  @Nested(ProtectedActionDto)
  action: ProtectedActionDto;
}
