import { TIERS } from '@libs/catalog';
import { LIMITS } from '@libs/domain';
import { ApiProperty } from '@nestjs/swagger';
import { LIMIT_SCOPES } from '../limit-scopes.js';

const USED = {
  type: 'integer',
  nullable: true,
  description:
    'What the tenant uses now. Null: the limit applies to each resource of its scope, is a number of days, or nothing counts against it.',
} as const;
const REMAINING = {
  type: 'integer',
  nullable: true,
  description: 'What can be added. Null where `used` is null.',
} as const;

/** One limit of the plan. */
export class LimitView {
  /** The name of the limit in `features` of the tenant. */
  @ApiProperty({ enum: [...LIMITS] })
  name: string;

  @ApiProperty({
    enum: LIMIT_SCOPES,
    description: 'What the limit applies to: the whole tenant, or each division, deployment, role or API key.',
  })
  scope: string;

  @ApiProperty({ type: 'integer', description: 'The limit, or the days.' })
  limit: number;

  @ApiProperty(USED)
  used: number | null;

  @ApiProperty(REMAINING)
  remaining: number | null;
}

/** The deployments of one compute size. */
export class TierLimitView {
  /** Compute size. */
  @ApiProperty({ enum: [...TIERS] })
  tier: string;

  @ApiProperty({ type: 'integer', description: 'Deployments that the plan allows.' })
  limit: number;

  @ApiProperty({
    type: 'integer',
    description: 'Deployments now. A deployment with a running upgrade counts for both sizes.',
  })
  used: number;

  @ApiProperty({ type: 'integer', description: 'Deployments that can be added, by every limit of a creation.' })
  remaining: number;
}

/** The limits of a tenant and their usage (C-10.11). */
export class LimitsView {
  /** Every limit of the plan. */
  @ApiProperty({ type: [LimitView] })
  limits: LimitView[];

  /** Limits by compute size. */
  @ApiProperty({ type: [TierLimitView] })
  deployment_tiers: TierLimitView[];
}
