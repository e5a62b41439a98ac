import type { Catalog } from '@libs/catalog';
import { accountOfRole, type FieldIssue } from '@libs/domain';
import { faultOfOwnership, type OperatorAccounts } from '@libs/domain/operator-accounts';
import type { DeploymentAccount } from '@libs/persistence/runtime';
import type { CreateByocDto } from '../dto/create-byoc.dto.js';
import { plainRequest, type DeploymentRequest } from '../create/managed-rules.js';
import {
  completeShape,
  issue,
  localSizeIssues,
  requireNoIssues,
  shapeIssues,
  type ValidatedShape,
} from '../create/shape-rules.js';

/** What decides about an account in addition to the catalog. */
export interface ByocTenant {
  externalId: string;
  operator: OperatorAccounts;
}

/**
 * Creates the request for a deployment in an account of the customer. The request has no terms: the customer's own provider
 * bills the nodes.
 * @throws DomainError validation_failed, tier_feature_unsupported
 */
export function toByocRequest(catalog: Catalog, dto: CreateByocDto, tenant: ByocTenant): DeploymentRequest {
  const { shape, issues } = validateByoc(catalog, dto, tenant);
  requireNoIssues(issues);
  return plainRequest(catalog, shape, { name: dto.name, variant: 'byoc' });
}

/** Returns the shape of a well-formed request, and every fault of the request. */
export function validateByoc(
  catalog: Catalog,
  dto: CreateByocDto,
  { externalId, operator }: ByocTenant,
): ValidatedShape {
  const shape = completeShape(catalog, dto, dto.cluster);
  const issues = [
    ...shapeIssues(catalog, shape),
    ...localSizeIssues(dto),
    ...awsIssues(dto, externalId),
    ...ownerIssues(dto, operator),
  ];
  return { shape, issues };
}

/** Each deployment gets a subnet of this size (decision 0024). */
const SUBNET_BITS = 24;

/**
 * A role may only be used with the external id of the tenant that sends the request. Otherwise one tenant could use the
 * role of another tenant. For gcp the driver compares the id with the description of the service account.
 */
function awsIssues({ aws }: CreateByocDto, externalId: string): FieldIssue[] {
  if (!aws) return [];
  const isForeign = aws.external_id !== externalId;
  const isElsewhere = accountOfRole(aws.identity_arn) !== aws.account_id;
  const isTooSmall = aws.vpc_cidr !== undefined && Number(aws.vpc_cidr.split('/')[1]) > SUBNET_BITS;
  return [
    ...(isForeign
      ? [issue('/aws/external_id', 'foreign', 'differs from the value that byoc/setup returned to this tenant')]
      : []),
    ...(isTooSmall ? [issue('/aws/vpc_cidr', 'too_small', `has no room for a subnet of /${SUBNET_BITS}`)] : []),
    ...(isElsewhere ? [issue('/aws/identity_arn', 'mismatch', `is not a role of account ${aws.account_id}`)] : []),
  ];
}

function ownerIssues({ aws, gcp }: CreateByocDto, operator: OperatorAccounts): FieldIssue[] {
  const fault = faultOfOwnership({ ...aws, ...gcp }, operator);
  if (fault === null) return [];
  return [issue(aws ? '/aws/account_id' : '/gcp/service_account_email', 'of_operator', fault)];
}

/** Returns the account of the deployment, for the driver. */
export function accountOf({ aws, gcp }: CreateByocDto): DeploymentAccount {
  if (aws) {
    const { account_id: accountId, vpc_id: vpcId, vpc_cidr: vpcCidr = null, ...access } = aws;
    return { accountId, vpcId, vpcCidr, access };
  }
  const { project_id: accountId = '', vpc_name: vpcId = null, ...access } = gcp ?? {};
  return { accountId, vpcId, vpcCidr: null, access };
}
