import { ApiProperty } from '@nestjs/swagger';

const counts = (of: string) =>
  ApiProperty({ type: 'object', additionalProperties: { type: 'integer' }, description: `Deployments by ${of}.` });

/** Totals of the resources that the caller may see (C-8.11). */
export class SummaryView {
  /** Number of divisions that the caller may see. */
  @ApiProperty({ type: 'integer' })
  total_divisions: number;

  /** Number of environments that the caller may see. */
  @ApiProperty({ type: 'integer' })
  total_environments: number;

  /** Number of deployments that the caller may see. */
  @ApiProperty({ type: 'integer' })
  total_deployments: number;

  @counts('cloud')
  by_cloud: Record<string, number>;

  @counts('region')
  by_region: Record<string, number>;

  @counts('compute size')
  by_tier: Record<string, number>;

  @counts('variant')
  by_variant: Record<string, number>;
}
