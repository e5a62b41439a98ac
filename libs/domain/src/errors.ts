import { spec, type ErrorSpec } from './refusals/error-spec.js';
import { NOT_FOUND_ERRORS } from './refusals/not-found-errors.js';

/** Faults of the request itself. */
const REQUEST_ERRORS = {
  validation_failed: spec(400, 'The request is not valid', 'Correct every entry of field_issues and send it again.'),
  malformed_json: spec(400, 'The body is not valid JSON', 'Send a well-formed JSON document.'),
  payload_too_large: spec(413, 'The body is too large', 'Send at most 1 MiB.'),
  unsupported_media_type: spec(415, 'The content type is not supported', 'Send content-type: application/json.'),
  precondition_failed: spec(412, 'The resource has changed', 'Read it again and repeat with its new etag.'),
  route_not_found: spec(404, 'No such route', 'Check the path against /docs.'),
  method_not_allowed: spec(405, 'The method is not allowed here', 'Use one of the methods of the allow header.'),
  idempotency_error: spec(
    409,
    'The idempotency key was used for another request',
    'Use a fresh key for a new request.',
  ),
  idempotent_request_in_progress: spec(
    409,
    'The first request with this idempotency key is still running',
    'Wait and repeat the same request to read its answer.',
  ),
  rate_limited: spec(429, 'Too many requests', 'Wait for the seconds in retry-after.'),
  internal_error: spec(500, 'Unexpected server error', 'Repeat later; quote the instance to the operator.'),
  service_busy: spec(503, 'The server is too busy', 'Repeat after the seconds in retry-after.'),
  storage_full: spec(
    503,
    'The server has no space for new data',
    'Repeat after the seconds in retry-after; the operator must free disk space.',
  ),
  provider_unavailable: spec(503, 'The provider cannot serve this now', 'Repeat later or choose another region.'),
} as const satisfies Record<string, ErrorSpec>;

/** Missing or insufficient rights of the caller. */
const ACCESS_ERRORS = {
  unauthenticated: spec(401, 'A valid API key is required', 'Send a valid key in the ld-api-key header.'),
  invalid_credentials: spec(401, 'E-mail or password is wrong', 'Check both, or reset the password.'),
  api_key_expired: spec(401, 'The API key has expired', 'Create a new key or rotate before expiry.'),
  insufficient_permissions: spec(403, 'A permission is missing', 'Ask for the named permission in the named scope.'),
  api_key_not_allowed: spec(403, 'API keys are not accepted here', 'Sign in and use the session cookie.'),
  csrf_token_invalid: spec(403, 'The CSRF token is missing or wrong', 'Send the x-csrf-token of the session.'),
  email_not_verified: spec(
    403,
    'The e-mail address is not verified',
    'Follow the link in the mail, or ask for another.',
  ),
  ip_not_allowed: spec(403, 'The address is not on the allowlist of the key', 'Add the address or call from another.'),
  download_link_invalid: spec(
    403,
    'The link is invalid or has expired',
    'Request another link. A link works for five minutes.',
  ),
  not_tenant_owner: spec(403, 'Only the owner of the tenant may do this', 'Ask the owner.'),
  plan_feature_required: spec(403, 'The plan does not include this feature', 'Move to a plan that includes it.'),
  payment_method_required: spec(402, 'A payment method is required', 'Add a card or an invoice agreement.'),
  invoice_agreement_required: spec(
    403,
    'The operator has not agreed to invoices',
    'Ask the operator of this installation for an invoice agreement.',
  ),
} as const satisfies Record<string, ErrorSpec>;

/** Conflicts with the current state. */
const CONFLICT_ERRORS = {
  name_taken: spec(409, 'The name is taken', 'Choose another name.'),
  state_conflict: spec(409, 'The current state does not allow this request', 'Wait for the named operation to end.'),
  plan_limit_reached: spec(409, 'A limit of the plan is reached', 'Delete something or move to a larger plan.'),
  payment_method_in_use: spec(
    409,
    'Paid deployments are charged to the payment method',
    'Delete the paid deployments first, or replace the payment method.',
  ),
  not_empty: spec(409, 'The resource still contains other resources', 'Delete the contained resources first.'),
  invitation_expired: spec(410, 'The invitation has expired', 'Ask for another invitation.'),
  cluster_extension_not_allowed: spec(
    409,
    'A deployment cannot be extended by nodes',
    'Upgrade to a larger compute size, or create another deployment.',
  ),
  backup_not_compatible: spec(
    409,
    'The new deployment cannot take the data of the backup',
    'Order a deployment like the one of the backup.',
  ),
  feature_unavailable: spec(
    409,
    'The drivers of the region do not do this',
    'Leave it out, or choose a region whose features have it.',
  ),
  node_not_responding: spec(
    503,
    'The node that has the data does not answer',
    'Repeat later. The metrics of the deployment show whether the node reports.',
  ),
  connector_unavailable: spec(
    409,
    'The nodes of the deployment do not have this connector',
    'Choose one that is listed as available.',
  ),
  primary_config_undeletable: spec(409, 'The active configuration cannot be deleted', 'Activate another one first.'),
  email_already_verified: spec(409, 'The e-mail address is verified already', 'No action is needed.'),
  upgrade_cooldown: spec(409, 'The last upgrade was too recent', 'Wait for the seconds in retry-after.'),
  owner_required: spec(
    409,
    'A tenant has exactly one owner',
    'Transfer the tenant with PUT /tenants/{tenant_id}/owner.',
  ),
  system_role_immutable: spec(409, 'System roles cannot be changed', 'Create a custom role.'),
} as const satisfies Record<string, ErrorSpec>;

