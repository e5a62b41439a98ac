// Made by `npm run clients` from the OpenAPI documents. Do not edit.

import type { Verb } from '../verb.js';

/** The commands of each group. Only the group that a command needs is built. */
export const VERBS: Readonly<Record<string, () => readonly Verb[]>> = {
 "rules": () => [
  {
   "name": "create",
   "operation": "accessRules.create",
   "text": "Allows clients of the CIDRs to connect by the enabled protocols",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique within the deployment, without regard to case. Only letters, digits, spaces and - _ . :"
    },
    {
     "member": "cidr_blocks",
     "name": "cidr-blocks",
     "kind": "texts",
     "required": true,
     "text": "IPv4 CIDRs."
    },
    {
     "member": "rules.broker_tcp",
     "name": "rules-broker-tcp",
     "kind": "flag",
     "text": "TCP. Default false."
    },
    {
     "member": "rules.broker_http",
     "name": "rules-broker-http",
     "kind": "flag",
     "text": "HTTP and the browser UI. Default false."
    },
    {
     "member": "rules.broker_websocket",
     "name": "rules-broker-websocket",
     "kind": "flag",
     "text": "WebSocket. Default false."
    },
    {
     "member": "rules.broker_udp",
     "name": "rules-broker-udp",
     "kind": "flag",
     "text": "UDP. Default false."
    },
    {
     "member": "valid_to",
     "name": "valid-to",
     "kind": "text",
     "text": "End of the rule, in the future. Default: no end."
    },
    {
     "member": "remarks",
     "name": "remarks",
     "kind": "text",
     "text": "Notes for people."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "accessRules.delete",
   "text": "Ends the rule at once",
   "deletes": true,
   "arguments": [
    {
     "member": "access_rule_id",
     "text": "The rule."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "get-caller",
   "operation": "accessRules.getCaller",
   "text": "Reads the address from which the Supervisor sees the caller",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "accessRules.list",
   "text": "Lists the access rules",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  }
 ],
 "account": () => [
  {
   "name": "change-password",
   "operation": "account.changePassword",
   "text": "Changes your password",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "password",
     "name": "password",
     "kind": "text",
     "required": true,
     "text": "The password."
    },
    {
     "member": "new_password",
     "name": "new-password",
     "kind": "text",
     "required": true,
     "text": "Neither the e-mail address nor one of the most common passwords."
    }
   ]
  },
  {
   "name": "get",
   "operation": "account.get",
   "text": "Reads the signed-in user and the tenants of the user",
   "arguments": [],
   "levels": [],
   "options": []
  },
  {
   "name": "send-verification",
   "operation": "account.sendVerification",
   "text": "Mails another link to verify the address",
   "arguments": [],
   "levels": [],
   "options": []
  },
  {
   "name": "sign-up",
   "operation": "account.signUp",
   "text": "Creates a user and a tenant of plan Basic that the user owns",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "email",
     "name": "email",
     "kind": "text",
     "required": true,
     "text": "The e-mail address of the user. Upper and lower case are the same."
    },
    {
     "member": "password",
     "name": "password",
     "kind": "text",
     "required": true,
     "text": "Neither the e-mail address nor one of the most common passwords."
    },
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "The name of the user, as other people see it."
    },
    {
     "member": "tenant_name",
     "name": "tenant-name",
     "kind": "text",
     "text": "Name of the organization. Default: \"<name>'s organization\"."
    }
   ]
  },
  {
   "name": "update",
   "operation": "account.update",
   "text": "Changes your name",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "The name of the user, as other people see it."
    }
   ]
  },
  {
   "name": "verify-email",
   "operation": "account.verifyEmail",
   "text": "Verifies the e-mail address with the token of the mailed link and the password of the account",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "token",
     "name": "token",
     "kind": "text",
     "required": true,
     "text": "From the link of the mail."
    },
    {
     "member": "password",
     "name": "password",
     "kind": "text",
     "required": true,
     "text": "The password."
    }
   ]
  }
 ],
 "activities": () => [
  {
   "name": "list",
   "operation": "activities.list",
   "text": "Lists the actions on the runtimes of the nodes",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "request",
   "operation": "activities.request",
   "text": "Starts",
   "arguments": [
    {
     "member": "runtime",
     "text": "Which runtime of the nodes."
    },
    {
     "member": "action",
     "text": "start, stop, restart or reconfigure:{config_id}"
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "nodes",
     "name": "nodes",
     "kind": "numbers",
     "text": "Nodes of the deployment."
    }
   ]
  }
 ],
 "keys": () => [
  {
   "name": "create",
   "operation": "apiKeys.create",
   "text": "Creates a key",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Shown in lists and in the audit."
    },
    {
     "member": "expiry_at",
     "name": "expiry-at",
     "kind": "text",
     "required": true,
     "text": "Time at which the key expires, at most 365 days ahead."
    },
    {
     "member": "role_id",
     "name": "role-id",
     "kind": "number",
     "text": "An existing role."
    },
    {
     "member": "permissions",
     "name": "permissions",
     "kind": "json",
     "text": "A role is made for the key with just these."
    },
    {
     "member": "division_id",
     "name": "division-id",
     "kind": "number",
     "text": "The division that limits the key: the key reaches nothing outside this division."
    },
    {
     "member": "validate_ip",
     "name": "validate-ip",
     "kind": "flag",
     "text": "True: the key works only from the addresses of `allowed_ips`. Default false."
    },
    {
     "member": "allowed_ips",
     "name": "allowed-ips",
     "kind": "texts",
     "text": "IPv4 or IPv6 addresses and CIDRs that may use the key."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "apiKeys.delete",
   "text": "Deletes a key",
   "deletes": true,
   "arguments": [
    {
     "member": "api_key_id",
     "text": "An API key of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get",
   "operation": "apiKeys.get",
   "text": "Reads one key with its permissions",
   "arguments": [
    {
     "member": "api_key_id",
     "text": "An API key of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get-context",
   "operation": "apiKeys.getContext",
   "text": "Reads the calling key",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "apiKeys.list",
   "text": "Lists the keys of the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Only keys whose name contains this text, without regard to case."
    }
   ]
  },
  {
   "name": "restrict",
   "operation": "apiKeys.restrict",
   "text": "Restricts a key to IP addresses",
   "arguments": [
    {
     "member": "api_key_id",
     "text": "An API key of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "validate_ip",
     "name": "validate-ip",
     "kind": "flag",
     "text": "True: the key works only from the addresses of `allowed_ips`. False also empties the list."
    },
    {
     "member": "allowed_ips",
     "name": "allowed-ips",
     "kind": "texts",
     "text": "IPv4 or IPv6 addresses and CIDRs that may use the key."
    }
   ]
  },
  {
   "name": "rotate",
   "operation": "apiKeys.rotate",
   "text": "Replaces the secret of a key",
   "arguments": [
    {
     "member": "api_key_id",
     "text": "An API key of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "overlap_seconds",
     "name": "overlap-seconds",
     "kind": "number",
     "text": "Seconds for which the old secret also works."
    }
   ]
  }
 ],
 "audit": () => [
  {
   "name": "export",
   "operation": "audit.export",
   "text": "Streams the entries that the filters find",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "filters": [
    "division",
    "environment",
    "deployment"
   ],
   "options": [
    {
     "member": "from",
     "name": "from",
     "kind": "text",
     "text": "Not older than this moment; a date alone is its midnight in UTC."
    },
    {
     "member": "to",
     "name": "to",
     "kind": "text",
     "text": "Older than this moment."
    },
    {
     "member": "user",
     "name": "user",
     "kind": "number",
     "text": "The user that was acted on."
    },
    {
     "member": "author",
     "name": "author",
     "kind": "number",
     "text": "The user that acted; 0 is the operator of the installation."
    },
    {
     "member": "api_key",
     "name": "api-key",
     "kind": "number",
     "text": "The API key that was acted by."
    },
    {
     "member": "types",
     "name": "types",
     "kind": "texts",
     "choices": [
      "tenant_created",
      "tenant_updated",
      "tenant_deleted",
      "tenant_config_updated",
      "email_domain_claimed",
      "member_invited",
      "invitation_accepted",
      "invitation_rejected",
      "invitation_cancelled",
      "invitation_deleted",
      "join_requested",
      "join_approved",
      "join_rejected",
      "member_joined",
      "member_updated",
      "member_removed",
      "member_left",
      "ownership_transfer_requested",
      "ownership_transferred",
      "ownership_transfer_rejected",
      "protection_code_requested",
      "cloud_account_created",
      "cloud_account_updated",
      "cloud_account_deleted",
      "channel_created",
      "channel_updated",
      "channel_tested",
      "channel_secret_rotated",
      "channel_confirmation_requested",
      "channel_confirmed",
      "channel_left",
      "channel_disabled",
      "channel_deleted",
      "subscription_created",
      "subscriptions_replaced",
      "subscription_deleted",
      "notification_redelivered",
      "private_connection_created",
      "private_connection_deleted",
      "billing_info_changed",
      "payment_method_changed",
      "payment_method_removed",
      "division_created",
      "division_updated",
      "division_deleted",
      "environment_created",
      "environment_updated",
      "environment_deleted",
      "deployment_created",
      "deployment_updated",
      "deployment_upgraded",
      "deployment_secrets_rotated",
      "deployment_certificates_rotated",
      "deployment_initialized",
      "deployment_deleted",
      "access_rule_added",
      "access_rule_deleted",
      "config_created",
      "config_activated",
      "config_deleted",
      "connector_activated",
      "connector_deleted",
      "dead_letters_replayed",
      "dead_letters_deleted",
      "task_requested",
      "activity_requested",
      "backup_created",
      "backup_restored",
      "backup_deleted",
      "backup_schedule_set",
      "backup_schedule_deleted",
      "snapshot_created",
      "snapshot_deleted",
      "operation_failed",
      "operation_retried",
      "operation_step_skipped",
      "operation_cancelled",
      "node_drained",
      "node_resumed",
      "node_moved",
      "tenant_plan_changed",
      "invoice_agreement_granted",
      "invoice_agreement_revoked",
      "invoice_paid",
      "invoice_failed",
      "invoice_cancelled",
      "api_key_created",
      "api_key_updated",
      "api_key_rotated",
      "api_key_deleted",
      "role_created",
      "role_updated",
      "role_deleted",
      "role_assigned",
      "role_revoked"
     ],
     "text": "Only of these types, with commas between them; GET /audit/types lists them all."
    },
    {
     "member": "correlation_id",
     "name": "correlation-id",
     "kind": "text",
     "text": "What belongs to this request or workflow: a UUID, or the 32 hex characters of a trace id."
    }
   ]
  },
  {
   "name": "list",
   "operation": "audit.list",
   "text": "Lists the events of the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "filters": [
    "division",
    "environment",
    "deployment"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "from",
     "name": "from",
     "kind": "text",
     "text": "Not older than this moment; a date alone is its midnight in UTC."
    },
    {
     "member": "to",
     "name": "to",
     "kind": "text",
     "text": "Older than this moment."
    },
    {
     "member": "user",
     "name": "user",
     "kind": "number",
     "text": "The user that was acted on."
    },
    {
     "member": "author",
     "name": "author",
     "kind": "number",
     "text": "The user that acted; 0 is the operator of the installation."
    },
    {
     "member": "api_key",
     "name": "api-key",
     "kind": "number",
     "text": "The API key that was acted by."
    },
    {
     "member": "types",
     "name": "types",
     "kind": "texts",
     "choices": [
      "tenant_created",
      "tenant_updated",
      "tenant_deleted",
      "tenant_config_updated",
      "email_domain_claimed",
      "member_invited",
      "invitation_accepted",
      "invitation_rejected",
      "invitation_cancelled",
      "invitation_deleted",
      "join_requested",
      "join_approved",
      "join_rejected",
      "member_joined",
      "member_updated",
      "member_removed",
      "member_left",
      "ownership_transfer_requested",
      "ownership_transferred",
      "ownership_transfer_rejected",
      "protection_code_requested",
      "cloud_account_created",
      "cloud_account_updated",
      "cloud_account_deleted",
      "channel_created",
      "channel_updated",
      "channel_tested",
      "channel_secret_rotated",
      "channel_confirmation_requested",
      "channel_confirmed",
      "channel_left",
      "channel_disabled",
      "channel_deleted",
      "subscription_created",
      "subscriptions_replaced",
      "subscription_deleted",
      "notification_redelivered",
      "private_connection_created",
      "private_connection_deleted",
      "billing_info_changed",
      "payment_method_changed",
      "payment_method_removed",
      "division_created",
      "division_updated",
      "division_deleted",
      "environment_created",
      "environment_updated",
      "environment_deleted",
      "deployment_created",
      "deployment_updated",
      "deployment_upgraded",
      "deployment_secrets_rotated",
      "deployment_certificates_rotated",
      "deployment_initialized",
      "deployment_deleted",
      "access_rule_added",
      "access_rule_deleted",
      "config_created",
      "config_activated",
      "config_deleted",
      "connector_activated",
      "connector_deleted",
      "dead_letters_replayed",
      "dead_letters_deleted",
      "task_requested",
      "activity_requested",
      "backup_created",
      "backup_restored",
      "backup_deleted",
      "backup_schedule_set",
      "backup_schedule_deleted",
      "snapshot_created",
      "snapshot_deleted",
      "operation_failed",
      "operation_retried",
      "operation_step_skipped",
      "operation_cancelled",
      "node_drained",
      "node_resumed",
      "node_moved",
      "tenant_plan_changed",
      "invoice_agreement_granted",
      "invoice_agreement_revoked",
      "invoice_paid",
      "invoice_failed",
      "invoice_cancelled",
      "api_key_created",
      "api_key_updated",
      "api_key_rotated",
      "api_key_deleted",
      "role_created",
      "role_updated",
      "role_deleted",
      "role_assigned",
      "role_revoked"
     ],
     "text": "Only of these types, with commas between them; GET /audit/types lists them all."
    },
    {
     "member": "correlation_id",
     "name": "correlation-id",
     "kind": "text",
     "text": "What belongs to this request or workflow: a UUID, or the 32 hex characters of a trace id."
    }
   ]
  },
  {
   "name": "list-types",
   "operation": "audit.listTypes",
   "text": "Lists the types of audit entries",
   "arguments": [],
   "levels": [],
   "options": []
  },
  {
   "name": "verify",
   "operation": "audit.verify",
   "text": "Verifies that no entry was changed",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "sequence",
     "name": "sequence",
     "kind": "number",
     "text": "Number of a seal that you kept (`sealed_up_to`); with `hash`."
    },
    {
     "member": "hash",
     "name": "hash",
     "kind": "text",
     "text": "What that seal was then (`seal_hash`); with `sequence`."
    }
   ]
  }
 ],
 "available-connectors": () => [
  {
   "name": "list",
   "operation": "availableConnectors.list",
   "text": "Lists the catalogue of connectors",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id",
    "deployment_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "type",
     "name": "type",
     "kind": "text",
     "choices": [
      "source",
      "sink"
     ],
     "text": "Only of this type."
    }
   ]
  }
 ],
 "backup-schedules": () => [
  {
   "name": "delete",
   "operation": "backupSchedules.delete",
   "text": "Ends the schedule",
   "deletes": true,
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "get",
   "operation": "backupSchedules.get",
   "text": "Reads the schedule of the backups",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "put",
   "operation": "backupSchedules.put",
   "text": "Sets when the deployment is backed up",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "cron",
     "name": "cron",
     "kind": "text",
     "text": "Five fields of a cron expression, in UTC. At least an hour lies between two backups. Each deployment starts up to 15 minutes later than the expression says, always by the same time."
    },
    {
     "member": "every_hours",
     "name": "every-hours",
     "kind": "number",
     "text": "Hours from one backup to the next."
    },
    {
     "member": "keep",
     "name": "keep",
     "kind": "number",
     "required": true,
     "text": "Backups of the schedule that stay; at most the backups that the plan allows. Older ones are deleted."
    }
   ]
  }
 ],
 "backups": () => [
  {
   "name": "create",
   "operation": "backups.create",
   "text": "Takes a backup of all nodes",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Display name of the backup."
    },
    {
     "member": "node_id",
     "name": "node-id",
     "kind": "number",
     "text": "The only node to back up. Default: all nodes."
    },
    {
     "member": "backup_type",
     "name": "backup-type",
     "kind": "text",
     "choices": [
      "manual",
      "scheduled",
      "pre_upgrade"
     ],
     "text": "Why the backup is taken. Default `manual`."
    },
    {
     "member": "remarks",
     "name": "remarks",
     "kind": "text",
     "text": "Notes for people."
    },
    {
     "member": "expires_in_days",
     "name": "expires-in-days",
     "kind": "number",
     "text": "Days until the backup is deleted automatically. Default and maximum: the days for which the plan keeps backups."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "backups.delete",
   "text": "Deletes a backup and its stored data",
   "deletes": true,
   "arguments": [
    {
     "member": "backup_id",
     "text": "The backup."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "waits": true,
   "options": []
  },
  {
   "name": "list",
   "operation": "backups.list",
   "text": "Lists the backups of the deployment",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "restore",
   "operation": "backups.restore",
   "text": "Replaces the data of the nodes with the data of the backup",
   "arguments": [
    {
     "member": "backup_id",
     "text": "The backup."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "waits": true,
   "options": []
  }
 ],
 "billing": () => [
  {
   "name": "delete-payment-method",
   "operation": "billing.deletePaymentMethod",
   "text": "Removes the payment method",
   "deletes": true,
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get-info",
   "operation": "billing.getInfo",
   "text": "Reads the billing address of the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get-payment-method",
   "operation": "billing.getPaymentMethod",
   "text": "Reads how the tenant pays",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "set-info",
   "operation": "billing.setInfo",
   "text": "Changes the billing address of the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "company",
     "name": "company",
     "kind": "text",
     "text": "Name of the company; null: the name of the tenant."
    },
    {
     "member": "email",
     "name": "email",
     "kind": "text",
     "text": "Address that invoices are sent to; null: to the owner of the tenant."
    },
    {
     "member": "address",
     "name": "address",
     "kind": "json",
     "text": "Postal address, whole."
    },
    {
     "member": "tax_id",
     "name": "tax-id",
     "kind": "text",
     "text": "Tax id, such as a VAT number."
    },
    {
     "member": "purchase_order",
     "name": "purchase-order",
     "kind": "text",
     "text": "Your own number of the order."
    }
   ]
  },
  {
   "name": "set-payment-method",
   "operation": "billing.setPaymentMethod",
   "text": "Sets the payment method of the tenant and replaces the current method",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "provider",
     "name": "provider",
     "kind": "text",
     "choices": [
      "manual",
      "card"
     ],
     "required": true,
     "text": "`manual`: by invoice, for tenants with an invoice agreement. `card` needs a card gateway, for which this release has no driver."
    },
    {
     "member": "reference",
     "name": "reference",
     "kind": "text",
     "text": "The text that invoices show, such as an order number. For `card`: the token that the payment gateway returned."
    }
   ]
  }
 ],
 "billing-reports": () => [
  {
   "name": "get",
   "operation": "billingReports.get",
   "text": "Reads the report of a month with the charges of each deployment",
   "arguments": [
    {
     "member": "billing_report_id",
     "text": "The report."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "billingReports.list",
   "text": "Lists the months with charges",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "list-lines",
   "operation": "billingReports.listLines",
   "text": "Lists the charges of each deployment",
   "arguments": [
    {
     "member": "billing_report_id",
     "text": "The report."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  }
 ],
 "byoc": () => [
  {
   "name": "validate",
   "operation": "byoc.validate",
   "text": "Checks whether deployments can be created in an account of the customer",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "cloud",
     "name": "cloud",
     "kind": "text",
     "choices": [
      "aws",
      "gcp"
     ],
     "required": true,
     "text": "The cloud."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "required": true,
     "text": "A region of the cloud, with the name that the provider uses."
    },
    {
     "member": "account_id",
     "name": "account-id",
     "kind": "text",
     "text": "Required for cloud `aws`, refused for other clouds: the 12 digits of the account."
    },
    {
     "member": "identity_arn",
     "name": "identity-arn",
     "kind": "text",
     "text": "Required for cloud `aws`, refused for other clouds: ARN of the role that the service assumes."
    },
    {
     "member": "external_id",
     "name": "external-id",
     "kind": "text",
     "text": "Required for cloud `aws`, refused for other clouds: the external id that byoc/setup returned."
    },
    {
     "member": "vpc_id",
     "name": "vpc-id",
     "kind": "text",
     "text": "Required for cloud `aws`, refused for other clouds: the VPC for the nodes."
    },
    {
     "member": "project_id",
     "name": "project-id",
     "kind": "text",
     "text": "Required for cloud `gcp`, refused for other clouds: the id of the project."
    },
    {
     "member": "service_account_email",
     "name": "service-account-email",
     "kind": "text",
     "text": "Required for cloud `gcp`, refused for other clouds: the service account that the service impersonates."
    },
    {
     "member": "vpc_name",
     "name": "vpc-name",
     "kind": "text",
     "text": "Required for cloud `gcp`, refused for other clouds: the VPC network for the nodes."
    }
   ]
  }
 ],
 "catalog": () => [
  {
   "name": "list-clouds",
   "operation": "catalog.listClouds",
   "text": "Lists the clouds",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list-regions",
   "operation": "catalog.listRegions",
   "text": "Lists the regions of a cloud",
   "arguments": [
    {
     "member": "cloud",
     "text": "Key of the cloud."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list-storages",
   "operation": "catalog.listStorages",
   "text": "Lists the storage types in a region",
   "arguments": [
    {
     "member": "cloud",
     "text": "Key of the cloud."
    },
    {
     "member": "region",
     "text": "Key of the region."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list-tiers",
   "operation": "catalog.listTiers",
   "text": "Lists the compute sizes in a region",
   "arguments": [
    {
     "member": "cloud",
     "text": "Key of the cloud."
    },
    {
     "member": "region",
     "text": "Key of the region."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  }
 ],
 "certificates": () => [
  {
   "name": "get",
   "operation": "certificates.get",
   "text": "Reads the certificate that every node of the deployment presents",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "rotate",
   "operation": "certificates.rotate",
   "text": "Replaces the certificate and the key of every node",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "waits": true,
   "options": []
  }
 ],
 "channels": () => [
  {
   "name": "create",
   "operation": "channels.create",
   "ofDivision": true,
   "text": "Creates a channel",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "channel",
     "name": "channel",
     "kind": "text",
     "choices": [
      "slack",
      "webhook",
      "email"
     ],
     "required": true,
     "text": "Never changes."
    },
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique among the channels of the tenant, or of the division, without regard to case."
    },
    {
     "member": "destination",
     "name": "destination",
     "kind": "text",
     "required": true,
     "text": "Slack: the address of an incoming hook. Webhook: an https address. E-mail: an address."
    },
    {
     "member": "settings",
     "name": "settings",
     "kind": "json",
     "text": "Settings for the kind of the channel."
    },
    {
     "member": "remarks",
     "name": "remarks",
     "kind": "text",
     "text": "Notes for people."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "channels.delete",
   "ofDivision": true,
   "text": "Deletes a channel with its subscriptions",
   "deletes": true,
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get",
   "operation": "channels.get",
   "ofDivision": true,
   "text": "Reads one channel with destination and settings",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "channels.list",
   "ofDivision": true,
   "text": "Lists the channels",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "channel",
     "name": "channel",
     "kind": "text",
     "choices": [
      "slack",
      "webhook",
      "email"
     ],
     "text": "Of this kind only."
    }
   ]
  },
  {
   "name": "request-confirmation",
   "operation": "channels.requestConfirmation",
   "ofDivision": true,
   "text": "Mails another confirmation link to the address of the channel",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "rotate",
   "operation": "channels.rotate",
   "ofDivision": true,
   "text": "Replaces the signing secret of a webhook",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "overlap_seconds",
     "name": "overlap-seconds",
     "kind": "number",
     "text": "Seconds for which deliveries carry the signatures of both secrets."
    }
   ]
  },
  {
   "name": "test",
   "operation": "channels.test",
   "ofDivision": true,
   "text": "Sends a test notification and ignores subscriptions",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "update",
   "operation": "channels.update",
   "ofDivision": true,
   "text": "Changes a channel",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Unique among the channels of the same owner. Upper and lower case are the same."
    },
    {
     "member": "destination",
     "name": "destination",
     "kind": "text",
     "text": "Destination, in the same form as in the creation."
    },
    {
     "member": "settings",
     "name": "settings",
     "kind": "json",
     "text": "All of them; null for none."
    },
    {
     "member": "enabled",
     "name": "enabled",
     "kind": "flag",
     "text": "False stops the delivery. Pending notifications continue when the channel is enabled again."
    },
    {
     "member": "remarks",
     "name": "remarks",
     "kind": "text",
     "text": "Notes for people."
    }
   ]
  }
 ],
 "cloud-accounts": () => [
  {
   "name": "create",
   "operation": "cloudAccounts.create",
   "text": "Saves a cloud account of the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "cloud",
     "name": "cloud",
     "kind": "text",
     "choices": [
      "aws",
      "gcp"
     ],
     "required": true,
     "text": "The cloud of the account. It cannot change later."
    },
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique in the tenant, without regard to case."
    },
    {
     "member": "account_id",
     "name": "account-id",
     "kind": "text",
     "required": true,
     "text": "AWS: the 12 digits of the account. GCP: the project id."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "text": "Default region."
    },
    {
     "member": "settings",
     "name": "settings",
     "kind": "json",
     "text": "Settings for the cloud of the account."
    },
    {
     "member": "remarks",
     "name": "remarks",
     "kind": "text",
     "text": "Notes for people."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "cloudAccounts.delete",
   "text": "Removes a cloud account",
   "deletes": true,
   "arguments": [
    {
     "member": "cloud_account_id",
     "text": "A cloud account of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get",
   "operation": "cloudAccounts.get",
   "text": "Reads one cloud account with settings and remarks",
   "arguments": [
    {
     "member": "cloud_account_id",
     "text": "A cloud account of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "cloudAccounts.list",
   "text": "Lists the cloud accounts",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Only with this in the name, without regard to case."
    },
    {
     "member": "cloud",
     "name": "cloud",
     "kind": "text",
     "choices": [
      "aws",
      "gcp"
     ],
     "text": "Only of this cloud."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "text": "Only with this in the region, without regard to case."
    }
   ]
  },
  {
   "name": "update",
   "operation": "cloudAccounts.update",
   "text": "Changes a cloud account",
   "arguments": [
    {
     "member": "cloud_account_id",
     "text": "A cloud account of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Unique in the tenant, without regard to case."
    },
    {
     "member": "account_id",
     "name": "account-id",
     "kind": "text",
     "text": "AWS: the 12 digits of the account. GCP: the project id."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "text": "Default region."
    },
    {
     "member": "settings",
     "name": "settings",
     "kind": "json",
     "text": "All settings for the cloud of the account."
    },
    {
     "member": "remarks",
     "name": "remarks",
     "kind": "text",
     "text": "Notes for people."
    },
    {
     "member": "status",
     "name": "status",
     "kind": "text",
     "choices": [
      "active",
      "inactive",
      "locked",
      "deleted"
     ],
     "text": "All but `active` refuse new BYOC deployments."
    }
   ]
  }
 ],
 "config": () => [
  {
   "name": "activate",
   "operation": "configs.activate",
   "text": "Makes a version the active one",
   "arguments": [
    {
     "member": "config_name",
     "text": "Name of the configuration."
    },
    {
     "member": "version",
     "text": "Number of the version."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "create",
   "operation": "configs.create",
   "text": "Saves a configuration as the next version of its name",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "values",
     "name": "values",
     "kind": "json",
     "required": true,
     "text": "Values by section of the schema. A key that is left out has its default."
    },
    {
     "member": "activate",
     "name": "activate",
     "kind": "flag",
     "text": "True: the new version becomes the active one at once. Default false."
    },
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "choices": [
      "broker"
     ],
     "text": "Name of the configuration: always `broker`. The configuration gets another version."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "configs.delete",
   "text": "Deletes a version that is not the active one and that no node runs by",
   "deletes": true,
   "arguments": [
    {
     "member": "config_id",
     "text": "The version."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "diff",
   "operation": "configs.diff",
   "text": "Compares two versions and returns the changed keys",
   "arguments": [
    {
     "member": "config_name",
     "text": "Name of the configuration."
    },
    {
     "member": "version",
     "text": "Number of the version."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": [
    {
     "member": "against",
     "name": "against",
     "kind": "number",
     "text": "Another version of the same configuration. Default: the active version."
    }
   ]
  },
  {
   "name": "get",
   "operation": "configs.get",
   "text": "Reads one version by its id",
   "arguments": [
    {
     "member": "config_id",
     "text": "The version."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "get-primary",
   "operation": "configs.getPrimary",
   "text": "Reads the active configuration",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "get-schema",
   "operation": "configs.getSchema",
   "text": "Returns the schema of the broker's configuration",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "get-version",
   "operation": "configs.getVersion",
   "text": "Reads one version by name and number",
   "arguments": [
    {
     "member": "config_name",
     "text": "Name of the configuration."
    },
    {
     "member": "version",
     "text": "Number of the version."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "configs.list",
   "text": "Lists all versions of all named configurations",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list-versions",
   "operation": "configs.listVersions",
   "text": "Lists the versions of one configuration",
   "arguments": [
    {
     "member": "config_name",
     "text": "Name of the configuration."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  }
 ],
 "connector-configs": () => [
  {
   "name": "activate",
   "operation": "connectorConfigs.activate",
   "text": "Makes a version of the instance the active one and reconfigures the instance",
   "arguments": [
    {
     "member": "type",
     "text": "Type of the connector."
    },
    {
     "member": "key",
     "text": "Key of the connector in the catalogue."
    },
    {
     "member": "config_name",
     "text": "Key of the instance."
    },
    {
     "member": "version",
     "text": "Number of the version."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "waits": true,
   "options": []
  },
  {
   "name": "create",
   "operation": "connectorConfigs.create",
   "text": "Saves the configuration of the instance with the key `name` as its next version",
   "arguments": [
    {
     "member": "type",
     "text": "Type of the connector."
    },
    {
     "member": "key",
     "text": "Key of the connector in the catalogue."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Key of the activated instance. A name that exists gets another version."
    },
    {
     "member": "values",
     "name": "values",
     "kind": "json",
     "required": true,
     "text": "Values by section of the schema. A key that is left out has its default."
    },
    {
     "member": "activate",
     "name": "activate",
     "kind": "flag",
     "text": "True: the new version becomes the active one at once. Default false."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "connectorConfigs.delete",
   "text": "Deletes a version",
   "deletes": true,
   "arguments": [
    {
     "member": "type",
     "text": "Type of the connector."
    },
    {
     "member": "key",
     "text": "Key of the connector in the catalogue."
    },
    {
     "member": "config_id",
     "text": "The version."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "get-primary",
   "operation": "connectorConfigs.getPrimary",
   "text": "Reads the active configuration of an instance",
   "arguments": [
    {
     "member": "type",
     "text": "Type of the connector."
    },
    {
     "member": "key",
     "text": "Key of the connector in the catalogue."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Key of the instance; needed when the connector has several."
    }
   ]
  },
  {
   "name": "get-schema",
   "operation": "connectorConfigs.getSchema",
   "text": "Returns the schema of the configuration of the connector's instances",
   "arguments": [
    {
     "member": "type",
     "text": "Type of the connector."
    },
    {
     "member": "key",
     "text": "Key of the connector in the catalogue."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list-versions",
   "operation": "connectorConfigs.listVersions",
   "text": "Lists the versions of the configuration of an instance",
   "arguments": [
    {
     "member": "type",
     "text": "Type of the connector."
    },
    {
     "member": "key",
     "text": "Key of the connector in the catalogue."
    },
    {
     "member": "config_name",
     "text": "Key of the instance."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  }
 ],
 "connectors": () => [
  {
   "name": "activate",
   "operation": "connectors.activate",
   "text": "Activates a connector with a disabled configuration",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id",
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "connector_key",
     "name": "connector-key",
     "kind": "text",
     "required": true,
     "text": "Key in the catalogue."
    },
    {
     "member": "connector_type",
     "name": "connector-type",
     "kind": "text",
     "choices": [
      "source",
      "sink"
     ],
     "required": true,
     "text": "Type in the catalogue."
    },
    {
     "member": "instance_name",
     "name": "instance-name",
     "kind": "text",
     "text": "Display name of the instance. Default: the name of the connector."
    },
    {
     "member": "instance_key",
     "name": "instance-key",
     "kind": "text",
     "text": "Unique within the deployment. Configurations of the instance carry this name. Default: a generated key."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "connectors.delete",
   "text": "Stops an instance and removes it from all nodes",
   "deletes": true,
   "arguments": [
    {
     "member": "connector_instance_id",
     "text": "The instance."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "connectors.list",
   "text": "Lists the activated connectors",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  }
 ],
 "dead-letters": () => [
  {
   "name": "delete",
   "operation": "deadLetters.delete",
   "text": "Deletes all refused messages of an instance",
   "deletes": true,
   "arguments": [
    {
     "member": "connector_instance_id",
     "text": "The instance."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "deadLetters.list",
   "text": "Lists the messages that the destination of a sink refused for good",
   "arguments": [
    {
     "member": "connector_instance_id",
     "text": "The instance."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "replay",
   "operation": "deadLetters.replay",
   "text": "Delivers refused messages again",
   "arguments": [
    {
     "member": "connector_instance_id",
     "text": "The instance."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "ids",
     "name": "ids",
     "kind": "numbers",
     "text": "Ids of letters. Default: all letters of the instance."
    }
   ]
  }
 ],
 "deliveries": () => [
  {
   "name": "get",
   "operation": "deliveries.get",
   "ofDivision": true,
   "text": "Reads one delivery with its attempts",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    },
    {
     "member": "delivery_id",
     "text": "A delivery of the channel."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "deliveries.list",
   "ofDivision": true,
   "text": "Lists the deliveries of the channel",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "status",
     "name": "status",
     "kind": "text",
     "choices": [
      "pending",
      "delivered",
      "failed",
      "suppressed"
     ],
     "text": "Of this status only."
    }
   ]
  },
  {
   "name": "list-attempts",
   "operation": "deliveries.listAttempts",
   "ofDivision": true,
   "text": "Lists the notifications that were delivered",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "redeliver",
   "operation": "deliveries.redeliver",
   "ofDivision": true,
   "text": "Redelivers a delivery that succeeded or failed",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    },
    {
     "member": "delivery_id",
     "text": "A delivery of the channel."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  }
 ],
 "deployments": () => [
  {
   "name": "create-byoc",
   "operation": "deployments.createByoc",
   "text": "Creates a deployment in the customer's own account",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique in the environment, without regard to case."
    },
    {
     "member": "cloud",
     "name": "cloud",
     "kind": "text",
     "choices": [
      "aws",
      "gcp"
     ],
     "required": true,
     "text": "The cloud."
    },
    {
     "member": "tier",
     "name": "tier",
     "kind": "text",
     "choices": [
      "free",
      "small",
      "medium",
      "large",
      "xlarge",
      "2xlarge",
      "4xlarge",
      "8xlarge",
      "16xlarge"
     ],
     "required": true,
     "text": "Compute size."
    },
    {
     "member": "cluster",
     "name": "cluster",
     "kind": "text",
     "choices": [
      "cluster",
      "standalone"
     ],
     "required": true,
     "text": "`cluster` for paid sizes, `standalone` for Free."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "required": true,
     "text": "A region of the cloud, with the name that the provider uses."
    },
    {
     "member": "storage.type",
     "name": "storage-type",
     "kind": "text",
     "choices": [
      "network_balanced",
      "local_ssd"
     ],
     "text": "Network Drive or Local NVMe; default Network Drive."
    },
    {
     "member": "storage.size",
     "name": "storage-size",
     "kind": "number",
     "text": "GB per node, Network Drive only; default 100."
    },
    {
     "member": "aws.account_id",
     "name": "aws-account-id",
     "kind": "text",
     "text": "The 12 digits of the account."
    },
    {
     "member": "aws.identity_arn",
     "name": "aws-identity-arn",
     "kind": "text",
     "text": "ARN of the role that the service assumes; of the same account."
    },
    {
     "member": "aws.external_id",
     "name": "aws-external-id",
     "kind": "text",
     "text": "The external id that the request byoc/setup returned."
    },
    {
     "member": "aws.vpc_id",
     "name": "aws-vpc-id",
     "kind": "text",
     "text": "The VPC that the nodes are made in."
    },
    {
     "member": "aws.vpc_cidr",
     "name": "aws-vpc-cidr",
     "kind": "text",
     "text": "IPv4 network of the VPC. The service makes a subnet for the nodes in this network."
    },
    {
     "member": "gcp.project_id",
     "name": "gcp-project-id",
     "kind": "text",
     "text": "The id of the project."
    },
    {
     "member": "gcp.service_account_email",
     "name": "gcp-service-account-email",
     "kind": "text",
     "text": "The service account that the service acts as."
    },
    {
     "member": "gcp.vpc_name",
     "name": "gcp-vpc-name",
     "kind": "text",
     "text": "The VPC network that the nodes are made in."
    }
   ]
  },
  {
   "name": "create-managed",
   "operation": "deployments.createManaged",
   "text": "Creates a managed deployment",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "preview": {
    "operation": "deployments.preview",
    "members": [
     "cloud",
     "region",
     "managed_tier",
     "tier",
     "storage",
     "target_network_tput",
     "network_scope",
     "availability_mode"
    ]
   },
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "cloud",
     "name": "cloud",
     "kind": "text",
     "choices": [
      "aws",
      "gcp"
     ],
     "required": true,
     "text": "The cloud."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "required": true,
     "text": "A region of the cloud, with the name that the provider uses."
    },
    {
     "member": "managed_tier",
     "name": "managed-tier",
     "kind": "text",
     "choices": [
      "standard",
      "performance",
      "enterprise"
     ],
     "text": "Commercial terms; required for paid, left out for Free."
    },
    {
     "member": "tier",
     "name": "tier",
     "kind": "text",
     "choices": [
      "free",
      "small",
      "medium",
      "large",
      "xlarge",
      "2xlarge",
      "4xlarge",
      "8xlarge",
      "16xlarge"
     ],
     "required": true,
     "text": "Compute size."
    },
    {
     "member": "storage.type",
     "name": "storage-type",
     "kind": "text",
     "choices": [
      "network_balanced",
      "local_ssd"
     ],
     "text": "Network Drive or Local NVMe; default Network Drive."
    },
    {
     "member": "storage.size",
     "name": "storage-size",
     "kind": "number",
     "text": "GB per node, Network Drive only; default 100."
    },
    {
     "member": "target_network_tput",
     "name": "target-network-tput",
     "kind": "number",
     "text": "KB/s; default: the estimate of the tier."
    },
    {
     "member": "network_scope",
     "name": "network-scope",
     "kind": "text",
     "choices": [
      "same_region",
      "cross_region_same_cloud",
      "cross_cloud"
     ],
     "text": "Where the clients of the deployment are. Default `same_region`."
    },
    {
     "member": "availability_mode",
     "name": "availability-mode",
     "kind": "text",
     "choices": [
      "single_az",
      "multi_az"
     ],
     "text": "Default `single_az`."
    },
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique in the environment, without regard to case."
    },
    {
     "member": "cluster",
     "name": "cluster",
     "kind": "text",
     "choices": [
      "cluster",
      "standalone"
     ],
     "required": true,
     "text": "`cluster` for paid, `standalone` for Free."
    },
    {
     "member": "description",
     "name": "description",
     "kind": "text",
     "text": "What the deployment is for. Default: empty."
    },
    {
     "member": "protected",
     "name": "protected",
     "kind": "flag",
     "text": "True: deletion needs a one-time code. Default false."
    },
    {
     "member": "encrypted",
     "name": "encrypted",
     "kind": "flag",
     "text": "Custom key encryption of message data; default false."
    },
    {
     "member": "public_ip_enabled",
     "name": "public-ip-enabled",
     "kind": "flag",
     "text": "Static public IP; default true."
    },
    {
     "member": "subdomain_enabled",
     "name": "subdomain-enabled",
     "kind": "flag",
     "text": "Custom subdomain. It needs a public IP. Default: the value of `public_ip_enabled`."
    },
    {
     "member": "dedicated",
     "name": "dedicated",
     "kind": "flag",
     "text": "Dedicated isolation; default false."
    },
    {
     "member": "retention.telemetry_days",
     "name": "retention-telemetry-days",
     "kind": "number",
     "text": "Days of metrics, logs and heartbeats. At most the days of the managed tier."
    },
    {
     "member": "restore_from.deployment_id",
     "name": "restore-from-deployment-id",
     "kind": "number",
     "text": "The deployment that was backed up."
    },
    {
     "member": "restore_from.backup_id",
     "name": "restore-from-backup-id",
     "kind": "number",
     "text": "Its completed backup."
    },
    {
     "member": "spend_limit",
     "name": "spend-limit",
     "kind": "number",
     "text": "Monthly spend in USD at which the organization is notified."
    }
   ]
  },
  {
   "name": "create-starter",
   "operation": "deployments.createStarter",
   "text": "Creates a Free deployment with one node",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "cloud",
     "name": "cloud",
     "kind": "text",
     "choices": [
      "aws",
      "gcp"
     ],
     "required": true,
     "text": "The cloud."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "required": true,
     "text": "A region of the cloud."
    },
    {
     "member": "environment_id",
     "name": "environment-id",
     "kind": "number",
     "text": "An existing environment of the division."
    },
    {
     "member": "environment_name",
     "name": "environment-name",
     "kind": "text",
     "text": "Name of an environment. A missing environment is created. Default `sandbox`."
    },
    {
     "member": "deployment_name",
     "name": "deployment-name",
     "kind": "text",
     "text": "Name of the deployment; made up when left out."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "deployments.delete",
   "text": "Deletes a deployment with its nodes",
   "deletes": true,
   "arguments": [
    {
     "member": "deployment_id",
     "text": "A deployment of the environment."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "waits": true,
   "options": [
    {
     "member": "code",
     "name": "code",
     "kind": "text",
     "text": "Needed when the resource is protected."
    }
   ]
  },
  {
   "name": "extend",
   "operation": "deployments.extend",
   "text": "Reserved",
   "arguments": [
    {
     "member": "deployment_id",
     "text": "A deployment of the environment."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "nodes",
     "name": "nodes",
     "kind": "json",
     "required": true,
     "text": "Nodes by their kind."
    }
   ]
  },
  {
   "name": "get",
   "operation": "deployments.get",
   "text": "Reads one deployment",
   "arguments": [
    {
     "member": "deployment_id",
     "text": "A deployment of the environment."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "options": []
  },
  {
   "name": "get-byoc-setup",
   "operation": "deployments.getByocSetup",
   "text": "Returns the steps that prepare an account at the cloud provider for deployments",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "cloud",
     "name": "cloud",
     "kind": "text",
     "choices": [
      "aws",
      "gcp"
     ],
     "required": true,
     "text": "The cloud."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "required": true,
     "text": "A region of the cloud, with the name that the provider uses."
    }
   ]
  },
  {
   "name": "list",
   "operation": "deployments.list",
   "text": "Lists the deployments of the environment",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "status",
     "name": "status",
     "kind": "text",
     "choices": [
      "creating",
      "initializing",
      "creating_subnet",
      "securing_network",
      "deploying_nodes",
      "assigning_public_ip",
      "creating_load_balancer",
      "configuring_load_balancer",
      "configuring_dns",
      "configuring_certificates",
      "waiting_for_nodes",
      "bootstrapping_agent",
      "initialized",
      "upgrading",
      "restoring",
      "stopped",
      "degraded",
      "rolling_back",
      "failed",
      "deleting"
     ],
     "text": "Only deployments with this status."
    },
    {
     "member": "cloud",
     "name": "cloud",
     "kind": "text",
     "choices": [
      "aws",
      "gcp"
     ],
     "text": "Only deployments in this cloud."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "text": "Only deployments in this region."
    },
    {
     "member": "tier",
     "name": "tier",
     "kind": "text",
     "choices": [
      "free",
      "small",
      "medium",
      "large",
      "xlarge",
      "2xlarge",
      "4xlarge",
      "8xlarge",
      "16xlarge"
     ],
     "text": "Only deployments with this compute size."
    },
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Only deployments whose name contains this text, without regard to case."
    }
   ]
  },
  {
   "name": "list-all",
   "operation": "deployments.listAll",
   "text": "Lists the deployments of all environments that the caller may read",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "status",
     "name": "status",
     "kind": "text",
     "choices": [
      "creating",
      "initializing",
      "creating_subnet",
      "securing_network",
      "deploying_nodes",
      "assigning_public_ip",
      "creating_load_balancer",
      "configuring_load_balancer",
      "configuring_dns",
      "configuring_certificates",
      "waiting_for_nodes",
      "bootstrapping_agent",
      "initialized",
      "upgrading",
      "restoring",
      "stopped",
      "degraded",
      "rolling_back",
      "failed",
      "deleting"
     ],
     "text": "Only deployments with this status."
    },
    {
     "member": "cloud",
     "name": "cloud",
     "kind": "text",
     "choices": [
      "aws",
      "gcp"
     ],
     "text": "Only deployments in this cloud."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "text": "Only deployments in this region."
    },
    {
     "member": "tier",
     "name": "tier",
     "kind": "text",
     "choices": [
      "free",
      "small",
      "medium",
      "large",
      "xlarge",
      "2xlarge",
      "4xlarge",
      "8xlarge",
      "16xlarge"
     ],
     "text": "Only deployments with this compute size."
    },
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Only deployments whose name contains this text, without regard to case."
    }
   ]
  },
  {
   "name": "preview",
   "operation": "deployments.preview",
   "text": "Validates a shape and returns the resulting deployment and its price",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "cloud",
     "name": "cloud",
     "kind": "text",
     "choices": [
      "aws",
      "gcp"
     ],
     "required": true,
     "text": "The cloud."
    },
    {
     "member": "region",
     "name": "region",
     "kind": "text",
     "required": true,
     "text": "A region of the cloud, with the name that the provider uses."
    },
    {
     "member": "managed_tier",
     "name": "managed-tier",
     "kind": "text",
     "choices": [
      "standard",
      "performance",
      "enterprise"
     ],
     "text": "Commercial terms; required for paid, left out for Free."
    },
    {
     "member": "tier",
     "name": "tier",
     "kind": "text",
     "choices": [
      "free",
      "small",
      "medium",
      "large",
      "xlarge",
      "2xlarge",
      "4xlarge",
      "8xlarge",
      "16xlarge"
     ],
     "required": true,
     "text": "Compute size."
    },
    {
     "member": "storage.type",
     "name": "storage-type",
     "kind": "text",
     "choices": [
      "network_balanced",
      "local_ssd"
     ],
     "text": "Network Drive or Local NVMe; default Network Drive."
    },
    {
     "member": "storage.size",
     "name": "storage-size",
     "kind": "number",
     "text": "GB per node, Network Drive only; default 100."
    },
    {
     "member": "target_network_tput",
     "name": "target-network-tput",
     "kind": "number",
     "text": "KB/s; default: the estimate of the tier."
    },
    {
     "member": "network_scope",
     "name": "network-scope",
     "kind": "text",
     "choices": [
      "same_region",
      "cross_region_same_cloud",
      "cross_cloud"
     ],
     "text": "Where the clients of the deployment are. Default `same_region`."
    },
    {
     "member": "availability_mode",
     "name": "availability-mode",
     "kind": "text",
     "choices": [
      "single_az",
      "multi_az"
     ],
     "text": "Default `single_az`."
    }
   ]
  },
  {
   "name": "preview-upgrade",
   "operation": "deployments.previewUpgrade",
   "text": "Returns the deployment after an upgrade and the difference in price",
   "arguments": [
    {
     "member": "deployment_id",
     "text": "A deployment of the environment."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "tier",
     "name": "tier",
     "kind": "text",
     "choices": [
      "free",
      "small",
      "medium",
      "large",
      "xlarge",
      "2xlarge",
      "4xlarge",
      "8xlarge",
      "16xlarge"
     ],
     "text": "A larger compute size."
    },
    {
     "member": "storage.type",
     "name": "storage-type",
     "kind": "text",
     "choices": [
      "network_balanced",
      "local_ssd"
     ],
     "text": "Network Drive or Local NVMe; default Network Drive."
    },
    {
     "member": "storage.size",
     "name": "storage-size",
     "kind": "number",
     "text": "GB per node, Network Drive only; default 100."
    },
    {
     "member": "managed_tier",
     "name": "managed-tier",
     "kind": "text",
     "choices": [
      "standard",
      "performance",
      "enterprise"
     ],
     "text": "A higher managed tier."
    }
   ]
  },
  {
   "name": "set-retention",
   "operation": "deployments.setRetention",
   "text": "Sets how long metrics",
   "arguments": [
    {
     "member": "deployment_id",
     "text": "A deployment of the environment."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "retention.telemetry_days",
     "name": "retention-telemetry-days",
     "kind": "number",
     "required": true,
     "text": "Days of metrics, logs and heartbeats. At most the days of the managed tier."
    }
   ]
  },
  {
   "name": "set-spend-limit",
   "operation": "deployments.setSpendLimit",
   "text": "Sets the monthly spend at which the tenant is notified",
   "arguments": [
    {
     "member": "deployment_id",
     "text": "A deployment of the environment."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "spend_limit",
     "name": "spend-limit",
     "kind": "number",
     "required": true,
     "text": "USD a month; null for none."
    }
   ]
  },
  {
   "name": "update",
   "operation": "deployments.update",
   "text": "Changes name",
   "arguments": [
    {
     "member": "deployment_id",
     "text": "A deployment of the environment."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Unique in the environment, without regard to case."
    },
    {
     "member": "protected",
     "name": "protected",
     "kind": "flag",
     "text": "True: deletion needs a one-time code."
    },
    {
     "member": "description",
     "name": "description",
     "kind": "text",
     "text": "What the resource is for."
    }
   ]
  },
  {
   "name": "upgrade",
   "operation": "deployments.upgrade",
   "text": "Asks for a larger compute size",
   "arguments": [
    {
     "member": "deployment_id",
     "text": "A deployment of the environment."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id",
    "environment_id"
   ],
   "preview": {
    "operation": "deployments.previewUpgrade",
    "members": [
     "tier",
     "storage",
     "managed_tier"
    ]
   },
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "tier",
     "name": "tier",
     "kind": "text",
     "choices": [
      "free",
      "small",
      "medium",
      "large",
      "xlarge",
      "2xlarge",
      "4xlarge",
      "8xlarge",
      "16xlarge"
     ],
     "text": "A larger compute size."
    },
    {
     "member": "storage.type",
     "name": "storage-type",
     "kind": "text",
     "choices": [
      "network_balanced",
      "local_ssd"
     ],
     "text": "Network Drive or Local NVMe; default Network Drive."
    },
    {
     "member": "storage.size",
     "name": "storage-size",
     "kind": "number",
     "text": "GB per node, Network Drive only; default 100."
    },
    {
     "member": "managed_tier",
     "name": "managed-tier",
     "kind": "text",
     "choices": [
      "standard",
      "performance",
      "enterprise"
     ],
     "text": "A higher managed tier."
    }
   ]
  }
 ],
 "divisions": () => [
  {
   "name": "create",
   "operation": "divisions.create",
   "text": "Creates a division",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique in the tenant, without regard to case."
    },
    {
     "member": "description",
     "name": "description",
     "kind": "text",
     "text": "What the resource is for."
    },
    {
     "member": "email",
     "name": "email",
     "kind": "text",
     "text": "Contact address."
    },
    {
     "member": "protected",
     "name": "protected",
     "kind": "flag",
     "text": "True: deletion needs a one-time code."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "divisions.delete",
   "text": "Deletes a division and its environments",
   "deletes": true,
   "arguments": [
    {
     "member": "division_id",
     "text": "A division of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "code",
     "name": "code",
     "kind": "text",
     "text": "Needed when the resource is protected."
    }
   ]
  },
  {
   "name": "get",
   "operation": "divisions.get",
   "text": "Reads one division",
   "arguments": [
    {
     "member": "division_id",
     "text": "A division of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "divisions.list",
   "text": "Lists the divisions that the caller may read",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "update",
   "operation": "divisions.update",
   "text": "Changes a division",
   "arguments": [
    {
     "member": "division_id",
     "text": "A division of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Unique in the tenant, without regard to case."
    },
    {
     "member": "description",
     "name": "description",
     "kind": "text",
     "text": "What the resource is for."
    },
    {
     "member": "email",
     "name": "email",
     "kind": "text",
     "text": "Contact address."
    },
    {
     "member": "protected",
     "name": "protected",
     "kind": "flag",
     "text": "True: deletion needs a one-time code."
    }
   ]
  }
 ],
 "downloads": () => [
  {
   "name": "fetch",
   "operation": "downloads.fetch",
   "text": "Returns the archive of a download link from `GET …/snapshots/{snapshot_id}/download`",
   "arguments": [
    {
     "member": "token",
     "text": "The token in the link."
    }
   ],
   "levels": [],
   "options": []
  }
 ],
 "endpoint-services": () => [
  {
   "name": "create",
   "operation": "endpointServices.create",
   "text": "Creates an endpoint service for the deployment",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique among the endpoint services of the deployment, in any case of letters."
    },
    {
     "member": "acceptance_required",
     "name": "acceptance-required",
     "kind": "flag",
     "text": "True: you accept each endpoint before it connects. Default true."
    },
    {
     "member": "allowed_principals",
     "name": "allowed-principals",
     "kind": "texts",
     "text": "Principals who may request an endpoint. Empty: every account."
    },
    {
     "member": "remarks",
     "name": "remarks",
     "kind": "text",
     "text": "Anything you want to remember."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "endpointServices.delete",
   "text": "Deletes the endpoint service",
   "deletes": true,
   "arguments": [
    {
     "member": "service_id",
     "text": "The endpoint service."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "waits": true,
   "options": []
  },
  {
   "name": "list",
   "operation": "endpointServices.list",
   "text": "Lists the endpoint services of the deployment",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  }
 ],
 "environments": () => [
  {
   "name": "create",
   "operation": "environments.create",
   "text": "Creates an environment",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique in the division, without regard to case."
    },
    {
     "member": "description",
     "name": "description",
     "kind": "text",
     "text": "What the resource is for."
    },
    {
     "member": "protected",
     "name": "protected",
     "kind": "flag",
     "text": "True: deletion needs a one-time code."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "environments.delete",
   "text": "Deletes an environment that holds no deployments",
   "deletes": true,
   "arguments": [
    {
     "member": "environment_id",
     "text": "An environment of the division."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id"
   ],
   "options": [
    {
     "member": "code",
     "name": "code",
     "kind": "text",
     "text": "Needed when the resource is protected."
    }
   ]
  },
  {
   "name": "get",
   "operation": "environments.get",
   "text": "Reads one environment",
   "arguments": [
    {
     "member": "environment_id",
     "text": "An environment of the division."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "environments.list",
   "text": "Lists the environments that the caller may read",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "update",
   "operation": "environments.update",
   "text": "Changes an environment",
   "arguments": [
    {
     "member": "environment_id",
     "text": "An environment of the division."
    }
   ],
   "levels": [
    "tenant_id",
    "division_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Unique in the division, without regard to case."
    },
    {
     "member": "description",
     "name": "description",
     "kind": "text",
     "text": "What the resource is for."
    },
    {
     "member": "protected",
     "name": "protected",
     "kind": "flag",
     "text": "True: deletion needs a one-time code."
    }
   ]
  }
 ],
 "errors": () => [
  {
   "name": "list",
   "operation": "errors.list",
   "text": "Lists every error code with its status and its remedy",
   "arguments": [],
   "levels": [],
   "options": []
  }
 ],
 "health": () => [
  {
   "name": "live",
   "operation": "health.live",
   "text": "Returns 200 while the process runs",
   "arguments": [],
   "levels": [],
   "options": []
  },
  {
   "name": "ready",
   "operation": "health.ready",
   "text": "Returns 200 when the process can serve requests",
   "arguments": [],
   "levels": [],
   "options": []
  }
 ],
 "heartbeats": () => [
  {
   "name": "list",
   "operation": "heartbeats.list",
   "text": "Lists the reports of the nodes",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "list-of-node",
   "operation": "heartbeats.listOfNode",
   "text": "Lists the reports of the node",
   "arguments": [
    {
     "member": "node_id",
     "text": "A node of the deployment."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  }
 ],
 "invitations": () => [
  {
   "name": "create",
   "operation": "invitations.create",
   "text": "Invites a user by mail",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "email",
     "name": "email",
     "kind": "text",
     "required": true,
     "text": "The invitation is mailed to this address. Only a user with this verified address can accept the invitation."
    },
    {
     "member": "division_id",
     "name": "division-id",
     "kind": "number",
     "text": "Confines the member to this division."
    },
    {
     "member": "roles",
     "name": "roles",
     "kind": "numbers",
     "text": "Roles of the new member. Default: the role viewer."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "invitations.delete",
   "text": "Cancels a pending invitation",
   "deletes": true,
   "arguments": [
    {
     "member": "invitation_id",
     "text": "An invitation of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get",
   "operation": "invitations.get",
   "text": "Reads one invitation",
   "arguments": [
    {
     "member": "invitation_id",
     "text": "An invitation of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "invitations.list",
   "text": "Lists the invitations of the tenant and their answers",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "status",
     "name": "status",
     "kind": "text",
     "choices": [
      "pending",
      "accepted",
      "rejected",
      "expired"
     ],
     "text": "Only those with this status."
    }
   ]
  }
 ],
 "invoices": () => [
  {
   "name": "download-pdf",
   "operation": "invoices.downloadPdf",
   "text": "Returns the invoice as PDF",
   "arguments": [
    {
     "member": "invoice_id",
     "text": "The invoice."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get",
   "operation": "invoices.get",
   "text": "Reads an invoice with the charges of each deployment",
   "arguments": [
    {
     "member": "invoice_id",
     "text": "The invoice."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "invoices.list",
   "text": "Lists the invoices",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "status",
     "name": "status",
     "kind": "text",
     "choices": [
      "draft",
      "pending",
      "paid",
      "failed",
      "cancelled"
     ],
     "text": "Only with this status."
    }
   ]
  },
  {
   "name": "list-lines",
   "operation": "invoices.listLines",
   "text": "Lists the charges of each deployment",
   "arguments": [
    {
     "member": "invoice_id",
     "text": "The invoice."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  }
 ],
 "join-requests": () => [
  {
   "name": "approve",
   "operation": "joinRequests.approve",
   "text": "Approves the request and notifies the user",
   "arguments": [
    {
     "member": "join_request_id",
     "text": "A request to join the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "roles",
     "name": "roles",
     "kind": "numbers",
     "text": "Roles of the new member. Default: the role viewer."
    }
   ]
  },
  {
   "name": "get",
   "operation": "joinRequests.get",
   "text": "Reads one request",
   "arguments": [
    {
     "member": "join_request_id",
     "text": "A request to join the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "joinRequests.list",
   "text": "Lists current and past requests to join the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "status",
     "name": "status",
     "kind": "text",
     "choices": [
      "pending",
      "approved",
      "rejected"
     ],
     "text": "Only those with this status."
    }
   ]
  },
  {
   "name": "reject",
   "operation": "joinRequests.reject",
   "text": "Declines the request and notifies the user",
   "arguments": [
    {
     "member": "join_request_id",
     "text": "A request to join the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  }
 ],
 "limits": () => [
  {
   "name": "get",
   "operation": "limits.get",
   "text": "Reads the limits of the plan",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  }
 ],
 "login-codes": () => [
  {
   "name": "create",
   "operation": "loginCodes.create",
   "text": "Creates a key for a command line on this computer",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "The name of the new key, in lists and in the audit."
    },
    {
     "member": "code_challenge",
     "name": "code-challenge",
     "kind": "text",
     "required": true,
     "text": "SHA-256 of the `code_verifier` of the command line, in base64url."
    },
    {
     "member": "redirect_uri",
     "name": "redirect-uri",
     "kind": "text",
     "required": true,
     "text": "The address at which the command line listens on this computer, such as http://127.0.0.1:41234/."
    },
    {
     "member": "state",
     "name": "state",
     "kind": "text",
     "required": true,
     "text": "Comes back unchanged in `redirect_to`, so that the command line recognizes its own request."
    }
   ]
  },
  {
   "name": "redeem",
   "operation": "loginCodes.redeem",
   "text": "Exchanges a code for the secret of its key",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "code",
     "name": "code",
     "kind": "text",
     "required": true,
     "text": "The code in `redirect_to`."
    },
    {
     "member": "code_verifier",
     "name": "code-verifier",
     "kind": "text",
     "required": true,
     "text": "The text whose SHA-256 the request for the code contained."
    },
    {
     "member": "redirect_uri",
     "name": "redirect-uri",
     "kind": "text",
     "required": true,
     "text": "The address at which the command line listens on this computer, such as http://127.0.0.1:41234/."
    }
   ]
  }
 ],
 "logs": () => [
  {
   "name": "list",
   "operation": "logs.list",
   "text": "Lists the log lines of the nodes' processes",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "runtime",
     "name": "runtime",
     "kind": "text",
     "choices": [
      "broker",
      "connectors",
      "agent"
     ],
     "text": "Only what this runtime has printed."
    },
    {
     "member": "node",
     "name": "node",
     "kind": "number",
     "text": "Only of this node."
    },
    {
     "member": "level",
     "name": "level",
     "kind": "text",
     "choices": [
      "debug",
      "info",
      "warn",
      "error"
     ],
     "text": "Only of this level."
    },
    {
     "member": "message",
     "name": "message",
     "kind": "text",
     "text": "Only lines that contain this text. Upper and lower case are the same. The window is at most two days."
    },
    {
     "member": "from",
     "name": "from",
     "kind": "text",
     "text": "Start of the window, inclusive. Default: one day before `to`."
    },
    {
     "member": "to",
     "name": "to",
     "kind": "text",
     "text": "End of the window, exclusive. Default: now."
    }
   ]
  },
  {
   "name": "stream",
   "operation": "logs.stream",
   "text": "Streams log lines as Server-Sent Events until the caller disconnects or loses the permission",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "streams": true,
   "options": [
    {
     "member": "runtime",
     "name": "runtime",
     "kind": "text",
     "choices": [
      "broker",
      "connectors",
      "agent"
     ],
     "text": "Only what this runtime has printed."
    },
    {
     "member": "node",
     "name": "node",
     "kind": "number",
     "text": "Only of this node."
    },
    {
     "member": "level",
     "name": "level",
     "kind": "text",
     "choices": [
      "debug",
      "info",
      "warn",
      "error"
     ],
     "text": "Only of this level."
    },
    {
     "member": "message",
     "name": "message",
     "kind": "text",
     "text": "Only lines that contain this text. Upper and lower case are the same. The window is at most two days."
    }
   ]
  }
 ],
 "members": () => [
  {
   "name": "get",
   "operation": "members.get",
   "text": "Reads one member",
   "arguments": [
    {
     "member": "member_id",
     "text": "A member of the tenant, by the id of the user."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get-permissions",
   "operation": "members.getPermissions",
   "text": "Reads the permissions of the caller",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "leave",
   "operation": "members.leave",
   "text": "Leaves the tenant",
   "deletes": true,
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "members.list",
   "text": "Lists the members of the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "active",
     "name": "active",
     "kind": "flag",
     "text": "Only those who are active, or only those who are not."
    }
   ]
  },
  {
   "name": "remove",
   "operation": "members.remove",
   "text": "Removes a member",
   "deletes": true,
   "arguments": [
    {
     "member": "member_id",
     "text": "A member of the tenant, by the id of the user."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "update",
   "operation": "members.update",
   "text": "Changes the roles of a member",
   "arguments": [
    {
     "member": "member_id",
     "text": "A member of the tenant, by the id of the user."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "active",
     "name": "active",
     "kind": "flag",
     "text": "False removes the access of the member and of the member's keys until the member is active again."
    },
    {
     "member": "roles",
     "name": "roles",
     "kind": "json",
     "text": "All the roles that the member has from now on: their ids, or as the record shows them."
    }
   ]
  }
 ],
 "network": () => [
  {
   "name": "get-info",
   "operation": "network.getInfo",
   "text": "Reads the network of a deployment",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  }
 ],
 "network-peerings": () => [
  {
   "name": "create",
   "operation": "networkPeerings.create",
   "text": "Creates our half of a peering with your VPC network",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique among the VPC peerings of the deployment, in any case of letters."
    },
    {
     "member": "peer_vpc_name",
     "name": "peer-vpc-name",
     "kind": "text",
     "required": true,
     "text": "Your VPC network."
    },
    {
     "member": "peer_project_id",
     "name": "peer-project-id",
     "kind": "text",
     "required": true,
     "text": "The project that your network is in."
    },
    {
     "member": "peer_vpc_cidr",
     "name": "peer-vpc-cidr",
     "kind": "text",
     "required": true,
     "text": "IPv4 range of your network. The range must not overlap the network of the deployment."
    },
    {
     "member": "remarks",
     "name": "remarks",
     "kind": "text",
     "text": "Anything you want to remember."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "networkPeerings.delete",
   "text": "Removes our half of the peering",
   "deletes": true,
   "arguments": [
    {
     "member": "peering_id",
     "text": "The peering."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "waits": true,
   "options": []
  },
  {
   "name": "get-instructions",
   "operation": "networkPeerings.getInstructions",
   "text": "Returns your next steps for the current state of the peering",
   "arguments": [
    {
     "member": "peering_id",
     "text": "The peering."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "networkPeerings.list",
   "text": "Lists the VPC peerings of the deployment",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  }
 ],
 "metrics": () => [
  {
   "name": "export-prometheus",
   "operation": "nodeMetrics.exportPrometheus",
   "text": "The same as OpenMetrics text",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "get-latest",
   "operation": "nodeMetrics.getLatest",
   "text": "Reads the newest metrics of each node that has reported",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "get-series",
   "operation": "nodeMetrics.getSeries",
   "text": "Reads metrics of a runtime of a node over time",
   "arguments": [
    {
     "member": "node_id",
     "text": "A node of the deployment."
    },
    {
     "member": "runtime",
     "text": "What runs on the node."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": [
    {
     "member": "from",
     "name": "from",
     "kind": "text",
     "text": "Start of the window, inclusive. Default: one hour before `to`."
    },
    {
     "member": "to",
     "name": "to",
     "kind": "text",
     "text": "End of the window, exclusive. Default: now."
    },
    {
     "member": "step",
     "name": "step",
     "kind": "number",
     "text": "Seconds between two points. Default: a step that gives a few hundred points."
    }
   ]
  }
 ],
 "notifications": () => [
  {
   "name": "confirm-address",
   "operation": "notifications.confirmAddress",
   "text": "Confirms an e-mail channel by the token of the mailed link",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "token",
     "name": "token",
     "kind": "text",
     "required": true,
     "text": "From the link of the mail."
    }
   ]
  },
  {
   "name": "list-types",
   "operation": "notifications.listTypes",
   "text": "Lists the event types that channels can receive",
   "arguments": [],
   "levels": [],
   "options": []
  },
  {
   "name": "unsubscribe-address",
   "operation": "notifications.unsubscribeAddress",
   "text": "Ends the notifications of a channel to an address",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "token",
     "name": "token",
     "kind": "text",
     "required": true,
     "text": "From the link of the mail."
    }
   ]
  }
 ],
 "operations": () => [
  {
   "name": "get",
   "operation": "operations.get",
   "text": "Reads one operation",
   "arguments": [
    {
     "member": "operation_id",
     "text": "The operation."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "wait",
     "name": "wait",
     "kind": "number",
     "text": "Seconds to wait for the end."
    }
   ]
  },
  {
   "name": "list",
   "operation": "operations.list",
   "text": "Lists operations",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "filters": [
    "deployment"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "type",
     "name": "type",
     "kind": "text",
     "choices": [
      "provision_deployment",
      "upgrade_deployment",
      "rotate_credentials",
      "rotate_certificates",
      "run_activity",
      "take_backup",
      "restore_backup",
      "move_node",
      "delete_backup",
      "run_connectors",
      "take_snapshot",
      "delete_snapshot",
      "create_private_connection",
      "delete_private_connection",
      "delete_deployment"
     ],
     "text": "Only of this type."
    },
    {
     "member": "status",
     "name": "status",
     "kind": "text",
     "choices": [
      "pending",
      "running",
      "succeeded",
      "failed",
      "cancelled"
     ],
     "text": "Only with this status."
    }
   ]
  },
  {
   "name": "stream-events",
   "operation": "operations.streamEvents",
   "text": "Streams the events of one operation as Server-Sent Events",
   "arguments": [
    {
     "member": "operation_id",
     "text": "The operation."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "streams": true,
   "options": []
  }
 ],
 "ownership-transfers": () => [
  {
   "name": "accept",
   "operation": "ownershipTransfers.accept",
   "text": "Becomes the owner of the tenant",
   "arguments": [
    {
     "member": "ownership_transfer_id",
     "text": "A transfer of ownership to the user of the session."
    }
   ],
   "levels": [],
   "options": []
  },
  {
   "name": "get",
   "operation": "ownershipTransfers.get",
   "text": "Reads one of them",
   "arguments": [
    {
     "member": "ownership_transfer_id",
     "text": "A transfer of ownership to the user of the session."
    }
   ],
   "levels": [],
   "options": []
  },
  {
   "name": "list",
   "operation": "ownershipTransfers.list",
   "text": "Lists the tenants that their owners have offered to you",
   "arguments": [],
   "levels": [],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "offer",
   "operation": "ownershipTransfers.offer",
   "text": "Offers the tenant to a member",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "code",
     "name": "code",
     "kind": "text",
     "text": "Needed when the resource is protected."
    },
    {
     "member": "member_id",
     "name": "member-id",
     "kind": "number",
     "required": true,
     "text": "An active member of the tenant, by the id of the user, with a verified e-mail address."
    }
   ]
  },
  {
   "name": "reject",
   "operation": "ownershipTransfers.reject",
   "text": "Declines",
   "arguments": [
    {
     "member": "ownership_transfer_id",
     "text": "A transfer of ownership to the user of the session."
    }
   ],
   "levels": [],
   "options": []
  }
 ],
 "password-resets": () => [
  {
   "name": "complete",
   "operation": "passwordResets.complete",
   "text": "Sets a new password with the token of the mailed link",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "token",
     "name": "token",
     "kind": "text",
     "required": true,
     "text": "From the link of the mail."
    },
    {
     "member": "password",
     "name": "password",
     "kind": "text",
     "required": true,
     "text": "Neither the e-mail address nor one of the most common passwords."
    }
   ]
  },
  {
   "name": "request",
   "operation": "passwordResets.request",
   "text": "Mails a link to choose a new password",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "email",
     "name": "email",
     "kind": "text",
     "required": true,
     "text": "E-mail address. Upper and lower case are the same."
    }
   ]
  }
 ],
 "permissions": () => [
  {
   "name": "check",
   "operation": "permissions.check",
   "text": "Checks whether the caller has a permission in a scope",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "permission",
     "name": "permission",
     "kind": "text",
     "choices": [
      "info:read",
      "info:manage",
      "member:read",
      "member:manage",
      "role:read",
      "role:manage",
      "api_key:read",
      "api_key:manage",
      "settings:read",
      "settings:manage",
      "subscription:read",
      "billing:read",
      "billing:manage",
      "audit:read",
      "division:read",
      "division:manage",
      "environment:read",
      "environment:manage",
      "notifications:read",
      "notifications:manage",
      "deployment:read",
      "deployment:manage",
      "deployment:credentials:read",
      "deployment:network:read",
      "deployment:network:manage",
      "deployment:access:read",
      "deployment:access:manage",
      "deployment:config:read",
      "deployment:config:manage",
      "deployment:task:manage",
      "deployment:connector:read",
      "deployment:connector:manage"
     ],
     "required": true,
     "text": "The permission."
    },
    {
     "member": "division_id",
     "name": "division-id",
     "kind": "number",
     "text": "In this division; without it, on the tenant itself."
    },
    {
     "member": "environment_id",
     "name": "environment-id",
     "kind": "number",
     "text": "In this environment of the division."
    }
   ]
  }
 ],
 "pricing": () => [
  {
   "name": "get",
   "operation": "pricing.get",
   "text": "Reads all prices",
   "arguments": [],
   "levels": [],
   "options": []
  }
 ],
 "protection-codes": () => [
  {
   "name": "request",
   "operation": "protectionCodes.request",
   "text": "Mails a one-time code to the contact address of the organization",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "action",
     "name": "action",
     "kind": "json",
     "required": true,
     "text": "The action that needs the code."
    }
   ]
  }
 ],
 "received-invitations": () => [
  {
   "name": "accept",
   "operation": "receivedInvitations.accept",
   "text": "Becomes a member",
   "arguments": [
    {
     "member": "invitation_id",
     "text": "An invitation to the address of the session."
    }
   ],
   "levels": [],
   "options": []
  },
  {
   "name": "get",
   "operation": "receivedInvitations.get",
   "text": "Reads one of them",
   "arguments": [
    {
     "member": "invitation_id",
     "text": "An invitation to the address of the session."
    }
   ],
   "levels": [],
   "options": []
  },
  {
   "name": "list",
   "operation": "receivedInvitations.list",
   "text": "Lists the invitations to the address of the session",
   "arguments": [],
   "levels": [],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "status",
     "name": "status",
     "kind": "text",
     "choices": [
      "pending",
      "accepted",
      "rejected",
      "expired"
     ],
     "text": "Only those with this status."
    }
   ]
  },
  {
   "name": "reject",
   "operation": "receivedInvitations.reject",
   "text": "Declines the invitation",
   "arguments": [
    {
     "member": "invitation_id",
     "text": "An invitation to the address of the session."
    }
   ],
   "levels": [],
   "options": []
  }
 ],
 "roles": () => [
  {
   "name": "assign",
   "operation": "roles.assign",
   "text": "Assigns the role to other members",
   "arguments": [
    {
     "member": "role_id",
     "text": "A role of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "members",
     "name": "members",
     "kind": "numbers",
     "required": true,
     "text": "Ids of members."
    }
   ]
  },
  {
   "name": "create",
   "operation": "roles.create",
   "text": "Creates a role",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique in the tenant, without regard to case."
    },
    {
     "member": "permissions",
     "name": "permissions",
     "kind": "json",
     "required": true,
     "text": "The permissions of the role, by group."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "roles.delete",
   "text": "Deletes a custom role that no member and no key has",
   "deletes": true,
   "arguments": [
    {
     "member": "role_id",
     "text": "A role of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get",
   "operation": "roles.get",
   "text": "Reads one role",
   "arguments": [
    {
     "member": "role_id",
     "text": "A role of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "roles.list",
   "text": "Lists the roles of the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "kind",
     "name": "kind",
     "kind": "text",
     "choices": [
      "system",
      "custom",
      "api_key"
     ],
     "text": "Only roles of this kind; without it, all but those that were made for one key."
    },
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Only roles whose name contains this text, without regard to case."
    }
   ]
  },
  {
   "name": "list-members",
   "operation": "roles.listMembers",
   "text": "Lists the members with the role",
   "arguments": [
    {
     "member": "role_id",
     "text": "A role of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "revoke",
   "operation": "roles.revoke",
   "text": "Revokes the role from other members",
   "arguments": [
    {
     "member": "role_id",
     "text": "A role of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "members",
     "name": "members",
     "kind": "numbers",
     "required": true,
     "text": "Ids of members."
    }
   ]
  },
  {
   "name": "update",
   "operation": "roles.update",
   "text": "Changes a role",
   "arguments": [
    {
     "member": "role_id",
     "text": "A role of the tenant."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Unique in the tenant, without regard to case."
    },
    {
     "member": "permissions",
     "name": "permissions",
     "kind": "json",
     "text": "The permissions of the role, by group."
    }
   ]
  }
 ],
 "runtime": () => [
  {
   "name": "get",
   "operation": "runtime.get",
   "text": "Reads the live state of a deployment",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "get-credentials",
   "operation": "runtime.getCredentials",
   "text": "Reads the credentials of the broker's clients",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "rotate-credentials",
   "operation": "runtime.rotateCredentials",
   "text": "Replaces the client password",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "overlap_seconds",
     "name": "overlap-seconds",
     "kind": "number",
     "text": "Seconds for which the old password also works on every node. Connections that use the old password are closed after this time."
    }
   ]
  }
 ],
 "runtime-operations": () => [
  {
   "name": "get",
   "operation": "runtimeOperations.get",
   "text": "Reads one operation",
   "arguments": [
    {
     "member": "operation_id",
     "text": "The operation."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "wait",
     "name": "wait",
     "kind": "number",
     "text": "Seconds to wait for the end."
    }
   ]
  },
  {
   "name": "list",
   "operation": "runtimeOperations.list",
   "text": "Lists operations",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "filters": [
    "deployment"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "type",
     "name": "type",
     "kind": "text",
     "choices": [
      "provision_deployment",
      "upgrade_deployment",
      "rotate_credentials",
      "rotate_certificates",
      "run_activity",
      "take_backup",
      "restore_backup",
      "move_node",
      "delete_backup",
      "run_connectors",
      "take_snapshot",
      "delete_snapshot",
      "create_private_connection",
      "delete_private_connection",
      "delete_deployment"
     ],
     "text": "Only of this type."
    },
    {
     "member": "status",
     "name": "status",
     "kind": "text",
     "choices": [
      "pending",
      "running",
      "succeeded",
      "failed",
      "cancelled"
     ],
     "text": "Only with this status."
    }
   ]
  },
  {
   "name": "stream-events",
   "operation": "runtimeOperations.streamEvents",
   "text": "Streams the events of one operation as Server-Sent Events",
   "arguments": [
    {
     "member": "operation_id",
     "text": "The operation."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "streams": true,
   "options": []
  }
 ],
 "service-attachments": () => [
  {
   "name": "create",
   "operation": "serviceAttachments.create",
   "text": "Creates a service attachment for the deployment",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique among the service attachments of the deployment, in any case of letters."
    },
    {
     "member": "connection_preference",
     "name": "connection-preference",
     "kind": "text",
     "choices": [
      "accept_manual",
      "accept_automatic"
     ],
     "text": "Whether you accept each connection. Default `accept_manual`."
    },
    {
     "member": "consumer_accept_lists",
     "name": "consumer-accept-lists",
     "kind": "texts",
     "text": "Projects that may connect; none: any project."
    },
    {
     "member": "enable_proxy_protocol",
     "name": "enable-proxy-protocol",
     "kind": "flag",
     "text": "True: each connection starts with the address of the client (PROXY protocol). Default false."
    },
    {
     "member": "remarks",
     "name": "remarks",
     "kind": "text",
     "text": "Anything you want to remember."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "serviceAttachments.delete",
   "text": "Deletes the service attachment",
   "deletes": true,
   "arguments": [
    {
     "member": "attachment_id",
     "text": "The service attachment."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "waits": true,
   "options": []
  },
  {
   "name": "get-instructions",
   "operation": "serviceAttachments.getInstructions",
   "text": "Returns the steps with which a consumer connects",
   "arguments": [
    {
     "member": "attachment_id",
     "text": "The service attachment."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "serviceAttachments.list",
   "text": "Lists the service attachments of the deployment",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list-connections",
   "operation": "serviceAttachments.listConnections",
   "text": "Lists the connections of the attachment",
   "arguments": [
    {
     "member": "attachment_id",
     "text": "The service attachment."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  }
 ],
 "sessions": () => [
  {
   "name": "end",
   "operation": "sessions.end",
   "text": "Ends one session of the user at once",
   "deletes": true,
   "arguments": [
    {
     "member": "session_id",
     "text": "One of your sessions."
    }
   ],
   "levels": [],
   "options": []
  },
  {
   "name": "end-others",
   "operation": "sessions.endOthers",
   "text": "Ends all sessions of the user except the current session",
   "deletes": true,
   "arguments": [],
   "levels": [],
   "options": []
  },
  {
   "name": "list",
   "operation": "sessions.list",
   "text": "Lists where you are signed in",
   "arguments": [],
   "levels": [],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "sign-in",
   "operation": "sessions.signIn",
   "text": "Starts a session",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "email",
     "name": "email",
     "kind": "text",
     "required": true,
     "text": "E-mail address. Upper and lower case are the same."
    },
    {
     "member": "password",
     "name": "password",
     "kind": "text",
     "required": true,
     "text": "The password."
    }
   ]
  },
  {
   "name": "sign-in-first",
   "operation": "sessions.signInFirst",
   "text": "Starts a session of the first owner by the link that a start of Landlord prints",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "token",
     "name": "token",
     "kind": "text",
     "required": true,
     "text": "The token in the link: its part after `#`."
    }
   ]
  },
  {
   "name": "sign-out",
   "operation": "sessions.signOut",
   "text": "Ends the session that asks",
   "deletes": true,
   "arguments": [],
   "levels": [],
   "options": []
  }
 ],
 "snapshots": () => [
  {
   "name": "create",
   "operation": "snapshots.create",
   "text": "Collects diagnostic data from every node that responds",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "redact_secrets",
     "name": "redact-secrets",
     "kind": "flag",
     "text": "Masks passwords, keys and tokens before anything leaves a node."
    },
    {
     "member": "include_iggy",
     "name": "include-iggy",
     "kind": "flag",
     "text": "Adds the state of each broker's data directory as a separate ZIP."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "snapshots.delete",
   "text": "Deletes a snapshot and its archive",
   "deletes": true,
   "arguments": [
    {
     "member": "snapshot_id",
     "text": "The snapshot."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "waits": true,
   "options": []
  },
  {
   "name": "download",
   "operation": "snapshots.download",
   "text": "Returns an address of the archive that works for five minutes without a key",
   "arguments": [
    {
     "member": "snapshot_id",
     "text": "The snapshot."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "snapshots.list",
   "text": "Lists the diagnostic snapshots of the deployment",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "node",
     "name": "node",
     "kind": "number",
     "text": "Only those that cover this node."
    }
   ]
  }
 ],
 "subscriptions": () => [
  {
   "name": "create",
   "operation": "subscriptions.create",
   "ofDivision": true,
   "text": "Adds a subscription to a channel",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "message_types",
     "name": "message-types",
     "kind": "texts",
     "choices": [
      "deployment_created",
      "deployment_initialized",
      "deployment_upgraded",
      "deployment_deleted",
      "deployment_certificates_rotated",
      "deployment_secrets_rotated",
      "deployment_operation_failed",
      "deployment_degraded",
      "deployment_recovered",
      "connector_failed",
      "connector_recovered",
      "broker_login_refused",
      "config_rolled_back",
      "backup_failed",
      "invitation_created",
      "invitation_accepted",
      "invitation_rejected",
      "tenant_config_updated",
      "tenant_join_requested",
      "member_joined",
      "division_created",
      "division_updated",
      "division_deleted",
      "environment_created",
      "environment_updated",
      "environment_deleted",
      "high_cpu_usage",
      "high_memory_usage",
      "high_disk_usage",
      "node_unreachable",
      "cpu_usage_resolved",
      "memory_usage_resolved",
      "disk_usage_resolved",
      "node_reachable",
      "certificate_expiring",
      "billing_limit_reached",
      "api_key_expiring"
     ],
     "required": true,
     "text": "Types of events."
    },
    {
     "member": "scope_tenant_ids",
     "name": "scope-tenant-ids",
     "kind": "numbers",
     "text": "The tenant itself; empty for all."
    },
    {
     "member": "scope_division_ids",
     "name": "scope-division-ids",
     "kind": "numbers",
     "text": "Divisions; empty for all."
    },
    {
     "member": "scope_environment_ids",
     "name": "scope-environment-ids",
     "kind": "numbers",
     "text": "Environments; empty for all."
    },
    {
     "member": "scope_deployment_ids",
     "name": "scope-deployment-ids",
     "kind": "numbers",
     "text": "Deployments; empty for all."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "subscriptions.delete",
   "ofDivision": true,
   "text": "Deletes a subscription",
   "deletes": true,
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    },
    {
     "member": "subscription_id",
     "text": "A subscription of the channel."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get",
   "operation": "subscriptions.get",
   "ofDivision": true,
   "text": "Reads one subscription with its full scope",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    },
    {
     "member": "subscription_id",
     "text": "A subscription of the channel."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "subscriptions.list",
   "ofDivision": true,
   "text": "Lists the subscriptions of a channel",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "replace",
   "operation": "subscriptions.replace",
   "ofDivision": true,
   "text": "Replaces all subscriptions of a channel",
   "arguments": [
    {
     "member": "channel_id",
     "text": "A channel of the tenant, or of the division."
    }
   ],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "subscriptions",
     "name": "subscriptions",
     "kind": "json",
     "required": true,
     "text": "Empty: every event is delivered."
    }
   ]
  }
 ],
 "summaries": () => [
  {
   "name": "of-division",
   "operation": "summaries.ofDivision",
   "text": "Reads the health of the division's deployments in this cell",
   "arguments": [],
   "levels": [
    "tenant_id",
    "division_id"
   ],
   "options": []
  },
  {
   "name": "of-tenant",
   "operation": "summaries.ofTenant",
   "text": "Reads the health of the tenant's deployments in this cell",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  }
 ],
 "supervisor-health": () => [
  {
   "name": "live",
   "operation": "supervisorHealth.live",
   "text": "Returns 200 while the process runs",
   "arguments": [],
   "levels": [],
   "options": []
  },
  {
   "name": "ready",
   "operation": "supervisorHealth.ready",
   "text": "Returns 200 when the process can serve requests",
   "arguments": [],
   "levels": [],
   "options": []
  }
 ],
 "supervisor-tokens": () => [
  {
   "name": "create",
   "operation": "supervisorTokens.create",
   "text": "Creates a token with which a page in a browser calls one Supervisor for 15 minutes",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "supervisor_url",
     "name": "supervisor-url",
     "kind": "text",
     "required": true,
     "text": "The `supervisor_url` of a deployment. Only its scheme, host and port count."
    }
   ]
  }
 ],
 "tasks": () => [
  {
   "name": "create",
   "operation": "tasks.create",
   "text": "Applies the active configuration",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "type",
     "name": "type",
     "kind": "text",
     "choices": [
      "broker:reconfigure",
      "connectors:reconfigure"
     ],
     "required": true,
     "text": "Applies the active version of that runtime."
    }
   ]
  },
  {
   "name": "list",
   "operation": "tasks.list",
   "text": "Lists the newest 50 tasks",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  }
 ],
 "tenant-config": () => [
  {
   "name": "get",
   "operation": "tenantConfig.get",
   "text": "Reads the settings for joining the tenant and for invitations",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "update",
   "operation": "tenantConfig.update",
   "text": "Replaces the three settings",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "join_policy",
     "name": "join-policy",
     "kind": "text",
     "choices": [
      "invite_only",
      "open",
      "request_to_join"
     ],
     "required": true,
     "text": "What happens when a user with an address in the tenant's domain signs up."
    },
    {
     "member": "block_external_invitations",
     "name": "block-external-invitations",
     "kind": "flag",
     "required": true,
     "text": "True stops other tenants inviting users of the domain; needs a domain."
    },
    {
     "member": "enforce_domain_only_invitations",
     "name": "enforce-domain-only-invitations",
     "kind": "flag",
     "required": true,
     "text": "True limits the invitations of this tenant to users of the domain; needs a domain."
    }
   ]
  }
 ],
 "tenants": () => [
  {
   "name": "create",
   "operation": "tenants.create",
   "text": "Creates a tenant of plan Basic that the caller owns",
   "arguments": [],
   "levels": [],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Display name of the tenant."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "tenants.delete",
   "text": "Deletes the tenant permanently",
   "deletes": true,
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "code",
     "name": "code",
     "kind": "text",
     "text": "Needed when the resource is protected."
    }
   ]
  },
  {
   "name": "get",
   "operation": "tenants.get",
   "text": "Reads the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get-structure",
   "operation": "tenants.getStructure",
   "text": "Reads the organization as a tree of divisions",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "get-summary",
   "operation": "tenants.getSummary",
   "text": "Counts divisions",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "tenants.list",
   "text": "Lists the tenants of the caller",
   "arguments": [],
   "levels": [],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    }
   ]
  },
  {
   "name": "subscription",
   "operation": "tenants.subscription",
   "text": "Reads the subscription of the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": []
  },
  {
   "name": "update",
   "operation": "tenants.update",
   "text": "Changes the tenant",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "hasBody": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "text": "Display name of the tenant."
    },
    {
     "member": "description",
     "name": "description",
     "kind": "text",
     "text": "What the resource is for."
    },
    {
     "member": "email",
     "name": "email",
     "kind": "text",
     "text": "Organization contact address; protection codes are sent there."
    },
    {
     "member": "protected",
     "name": "protected",
     "kind": "flag",
     "text": "True: deletion needs a one-time code."
    }
   ]
  }
 ],
 "usage": () => [
  {
   "name": "list",
   "operation": "usage.list",
   "text": "Reads the usage and cost between two times",
   "arguments": [],
   "levels": [
    "tenant_id"
   ],
   "options": [
    {
     "member": "page",
     "name": "page",
     "kind": "number",
     "text": "The page, from 1."
    },
    {
     "member": "results",
     "name": "results",
     "kind": "number",
     "text": "Items on a page."
    },
    {
     "member": "from",
     "name": "from",
     "kind": "text",
     "text": "Not older than this moment; left out: the beginning of this calendar month in UTC."
    },
    {
     "member": "to",
     "name": "to",
     "kind": "text",
     "text": "Older than this moment; left out: now. At most 400 days after `from`."
    }
   ]
  }
 ],
 "vpc-peerings": () => [
  {
   "name": "create",
   "operation": "vpcPeerings.create",
   "text": "Requests a peering from AWS with your VPC",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "hasBody": true,
   "waits": true,
   "options": [
    {
     "member": "name",
     "name": "name",
     "kind": "text",
     "required": true,
     "text": "Unique among the VPC peerings of the deployment, in any case of letters."
    },
    {
     "member": "peer_vpc_id",
     "name": "peer-vpc-id",
     "kind": "text",
     "required": true,
     "text": "Your VPC."
    },
    {
     "member": "peer_owner_id",
     "name": "peer-owner-id",
     "kind": "text",
     "required": true,
     "text": "The account that your VPC is in: 12 digits."
    },
    {
     "member": "peer_vpc_cidr",
     "name": "peer-vpc-cidr",
     "kind": "text",
     "required": true,
     "text": "IPv4 network of your VPC. The network must not overlap the network of the deployment."
    },
    {
     "member": "peer_region",
     "name": "peer-region",
     "kind": "text",
     "text": "Region of your VPC; left out: that of the deployment."
    },
    {
     "member": "remarks",
     "name": "remarks",
     "kind": "text",
     "text": "Anything you want to remember."
    }
   ]
  },
  {
   "name": "delete",
   "operation": "vpcPeerings.delete",
   "text": "Deletes the peering",
   "deletes": true,
   "arguments": [
    {
     "member": "peering_id",
     "text": "The peering."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "waits": true,
   "options": []
  },
  {
   "name": "get-instructions",
   "operation": "vpcPeerings.getInstructions",
   "text": "Returns your next steps for the current status of the peering",
   "arguments": [
    {
     "member": "peering_id",
     "text": "The peering."
    }
   ],
   "levels": [
    "deployment_id"
   ],
   "options": []
  },
  {
   "name": "list",
   "operation": "vpcPeerings.list",
   "text": "Lists the VPC peerings of the deployment",
   "arguments": [],
   "levels": [
    "deployment_id"
   ],
   "options": []
  }
 ],
};
