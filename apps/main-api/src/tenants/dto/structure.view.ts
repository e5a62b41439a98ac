import { ApiNullableText, ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A deployment in the tree of an organization. */
export class StructureDeploymentView {
  @ApiId('The deployment.')
  id: number;

  name: string;

  /** Short code, part of the deployment's domain name. */
  code: string;

  /** Key of the cloud. */
  cloud: string;

  /**
   * `managed`: Landlord runs the deployment. `byoc`: in the cloud account of the customer. `starter`: a Free
   * deployment.
   */
  @ApiProperty({ enum: ['managed', 'byoc', 'starter'] })
  variant: string;

  /** Key of the region. */
  region: string;

  /** Compute size. */
  tier: string;

  @ApiNullableText('Address of the Supervisor of the deployment. Null while no Supervisor serves it.')
  supervisor_url: string | null;
}

/** An environment in the tree of an organization. */
export class StructureEnvironmentView {
  @ApiId('The environment.')
  id: number;

  name: string;

  @ApiProperty({
    type: 'integer',
    description: 'Number of all deployments in the environment, including those that the caller may not read.',
  })
  deployments_count: number;

  /** Deployments of the environment that the caller may see. */
  @ApiProperty({ type: [StructureDeploymentView] })
  deployments: StructureDeploymentView[];
}

/** A division in the tree of an organization. */
export class StructureDivisionView {
  @ApiId('The division.')
  id: number;

  name: string;

  @ApiProperty({ type: 'integer', description: 'Sum over the environments shown.' })
  deployments_count: number;

  /** Environments of the division that the caller may see. */
  @ApiProperty({ type: [StructureEnvironmentView] })
  environments: StructureEnvironmentView[];
}

/** The organization as a tree of the resources that the caller may see (C-8.10). */
export class StructureView {
  @ApiId('The tenant.')
  id: number;

  name: string;

  /** Divisions of the tenant that the caller may see. */
  @ApiProperty({ type: [StructureDivisionView] })
  divisions: StructureDivisionView[];
}
