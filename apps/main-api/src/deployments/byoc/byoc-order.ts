import { quote, type Catalog } from '@libs/catalog';
import { accountOfRole, type FieldIssue } from '@libs/domain';
import type { DeploymentAccount } from '@libs/persistence/runtime';
import type { CreateByocDto } from '../dto/create-byoc.dto.js';
import { areaOf, type DeploymentOrder } from '../create/managed-rules.js';
import { completeShape, issue, localSizeIssues, requireNoIssues, shapeIssues } from '../create/shape-rules.js';

/**
 * Creates the order of a deployment in an account of the customer. The order has no terms: the customer's own provider
 * bills the nodes. So its telemetry has the retention without terms (docs/decisions/0024).
 * @throws DomainError validation_failed, tier_feature_unsupported
 */
export function orderByoc(catalog: Catalog, dto: CreateByocDto, externalId: string): DeploymentOrder {
  const shape = completeShape(catalog, dto, dto.cluster);
  requireNoIssues(byocIssues(catalog, dto, externalId));
  return {
    name: dto.name,
    variant: 'byoc',
    area: areaOf(catalog, shape),
    shape,
    quote: quote(catalog, shape),
    isProtected: false,
    isEncrypted: false,
    hasPublicIp: true,
    hasSubdomain: true,
    isDedicated: false,
    telemetryDays: catalog.telemetryDays(null),
    isTelemetryExplicit: false,
    spendLimit: null,
    cloudAccountId: null,
  };
}

/** Returns every fault of a well-formed order. */
export function byocIssues(catalog: Catalog, dto: CreateByocDto, externalId: string): FieldIssue[] {
  const shape = completeShape(catalog, dto, dto.cluster);
  return [...shapeIssues(catalog, shape), ...localSizeIssues(dto), ...awsIssues(dto, externalId)];
}

/**
 * A role may only be used with the external id of the tenant that sends the request. Otherwise one tenant could use the
 * role of another tenant. For gcp the driver compares the id with the description of the service account.
 */
function awsIssues({ aws }: CreateByocDto, externalId: string): FieldIssue[] {
  if (!aws) return [];
  const isForeign = aws.external_id !== externalId;
  const isElsewhere = accountOfRole(aws.identity_arn) !== aws.account_id;
  return [
    ...(isForeign
      ? [issue('/aws/external_id', 'foreign', 'differs from the value that byoc/setup returned to this tenant')]
      : []),
    ...(isElsewhere ? [issue('/aws/identity_arn', 'mismatch', `is no role of account ${aws.account_id}`)] : []),
  ];
}

/** Returns the account of the deployment, for the driver. */
export function accountOf({ aws, gcp }: CreateByocDto): DeploymentAccount {
  if (aws) {
    const { account_id: accountId, vpc_cidr: vpcCidr = null, ...access } = aws;
    return { accountId, vpcCidr, access };
  }
  const { project_id: accountId = '', ...access } = gcp ?? {};
  return { accountId, vpcCidr: null, access };
}
