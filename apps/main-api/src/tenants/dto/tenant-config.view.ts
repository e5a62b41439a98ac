import { JOIN_POLICIES, type JoinPolicy } from '@libs/domain';
import { ApiProperty } from '@nestjs/swagger';

/** The rules of a tenant for joining and for invitations (C-8.2, C-8.3). */
export class TenantConfigView {
  @ApiProperty({
    enum: [...JOIN_POLICIES],
    description:
      'What happens when a user with an address in `email_domain` signs up. Without a domain the policy has no effect.',
  })
  join_policy: JoinPolicy;

  /** True stops other tenants inviting users of the domain. */
  block_external_invitations: boolean;

  /** True limits the invitations of this tenant to users of the domain. */
  enforce_domain_only_invitations: boolean;

  /** Claimed registrable domain; absent for none. */
  email_domain?: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    required: false,
    description: 'Since when the domain is claimed; absent without one.',
  })
  email_domain_verified_at?: string;
}
