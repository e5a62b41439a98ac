import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A deployment in the tree. */
export class StructureDeploymentView {
  @ApiId('The deployment.')
  id: number;

  name: string;

  /** Short code, part of the deployment's domain name. */
  code: string;

  cloud: string;

  @ApiProperty({ enum: ['managed', 'byoc', 'starter'] })
  variant: string;

  region: string;

  /** Compute size. */
  tier: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Address of the Supervisor of the deployment. Null while no Supervisor serves it.',
  })
  supervisor_url: string | null;
}

/** An environment in the tree. */
export class StructureEnvironmentView {
  @ApiId('The environment.')
  id: number;

  name: string;

  @ApiProperty({
    type: 'integer',
    description: 'Number of all deployments in the environment, including those that the caller may not read.',
  })
  deployments_count: number;

  @ApiProperty({ type: [StructureDeploymentView] })
  deployments: StructureDeploymentView[];
}

/** A division in the tree. */
export class StructureDivisionView {
  @ApiId('The division.')
  id: number;

  name: string;

  @ApiProperty({ type: 'integer', description: 'Sum over the environments shown.' })
  deployments_count: number;

  @ApiProperty({ type: [StructureEnvironmentView] })
  environments: StructureEnvironmentView[];
}

/** The organization as a tree of the resources that the caller may see (C-8.10). */
export class StructureView {
  @ApiId('The tenant.')
  id: number;

  name: string;

  @ApiProperty({ type: [StructureDivisionView] })
  divisions: StructureDivisionView[];
}