/** Rules of the domain that a well-formed request can violate. */
const RULE_ERRORS = {
  tier_feature_unsupported: spec(400, 'The tier does not support this', 'Correct every entry of field_issues.'),
  backup_not_supported: spec(
    400,
    'The deployment cannot be backed up',
    'Backups need aws and network storage (network_balanced).',
  ),
  private_networking_not_supported: spec(
    400,
    'The deployment has no such private networking',
    'It is for managed deployments of the cloud that the path names.',
  ),
  cidr_overlap: spec(400, 'The networks overlap', 'Use a network that overlaps none of the named networks.'),
  storage_cannot_shrink: spec(400, 'Storage cannot shrink', 'Ask for at least what there is.'),
  downgrade_not_allowed: spec(400, 'A downgrade is not an upgrade', 'Ask the operator for other terms.'),
  retention_above_maximum: spec(400, 'The retention is above the maximum of the tier', 'Ask for at most the default.'),
  protection_code_required: spec(400, 'A protection code is required', 'Request a code and send it as ?code=.'),
  protection_code_invalid: spec(400, 'The protection code is not valid', 'Request a new code.'),
  code_already_requested: spec(
    429,
    'A protection code was requested a moment ago',
    'Use the code of the last mail, or wait for the seconds in retry-after.',
  ),
  email_token_invalid: spec(400, 'The link is not valid', 'Ask for a new mail: links expire and work once.'),
  first_sign_in_invalid: spec(
    400,
    'The link of the start is not valid',
    'Start Landlord again, and open the new link on the same machine: a link works once, for 15 minutes.',
  ),
  login_code_invalid: spec(400, 'The login code is not valid', 'Start the login again: a code expires and works once.'),
  verification_already_sent: spec(
    429,
    'A mail was sent a moment ago',
    'Use the link of the last mail, or wait for the seconds in retry-after.',
  ),
  destination_not_allowed: spec(
    400,
    'Nothing is sent to this destination',
    'Give an https address on the internet, without user name and password.',
  ),
  channel_test_too_soon: spec(429, 'The channel was tested a moment ago', 'Wait for the seconds in retry-after.'),
  redelivery_too_soon: spec(
    429,
    'The channel delivered something again a moment ago',
    'Wait for the seconds in retry-after.',
  ),
  confirmation_too_soon: spec(
    429,
    'No further confirmation mail may be sent now',
    'Use the link of the last mail, or wait for the seconds in retry-after.',
  ),
  secret_required: spec(
    400,
    'A stored secret is not used for another destination',
    'Send the secret itself instead of its mask, or keep the scheme, host and port of the destination.',
  ),
  tenant_has_no_email_domain: spec(
    400,
    'The tenant has no e-mail domain',
    'Leave both locks off; a domain is claimed at sign-up only.',
  ),
  invitee_domain_locked: spec(
    400,
    'The domain of the invitee takes no invitations from others',
    'Ask the organization that claimed the domain, or invite another address.',
  ),
  invitee_domain_not_allowed: spec(
    400,
    'The tenant invites only within its e-mail domain',
    'Invite an address in the domain, or change the settings of the tenant.',
  ),
} as const satisfies Record<string, ErrorSpec>;

/** The refusals of the API: one entry per stable `code` (C-2.2; published by `GET /errors`). */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...ACCESS_ERRORS,
  ...NOT_FOUND_ERRORS,
  ...CONFLICT_ERRORS,
  ...RULE_ERRORS,
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;

const RETRYABLE_STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
/** Whether the same request may succeed when repeated (C-2.3). A first request ends by itself, and its repeat gets the answer (C-4.4). */
export const isRetryable = (code: ErrorCode): boolean =>
  RETRYABLE_STATUSES.includes(ERRORS[code].status) || code === 'idempotent_request_in_progress';

/** Errors whose request may succeed later only when the refusal names the operation in the way. */
export const SOMETIMES_RETRYABLE: readonly ErrorCode[] = ['state_conflict'];
