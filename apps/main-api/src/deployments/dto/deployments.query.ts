import { CLOUDS, TIERS } from '@libs/catalog';
import { DEPLOYMENT_STATES, type DeploymentStatus } from '@libs/domain';
import { IsOneOf, IsText, Optional, NamedListQuery } from '@libs/http';

const STATUSES = Object.keys(DEPLOYMENT_STATES) as DeploymentStatus[];

/** The page of a list of deployments, and the filters. A deployment must match all of them. */
export class DeploymentsQuery extends NamedListQuery {
  @Optional()
  @IsOneOf(STATUSES, 'Only deployments with this status.')
  status?: DeploymentStatus;

  @Optional()
  @IsOneOf(CLOUDS, 'Only deployments in this cloud.')
  cloud?: string;

  @Optional()
  @IsText(64, 'Only deployments in this region.')
  region?: string;

  @Optional()
  @IsOneOf(TIERS, 'Only deployments with this compute size.')
  tier?: string;

  @Optional()
  @IsText(100, 'Only deployments whose name contains this text, without regard to case.')
  name?: string;
}
