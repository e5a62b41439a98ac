import { ApiProperty } from '@nestjs/swagger';

const counts = (of: string) =>
  ApiProperty({ type: 'object', additionalProperties: { type: 'integer' }, description: `Deployments by ${of}.` });

/** Totals of the resources that the caller may see (C-8.11). */
export class SummaryView {
  @ApiProperty({ type: 'integer' })
  total_divisions: number;

  @ApiProperty({ type: 'integer' })
  total_environments: number;

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
