import { spec, type ErrorSpec } from './error-spec.js';

const notFound = (thing: string): ErrorSpec =>
  spec(404, `No such ${thing}`, `Check the id; a ${thing} outside the scope of the key is not disclosed.`);

/** Resources that do not exist, or that this caller may not see. */
export const NOT_FOUND_ERRORS = {
  tenant_not_found: notFound('tenant'),
  division_not_found: notFound('division'),
  environment_not_found: notFound('environment'),
  deployment_not_found: notFound('deployment'),
  node_not_found: notFound('node'),
  access_rule_not_found: notFound('access rule'),
  config_not_found: notFound('configuration'),
  certificate_not_found: notFound('certificate'),
  backup_not_found: notFound('backup'),
  backup_schedule_not_found: notFound('schedule of backups'),
  connector_not_found: notFound('connector'),
  connector_instance_not_found: notFound('instance of a connector'),
  snapshot_not_found: notFound('diagnostic snapshot'),
  operation_not_found: notFound('operation'),
  peering_not_found: notFound('peering'),
  service_not_found: notFound('endpoint service'),
  attachment_not_found: notFound('service attachment'),
  api_key_not_found: notFound('API key'),
  role_not_found: notFound('role'),
  session_not_found: notFound('session'),
  member_not_found: notFound('member'),
  invitation_not_found: notFound('invitation'),
  join_request_not_found: notFound('request to join'),
  ownership_transfer_not_found: notFound('transfer of ownership'),
  cloud_account_not_found: notFound('cloud account'),
  channel_not_found: notFound('notification channel'),
  subscription_not_found: notFound('subscription'),
  delivery_not_found: notFound('delivery'),
  payment_method_not_found: notFound('payment method'),
  billing_report_not_found: notFound('billing report'),
  invoice_not_found: notFound('invoice'),
  cloud_not_found: notFound('cloud'),
  region_not_found: notFound('region'),
} as const satisfies Record<string, ErrorSpec>;
