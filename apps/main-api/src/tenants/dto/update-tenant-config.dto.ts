import { JOIN_POLICIES, type JoinPolicy } from '@libs/domain';
import { Example, IsFlag, IsOneOf, UpdateDto } from '@libs/http';

/** The rules of a tenant for joining and for invitations. All three are required. The domain cannot be changed. */
@Example<UpdateTenantConfigDto>({
  join_policy: 'invite_only',
  block_external_invitations: false,
  enforce_domain_only_invitations: false,
})
export class UpdateTenantConfigDto extends UpdateDto {
  @IsOneOf(JOIN_POLICIES, "What happens when a user with an address in the tenant's domain signs up.")
  join_policy: JoinPolicy;

  @IsFlag('True stops other tenants inviting users of the domain; needs a domain.')
  block_external_invitations: boolean;

  @IsFlag('True limits the invitations of this tenant to users of the domain; needs a domain.')
  enforce_domain_only_invitations: boolean;
}
