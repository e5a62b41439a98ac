import { TIERS } from '@libs/catalog';
import { FEATURE_FLAGS, LIMITS, PLANS } from '@libs/domain';
import { ApiNullableTime, ApiTime, ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** The number of deployments of one compute size that the plan permits. */
export class DeploymentTierView {
  @ApiProperty({ enum: [...TIERS], description: 'Compute size.' })
  tier: string;

  @ApiProperty({ type: 'integer', description: 'Permitted deployments.' })
  limit: number;
}

/** The plan of a tenant, and the time for which the plan applies. */
export class PlanSubscriptionView {
  @ApiId('The subscription.')
  id: number;

  /** The plan of the tenant. */
  @ApiProperty({ enum: [...PLANS] })
  plan: string;

  /** True when the plan is in force. */
  active: boolean;

  @ApiTime()
  created_at: string;

  /** Start of the subscription. */
  @ApiTime()
  valid_from: string;

  @ApiNullableTime('End of the subscription. Null for no end.')
  valid_to: string | null;
}

const FEATURE_PROPERTIES = {
  ...Object.fromEntries(LIMITS.map((name) => [name, { type: 'integer' as const }])),
  ...Object.fromEntries(FEATURE_FLAGS.map((name) => [name, { type: 'boolean' as const }])),
  deployment_tiers: {
    type: 'array' as const,
    items: { $ref: '#/components/schemas/DeploymentTierView' },
    description: 'How many deployments of each compute size the tenant may have.',
  },
};

/** A tenant: an organization with its plan and its limits (C-8.1). */
export class TenantView {
  @ApiId('The tenant.')
  id: number;

  name: string;

  /** Null for none. */
  description: string | null;

  /** Organization contact address. Null for none. */
  email: string | null;

  /** True: deletion needs a one-time code. */
  protected: boolean;

  @ApiTime()
  created_at: string;

  @ApiTime()
  updated_at: string;

  @ApiProperty({
    type: 'object',
    description:
      'The limits of the plan. `_limit` is the largest number, `_days` is a time in days, and `_enabled` is a permitted feature.',
    properties: FEATURE_PROPERTIES,
    required: Object.keys(FEATURE_PROPERTIES),
  })
  features: Record<string, unknown>;

  /** The plan of the tenant, and the time for which the plan applies. */
  @ApiProperty({ type: PlanSubscriptionView })
  subscription: PlanSubscriptionView;

  /** True when another Free deployment can be created. */
  starter_available: boolean;

  /** True for a valid card or an invoice agreement. */
  has_payment_method: boolean;

  /** True when the tenant claimed a corporate domain at sign-up. */
  has_custom_email_domain: boolean;
}
