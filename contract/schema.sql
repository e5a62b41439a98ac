create table access_rules (
  id bigint not null generated always as identity,
  deployment_id bigint not null,
  name text not null,
  remarks text,
  cidr_blocks text[] not null,
  rules jsonb not null,
  valid_to timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint access_rules_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint access_rules_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint access_rules_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX access_rules_name ON public.access_rules USING btree (deployment_id, lower(name));

create table account_validations (
  tenant_id bigint not null,
  cloud text not null,
  account_id text not null,
  validated_at timestamp with time zone not null default now(),
  constraint account_validations_cloud_check CHECK ((cloud = ANY (ARRAY['aws'::text, 'gcp'::text]))),
  constraint account_validations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint account_validations_pkey PRIMARY KEY (tenant_id, cloud, account_id)
);

create table activities (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  division_id bigint not null,
  environment_id bigint not null,
  deployment_id bigint not null,
  node_id bigint not null,
  operation_id bigint not null,
  author_id bigint,
  runtime text not null,
  action text not null,
  status text not null default 'processing'::text,
  error text,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  constraint activities_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint activities_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'rejected'::text]))),
  constraint activities_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint activities_pkey PRIMARY KEY (id),
  constraint activities_operation_id_node_id_key UNIQUE (operation_id, node_id)
);
CREATE INDEX activities_deployment ON public.activities USING btree (deployment_id, id DESC);

create table agent_rollouts (
  id integer not null generated always as identity,
  cell text not null,
  sha256 text not null,
  state text not null default 'running'::text,
  reason text,
  started_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint agent_rollouts_state_check CHECK ((state = ANY (ARRAY['running'::text, 'stopped'::text, 'done'::text]))),
  constraint agent_rollouts_pkey PRIMARY KEY (id)
);
CREATE INDEX agent_rollouts_cell ON public.agent_rollouts USING btree (cell, id);
CREATE UNIQUE INDEX agent_rollouts_running ON public.agent_rollouts USING btree (cell) WHERE (state = 'running'::text);

create table api_key_uses (
  api_key_id bigint not null,
  last_used_at timestamp with time zone not null,
  constraint api_key_uses_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint api_key_uses_pkey PRIMARY KEY (api_key_id)
);

create table api_keys (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  name text not null,
  secret_hash bytea not null,
  role_id bigint not null,
  division_id bigint,
  user_id bigint not null,
  validate_ip boolean not null default false,
  allowed_ips text[] not null default '{}'::text[],
  expiry_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  previous_secret_hash bytea,
  previous_until timestamp with time zone,
  constraint api_keys_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint api_keys_previous_secret_hash_check CHECK ((length(previous_secret_hash) = 32)),
  constraint api_keys_secret_hash_check CHECK ((length(secret_hash) = 32)),
  constraint api_keys_division_id_fkey FOREIGN KEY (division_id) REFERENCES divisions(id),
  constraint api_keys_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id),
  constraint api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint api_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX api_keys_expiry ON public.api_keys USING btree (expiry_at, id);
CREATE INDEX api_keys_role ON public.api_keys USING btree (role_id);
CREATE INDEX api_keys_tenant ON public.api_keys USING btree (tenant_id, id DESC);
CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id);

create table audit_counters (
  tenant_id bigint not null,
  division_id bigint not null,
  day date not null,
  type text not null,
  retention_class smallint not null,
  entries bigint not null,
  constraint audit_counters_pkey PRIMARY KEY (tenant_id, division_id, day, type, retention_class)
);

create table audit_entries (
  id bigint not null generated always as identity,
  retention_class smallint not null,
  created_at timestamp with time zone not null default now(),
  tenant_id bigint not null,
  type text not null,
  author_id bigint,
  author_name text,
  api_key_id bigint,
  api_key_name text,
  user_id bigint,
  user_name text,
  division_id bigint,
  division_name text,
  environment_id bigint,
  environment_name text,
  deployment_id bigint,
  deployment_name text,
  data jsonb,
  correlation_id uuid,
  constraint audit_entries_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint audit_entries_pkey PRIMARY KEY (retention_class, created_at, id)
) partition by LIST (retention_class);
CREATE INDEX audit_entries_api_key ON ONLY public.audit_entries USING btree (tenant_id, api_key_id, created_at DESC, id DESC) INCLUDE (type) WHERE (api_key_id IS NOT NULL);
CREATE INDEX audit_entries_author ON ONLY public.audit_entries USING btree (tenant_id, author_id, created_at DESC, id DESC) INCLUDE (type) WHERE (author_id IS NOT NULL);
CREATE INDEX audit_entries_correlation ON ONLY public.audit_entries USING btree (correlation_id) WHERE (correlation_id IS NOT NULL);
CREATE INDEX audit_entries_deployment ON ONLY public.audit_entries USING btree (tenant_id, deployment_id, created_at DESC, id DESC) INCLUDE (type) WHERE (deployment_id IS NOT NULL);
CREATE INDEX audit_entries_division ON ONLY public.audit_entries USING btree (tenant_id, division_id, created_at DESC, id DESC) WHERE (division_id IS NOT NULL);
CREATE INDEX audit_entries_environment ON ONLY public.audit_entries USING btree (tenant_id, environment_id, created_at DESC, id DESC) INCLUDE (type) WHERE (environment_id IS NOT NULL);
CREATE INDEX audit_entries_tenant ON ONLY public.audit_entries USING btree (tenant_id, created_at DESC, id DESC);
CREATE INDEX audit_entries_type ON ONLY public.audit_entries USING btree (tenant_id, type, created_at DESC, id DESC);
CREATE INDEX audit_entries_user ON ONLY public.audit_entries USING btree (tenant_id, user_id, created_at DESC, id DESC) INCLUDE (type) WHERE (user_id IS NOT NULL);
CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_unsealed AFTER INSERT ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION queue_audit_entry();
CREATE TRIGGER audit_not_truncated BEFORE TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table audit_entries_365 partition of audit_entries FOR VALUES IN ('365') partition by RANGE (created_at);
CREATE TRIGGER audit_not_truncated BEFORE TRUNCATE ON public.audit_entries_365 FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table audit_entries_7 partition of audit_entries FOR VALUES IN ('7') partition by RANGE (created_at);
CREATE TRIGGER audit_not_truncated BEFORE TRUNCATE ON public.audit_entries_7 FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table audit_entries_90 partition of audit_entries FOR VALUES IN ('90') partition by RANGE (created_at);
CREATE TRIGGER audit_not_truncated BEFORE TRUNCATE ON public.audit_entries_90 FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table audit_seals (
  tenant_id bigint not null,
  sequence bigint not null,
  retention_class smallint not null,
  month date not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  entry_ids bigint[] not null,
  count integer not null,
  root_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  sealed_at timestamp with time zone not null default now(),
  constraint audit_seals_sequence_check CHECK (((sequence >= 1) AND (sequence <= '9007199254740991'::bigint))),
  constraint audit_seals_pkey PRIMARY KEY (tenant_id, sequence)
);
CREATE TRIGGER audit_not_truncated BEFORE TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_seals_append_only BEFORE DELETE OR UPDATE ON public.audit_seals FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

create table audit_unsealed (
  tenant_id bigint not null,
  id bigint not null,
  retention_class smallint not null,
  created_at timestamp with time zone not null,
  type text not null,
  division_id bigint,
  constraint audit_unsealed_pkey PRIMARY KEY (tenant_id, id)
);

create table aws_resources (
  kind text not null,
  name text not null,
  parts jsonb not null default '{}'::jsonb,
  tags jsonb,
  is_deleting boolean not null default false,
  held_by uuid,
  held_until timestamp with time zone,
  constraint aws_resources_pkey PRIMARY KEY (kind, name)
);

create table backup_schedules (
  deployment_id bigint not null,
  cron text,
  every_hours integer,
  keep integer not null,
  next_at timestamp with time zone not null,
  last_run_at timestamp with time zone,
  last_error text,
  paused_reason text,
  author_id bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint backup_schedules_check CHECK (((cron IS NULL) <> (every_hours IS NULL))),
  constraint backup_schedules_cron_check CHECK ((length(cron) <= 100)),
  constraint backup_schedules_every_hours_check CHECK (((every_hours >= 1) AND (every_hours <= 720))),
  constraint backup_schedules_keep_check CHECK ((keep >= 1)),
  constraint backup_schedules_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint backup_schedules_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id),
  constraint backup_schedules_pkey PRIMARY KEY (deployment_id)
);
CREATE INDEX backup_schedules_due ON public.backup_schedules USING btree (next_at);

create table backup_snapshots (
  backup_id bigint not null,
  node_id bigint not null,
  snapshot_id text not null,
  volume_id text not null,
  object_key text,
  sha256 text not null,
  size_bytes bigint not null,
  constraint backup_snapshots_backup_id_fkey FOREIGN KEY (backup_id) REFERENCES backups(id) ON DELETE CASCADE,
  constraint backup_snapshots_pkey PRIMARY KEY (backup_id, node_id)
);

create table backups (
  id bigint not null generated always as identity,
  deployment_id bigint not null,
  operation_id bigint not null,
  node_id bigint,
  name text not null,
  backup_type text not null,
  status text not null default 'pending'::text,
  region text not null,
  remarks text,
  author_id bigint,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  by_schedule boolean not null default false,
  data_key_id text,
  constraint backups_backup_type_check CHECK ((backup_type = ANY (ARRAY['manual'::text, 'scheduled'::text, 'pre_upgrade'::text]))),
  constraint backups_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint backups_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'in_progress'::text, 'completed'::text, 'failed'::text, 'deleting'::text]))),
  constraint backups_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint backups_pkey PRIMARY KEY (id),
  constraint backups_operation_id_key UNIQUE (operation_id)
);
CREATE INDEX backups_deployment ON public.backups USING btree (deployment_id, id DESC);
CREATE INDEX backups_expiring ON public.backups USING btree (expires_at) WHERE (status = ANY (ARRAY['completed'::text, 'failed'::text]));
CREATE UNIQUE INDEX backups_running ON public.backups USING btree (deployment_id) WHERE (status = ANY (ARRAY['pending'::text, 'in_progress'::text]));

create table billing_infos (
  tenant_id bigint not null,
  company text,
  email text,
  address jsonb,
  tax_id text,
  purchase_order text,
  updated_at timestamp with time zone not null default now(),
  constraint billing_infos_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint billing_infos_pkey PRIMARY KEY (tenant_id)
);

create table billing_months (
  month date not null,
  closed_at timestamp with time zone not null default now(),
  settled_at timestamp with time zone,
  invoices integer not null default 0,
  constraint billing_months_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint billing_months_pkey PRIMARY KEY (month)
);

create table billing_report_lines (
  report_id bigint not null,
  deployment_id bigint not null,
  deployment_name text not null,
  deployment_code text not null,
  division_id bigint not null,
  division_name text not null,
  environment_id bigint not null,
  environment_name text not null,
  compute_hours numeric not null,
  storage_gb_hours numeric not null,
  transfer_gb numeric not null,
  compute_usd numeric(14,2) not null,
  storage_usd numeric(14,2) not null,
  transfer_usd numeric(14,2) not null,
  periods jsonb not null,
  constraint billing_report_lines_report_id_fkey FOREIGN KEY (report_id) REFERENCES billing_reports(id),
  constraint billing_report_lines_pkey PRIMARY KEY (report_id, deployment_id)
);

create table billing_reports (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  month date not null,
  is_final boolean not null,
  drawn_at timestamp with time zone not null default now(),
  constraint billing_reports_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint billing_reports_pkey PRIMARY KEY (id),
  constraint billing_reports_tenant_id_month_key UNIQUE (tenant_id, month)
);

create table cancelled_invitations (
  invitation_id bigint not null,
  tenant_id bigint not null,
  cancelled_at timestamp with time zone not null default now(),
  constraint cancelled_invitations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint cancelled_invitations_pkey PRIMARY KEY (invitation_id)
);
CREATE INDEX cancelled_invitations_age ON public.cancelled_invitations USING btree (cancelled_at);
CREATE INDEX cancelled_invitations_tenant ON public.cancelled_invitations USING btree (tenant_id, cancelled_at);

create table cell_processes (
  id text not null,
  cell text not null,
  has_gateway boolean not null,
  version text not null,
  started_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  constraint cell_processes_pkey PRIMARY KEY (id)
);
CREATE INDEX cell_processes_cell ON public.cell_processes USING btree (cell);

create table cells (
  cell text not null,
  url text not null,
  agent_url text not null,
  regions text[] not null,
  cloud_drivers jsonb not null,
  broker_driver text not null,
  broker_version text not null,
  version text not null,
  seen_at timestamp with time zone not null default now(),
  drained_at timestamp with time zone,
  features jsonb not null default '{}'::jsonb,
  brokers jsonb not null default '{}'::jsonb,
  signed_off_at timestamp with time zone,
  constraint cells_pkey PRIMARY KEY (cell)
);

create table certificate_authorities (
  id bigint not null generated always as identity,
  serial text not null,
  certificate text not null,
  private_key text not null,
  not_before timestamp with time zone not null,
  not_after timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint certificate_authorities_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint certificate_authorities_pkey PRIMARY KEY (id),
  constraint certificate_authorities_serial_key UNIQUE (serial)
);

create table channel_confirmations (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  channel_id bigint not null,
  address_hash bytea not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint channel_confirmations_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint channel_confirmations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint channel_confirmations_pkey PRIMARY KEY (id),
  constraint channel_confirmations_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX channel_confirmations_address ON public.channel_confirmations USING btree (address_hash, created_at);
CREATE INDEX channel_confirmations_channel ON public.channel_confirmations USING btree (channel_id);
CREATE INDEX channel_confirmations_expiry ON public.channel_confirmations USING btree (expires_at);
CREATE INDEX channel_confirmations_tenant ON public.channel_confirmations USING btree (tenant_id, created_at);

create table cloud_accounts (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  cloud text not null,
  name text not null,
  account_id text not null,
  region text,
  settings text,
  remarks text,
  status text not null default 'active'::text,
  validated_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  unproven_since timestamp with time zone not null default now(),
  constraint cloud_accounts_cloud_check CHECK ((cloud = ANY (ARRAY['aws'::text, 'gcp'::text]))),
  constraint cloud_accounts_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint cloud_accounts_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'locked'::text, 'deleted'::text]))),
  constraint cloud_accounts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint cloud_accounts_pkey PRIMARY KEY (id)
);
CREATE INDEX cloud_accounts_account ON public.cloud_accounts USING btree (tenant_id, cloud, account_id);
CREATE INDEX cloud_accounts_tenant ON public.cloud_accounts USING btree (tenant_id, id DESC);
CREATE UNIQUE INDEX cloud_accounts_name ON public.cloud_accounts USING btree (tenant_id, lower(name));

create table cloud_call_slots (
  bucket text not null,
  full_at timestamp with time zone not null,
  constraint cloud_call_slots_pkey PRIMARY KEY (bucket)
);

create table cloud_resources (
  kind text not null,
  name text not null,
  deployment_id bigint not null,
  driver text not null,
  intent text not null,
  node_id bigint,
  cloud text,
  region text,
  account text,
  incarnation integer not null default 1,
  handle jsonb not null default '{}'::jsonb,
  error text,
  seen_at timestamp with time zone,
  constraint cloud_resources_intent_check CHECK ((intent = ANY (ARRAY['present'::text, 'absent'::text]))),
  constraint cloud_resources_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id),
  constraint cloud_resources_pkey PRIMARY KEY (kind, name)
);
CREATE INDEX cloud_resources_deployment ON public.cloud_resources USING btree (deployment_id);
CREATE INDEX cloud_resources_place ON public.cloud_resources USING btree (driver, cloud, region, account);

create table config_versions (
  deployment_id bigint not null,
  kind text not null,
  name text not null,
  last_version integer not null,
  constraint config_versions_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint config_versions_pkey PRIMARY KEY (deployment_id, kind, name)
);

create table configs (
  id bigint not null generated always as identity,
  deployment_id bigint not null,
  kind text not null,
  name text not null,
  version integer not null,
  is_primary boolean not null default false,
  config_values text not null,
  runtime_version text not null,
  author_id bigint,
  created_at timestamp with time zone not null default now(),
  constraint configs_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint configs_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint configs_pkey PRIMARY KEY (id),
  constraint configs_deployment_id_kind_name_version_key UNIQUE (deployment_id, kind, name, version)
);
CREATE UNIQUE INDEX configs_connector_primary ON public.configs USING btree (deployment_id, kind, name) WHERE (is_primary AND (kind <> 'broker'::text));
CREATE UNIQUE INDEX configs_primary ON public.configs USING btree (deployment_id, kind) WHERE (is_primary AND (kind = 'broker'::text));

create table connector_instances (
  id bigint not null generated always as identity,
  deployment_id bigint not null,
  type text not null,
  plugin text not null,
  plugin_version text not null,
  key text not null,
  name text not null,
  status text not null default 'pending'::text,
  status_reason text,
  status_since timestamp with time zone not null default now(),
  config_id bigint not null,
  is_configured boolean not null default false,
  reported_status text,
  reported_config_id bigint,
  reported_error text,
  author_id bigint,
  created_at timestamp with time zone not null default now(),
  failure_announced_at timestamp with time zone,
  constraint connector_instances_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint connector_instances_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'inactive'::text, 'failed'::text]))),
  constraint connector_instances_type_check CHECK ((type = ANY (ARRAY['source'::text, 'sink'::text]))),
  constraint connector_instances_config_id_fkey FOREIGN KEY (config_id) REFERENCES configs(id),
  constraint connector_instances_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint connector_instances_pkey PRIMARY KEY (id),
  constraint connector_instances_deployment_id_key_key UNIQUE (deployment_id, key)
);
CREATE INDEX connector_instances_alarms ON public.connector_instances USING btree (id) WHERE ((status = 'failed'::text) OR (failure_announced_at IS NOT NULL));
CREATE INDEX connector_instances_config ON public.connector_instances USING btree (config_id);

create table deployment_accounts (
  deployment_id bigint not null,
  account_id text not null,
  vpc_cidr text,
  access text not null,
  vpc_id text,
  refusal text,
  constraint deployment_accounts_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id),
  constraint deployment_accounts_pkey PRIMARY KEY (deployment_id)
);

create table deployment_certificates (
  id bigint not null generated always as identity,
  deployment_id bigint not null,
  authority_id bigint not null,
  serial text not null,
  names text[] not null,
  certificate text not null,
  private_key text,
  status text not null,
  not_before timestamp with time zone not null,
  not_after timestamp with time zone not null,
  issued_at timestamp with time zone not null default now(),
  expiry_told_at timestamp with time zone,
  constraint deployment_certificates_check CHECK (((private_key IS NOT NULL) = (status = ANY (ARRAY['next'::text, 'active'::text])))),
  constraint deployment_certificates_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint deployment_certificates_status_check CHECK ((status = ANY (ARRAY['next'::text, 'active'::text, 'replaced'::text, 'withdrawn'::text]))),
  constraint deployment_certificates_authority_id_fkey FOREIGN KEY (authority_id) REFERENCES certificate_authorities(id),
  constraint deployment_certificates_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint deployment_certificates_pkey PRIMARY KEY (id),
  constraint deployment_certificates_serial_key UNIQUE (serial)
);
CREATE INDEX deployment_certificates_deployment ON public.deployment_certificates USING btree (deployment_id, id DESC);
CREATE INDEX deployment_certificates_expiring ON public.deployment_certificates USING btree (not_after) WHERE ((status = 'active'::text) AND (expiry_told_at IS NULL));
CREATE UNIQUE INDEX deployment_certificates_in_use ON public.deployment_certificates USING btree (deployment_id, status) WHERE (status = ANY (ARRAY['next'::text, 'active'::text]));

create table deployment_credentials (
  deployment_id bigint not null,
  username text not null,
  password text not null,
  version integer not null default 1,
  next_password text,
  previous_password text,
  previous_until timestamp with time zone,
  constraint deployment_credentials_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint deployment_credentials_pkey PRIMARY KEY (deployment_id)
);
CREATE INDEX deployment_credentials_ended ON public.deployment_credentials USING btree (previous_until) WHERE (previous_password IS NOT NULL);

create table deployment_runtimes (
  deployment_id bigint not null,
  cell text not null,
  status text not null,
  status_reason text,
  status_since timestamp with time zone not null default now(),
  network_mode text not null default 'public'::text,
  cidr text,
  network_id text,
  subnet_ids text[] not null default '{}'::text[],
  load_balancer text,
  peer_secret text not null,
  initialized_at timestamp with time zone,
  deleted_at timestamp with time zone,
  telemetry_purged_at timestamp with time zone,
  rate_limit_bytes integer,
  data_key text,
  restore_source bigint,
  network_account text,
  redirecting_since timestamp with time zone,
  constraint deployment_runtimes_network_mode_check CHECK ((network_mode = ANY (ARRAY['public'::text, 'private'::text]))),
  constraint deployment_runtimes_rate_limit_bytes_check CHECK ((rate_limit_bytes > 0)),
  constraint deployment_runtimes_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id),
  constraint deployment_runtimes_pkey PRIMARY KEY (deployment_id)
);
CREATE INDEX deployment_runtimes_cell ON public.deployment_runtimes USING btree (cell) WHERE (deleted_at IS NULL);
CREATE INDEX deployment_runtimes_redirecting ON public.deployment_runtimes USING btree (cell, redirecting_since) WHERE (redirecting_since IS NOT NULL);
CREATE INDEX deployment_runtimes_telemetry_left ON public.deployment_runtimes USING btree (deployment_id) WHERE ((deleted_at IS NOT NULL) AND (telemetry_purged_at IS NULL));

create table deployment_upgrades (
  id bigint not null generated always as identity,
  deployment_id bigint not null,
  operation_id bigint not null,
  from_shape jsonb not null,
  to_shape jsonb not null,
  is_hardware boolean not null,
  status text not null default 'pending'::text,
  requested_at timestamp with time zone not null default now(),
  settled_at timestamp with time zone,
  constraint deployment_upgrades_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint deployment_upgrades_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'applied'::text, 'reverted'::text]))),
  constraint deployment_upgrades_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id),
  constraint deployment_upgrades_pkey PRIMARY KEY (id),
  constraint deployment_upgrades_operation_id_key UNIQUE (operation_id)
);
CREATE INDEX deployment_upgrades_deployment ON public.deployment_upgrades USING btree (deployment_id, id DESC);
CREATE INDEX deployment_upgrades_open ON public.deployment_upgrades USING btree (deployment_id) WHERE (status = 'pending'::text);
CREATE INDEX deployment_upgrades_pending ON public.deployment_upgrades USING btree (id) WHERE (status = 'pending'::text);

create table deployments (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  division_id bigint not null,
  environment_id bigint not null,
  name text not null,
  code text not null,
  variant text not null,
  description text not null default ''::text,
  cloud text not null,
  area text not null,
  region text not null,
  cell text not null,
  tier text not null,
  cluster text not null,
  managed_tier text,
  storage_type text not null,
  storage_size integer not null,
  target_network_tput integer not null,
  network_scope text not null,
  availability_mode text not null,
  nodes_count smallint not null,
  protected boolean not null default false,
  encrypted boolean not null default false,
  public_ip_enabled boolean not null default true,
  subdomain_enabled boolean not null default true,
  dedicated boolean not null default false,
  telemetry_days smallint not null,
  telemetry_days_explicit boolean not null default false,
  spend_limit numeric(14,2),
  monthly_compute numeric(14,2) not null,
  monthly_storage numeric(14,2) not null,
  pricing_version text not null,
  upgraded_at timestamp with time zone,
  author_id bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deletion_requested_at timestamp with time zone,
  cloud_account_id bigint,
  features jsonb not null default '{}'::jsonb,
  constraint deployments_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint deployments_nodes_count_check CHECK ((nodes_count > 0)),
  constraint deployments_storage_size_check CHECK ((storage_size > 0)),
  constraint deployments_target_network_tput_check CHECK ((target_network_tput > 0)),
  constraint deployments_variant_check CHECK ((variant = ANY (ARRAY['managed'::text, 'byoc'::text, 'starter'::text]))),
  constraint deployments_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint deployments_cloud_account_id_fkey FOREIGN KEY (cloud_account_id) REFERENCES cloud_accounts(id) ON DELETE SET NULL,
  constraint deployments_division_id_fkey FOREIGN KEY (division_id) REFERENCES divisions(id),
  constraint deployments_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id),
  constraint deployments_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint deployments_pkey PRIMARY KEY (id),
  constraint deployments_code_key UNIQUE (code)
);
CREATE INDEX deployments_cell ON public.deployments USING btree (cell);
CREATE INDEX deployments_cloud_account ON public.deployments USING btree (cloud_account_id) WHERE (cloud_account_id IS NOT NULL);
CREATE INDEX deployments_environment ON public.deployments USING btree (environment_id, id DESC);
CREATE INDEX deployments_spend_limit ON public.deployments USING btree (id) WHERE ((spend_limit IS NOT NULL) AND (deletion_requested_at IS NULL));
CREATE INDEX deployments_telemetry_days ON public.deployments USING btree (telemetry_days);
CREATE INDEX deployments_tenant ON public.deployments USING btree (tenant_id, id DESC);
CREATE UNIQUE INDEX deployments_name ON public.deployments USING btree (environment_id, lower(name)) WHERE (deletion_requested_at IS NULL);

create table diagnostic_snapshots (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  division_id bigint not null,
  environment_id bigint not null,
  deployment_id bigint not null,
  node_id bigint,
  deployment_name text not null,
  name text not null,
  status text not null default 'processing'::text,
  operation_id bigint not null,
  author_id bigint,
  redact_secrets boolean not null,
  include_data boolean not null,
  size_bytes bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  deleting_at timestamp with time zone,
  constraint diagnostic_snapshots_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint diagnostic_snapshots_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text]))),
  constraint diagnostic_snapshots_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint diagnostic_snapshots_pkey PRIMARY KEY (id),
  constraint diagnostic_snapshots_operation_id_key UNIQUE (operation_id)
);
CREATE INDEX diagnostic_snapshots_deployment ON public.diagnostic_snapshots USING btree (deployment_id, id DESC);
CREATE INDEX diagnostic_snapshots_expiring ON public.diagnostic_snapshots USING btree (expires_at) WHERE ((status = 'completed'::text) AND (deleting_at IS NULL));
CREATE UNIQUE INDEX diagnostic_snapshots_processing ON public.diagnostic_snapshots USING btree (deployment_id) WHERE (status = 'processing'::text);

create table divisions (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  name text not null,
  description text not null default ''::text,
  email text not null default ''::text,
  protected boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  constraint divisions_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint divisions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint divisions_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX divisions_name ON public.divisions USING btree (tenant_id, lower(name)) WHERE (deleted_at IS NULL);

create table email_tokens (
  id bigint not null generated always as identity,
  user_id bigint not null,
  purpose text not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint email_tokens_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint email_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['verify'::text, 'reset'::text, 'first_sign_in'::text]))),
  constraint email_tokens_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint email_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint email_tokens_pkey PRIMARY KEY (id),
  constraint email_tokens_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX email_tokens_expires ON public.email_tokens USING btree (expires_at);
CREATE INDEX email_tokens_user ON public.email_tokens USING btree (user_id, purpose);

create table environments (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  division_id bigint not null,
  name text not null,
  description text not null default ''::text,
  protected boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  constraint environments_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint environments_division_id_fkey FOREIGN KEY (division_id) REFERENCES divisions(id),
  constraint environments_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint environments_pkey PRIMARY KEY (id)
);
CREATE INDEX environments_tenant ON public.environments USING btree (tenant_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX environments_name ON public.environments USING btree (division_id, lower(name)) WHERE (deleted_at IS NULL);

create table idempotency_records (
  caller text not null,
  key text not null,
  request_hash bytea not null,
  answer text not null,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_records_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  constraint idempotency_records_pkey PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_records_created ON public.idempotency_records USING btree (created_at);

create table incidents (
  id bigint not null generated always as identity,
  kind text not null,
  subject text not null,
  operation_id bigint,
  detail text not null,
  opened_at timestamp with time zone not null default now(),
  closed_at timestamp with time zone,
  decision text,
  constraint incidents_decision_check CHECK ((decision = ANY (ARRAY['adopt'::text, 'destroy'::text]))),
  constraint incidents_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint incidents_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX incidents_open ON public.incidents USING btree (kind, subject) WHERE (closed_at IS NULL);

create table installation (
  one boolean not null default true,
  name text not null,
  timeline bigint not null default 1,
  created_at timestamp with time zone not null default now(),
  destruction_held_since timestamp with time zone,
  constraint installation_one_check CHECK (one),
  constraint installation_pkey PRIMARY KEY (one)
);

create table invitations (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  email text not null,
  division_id bigint,
  role_ids bigint[] not null default '{}'::bigint[],
  status text not null,
  inviter_id bigint not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  email_canonical text not null default ''::text,
  email_doubled boolean not null default false,
  constraint invitations_has_mailbox CHECK ((email_canonical <> ''::text)),
  constraint invitations_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint invitations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text, 'expired'::text]))),
  constraint invitations_division_id_fkey FOREIGN KEY (division_id) REFERENCES divisions(id),
  constraint invitations_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES users(id),
  constraint invitations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint invitations_pkey PRIMARY KEY (id)
);
CREATE INDEX invitations_email ON public.invitations USING btree (lower(email), id DESC);
CREATE INDEX invitations_email_canonical ON public.invitations USING btree (email_canonical, id DESC);
CREATE INDEX invitations_inviter ON public.invitations USING btree (tenant_id, inviter_id) WHERE (status = 'pending'::text);
CREATE INDEX invitations_tenant ON public.invitations USING btree (tenant_id, id DESC);
CREATE UNIQUE INDEX invitations_mailbox ON public.invitations USING btree (tenant_id, email_canonical) WHERE ((status = 'pending'::text) AND (NOT email_doubled));
CREATE UNIQUE INDEX invitations_pending ON public.invitations USING btree (tenant_id, lower(email)) WHERE (status = 'pending'::text);
CREATE TRIGGER invitations_email_canonical BEFORE INSERT OR UPDATE OF email ON public.invitations FOR EACH ROW EXECUTE FUNCTION fill_email_canonical();

create table invoice_agreements (
  tenant_id bigint not null,
  granted_by text not null,
  granted_at timestamp with time zone not null default now(),
  constraint invoice_agreements_granted_by_check CHECK ((granted_by = ANY (ARRAY['installation'::text, 'operator'::text, 'self_service'::text, 'kept'::text]))),
  constraint invoice_agreements_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint invoice_agreements_pkey PRIMARY KEY (tenant_id)
);

create table invoices (
  id bigint not null generated always as identity,
  report_id bigint not null,
  tenant_id bigint not null,
  month date not null,
  status text not null,
  number text,
  provider text,
  bill_to jsonb not null,
  issued_at timestamp with time zone,
  due_at timestamp with time zone,
  settled_at timestamp with time zone,
  declines integer not null default 0,
  next_attempt_at timestamp with time zone,
  failure text,
  created_at timestamp with time zone not null default now(),
  constraint invoices_check CHECK (((number IS NULL) = (status = 'draft'::text))),
  constraint invoices_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint invoices_provider_check CHECK ((provider = ANY (ARRAY['manual'::text, 'card'::text]))),
  constraint invoices_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'pending'::text, 'paid'::text, 'failed'::text, 'cancelled'::text]))),
  constraint invoices_report_id_fkey FOREIGN KEY (report_id) REFERENCES billing_reports(id),
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_number_key UNIQUE (number),
  constraint invoices_report_id_key UNIQUE (report_id),
  constraint invoices_tenant_id_month_key UNIQUE (tenant_id, month)
);
CREATE INDEX invoices_attempts ON public.invoices USING btree (next_attempt_at, id) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX invoices_month ON public.invoices USING btree (month, id);

create table join_requests (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  user_id bigint not null,
  status text not null,
  created_at timestamp with time zone not null default now(),
  answered_at timestamp with time zone,
  constraint join_requests_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint join_requests_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text]))),
  constraint join_requests_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint join_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint join_requests_pkey PRIMARY KEY (id)
);
CREATE INDEX join_requests_tenant ON public.join_requests USING btree (tenant_id, id DESC);
CREATE UNIQUE INDEX join_requests_pending ON public.join_requests USING btree (tenant_id, user_id) WHERE (status = 'pending'::text);

create table login_codes (
  api_key_id bigint not null,
  code_hash bytea not null,
  code_challenge text not null,
  redirect_uri text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint login_codes_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint login_codes_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint login_codes_pkey PRIMARY KEY (api_key_id),
  constraint login_codes_code_hash_key UNIQUE (code_hash)
);
CREATE INDEX login_codes_expires ON public.login_codes USING btree (expires_at);

create table login_refusals (
  deployment_id bigint not null,
  address text not null,
  last_at timestamp with time zone not null,
  announced_at timestamp with time zone not null default now(),
  constraint login_refusals_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id) ON DELETE CASCADE,
  constraint login_refusals_pkey PRIMARY KEY (deployment_id, address)
);
CREATE INDEX login_refusals_old ON public.login_refusals USING btree (announced_at);

create table machine_nodes (
  name text not null,
  node_id bigint not null,
  deployment_id bigint not null,
  machine_id bigint not null,
  incarnation integer not null,
  broker text not null,
  memory_mib integer not null,
  cpus integer not null,
  disk_gib integer not null,
  ports integer[] not null,
  is_dedicated boolean not null,
  intent text not null default 'present'::text,
  state text not null default 'pending'::text,
  reason text,
  placed_at timestamp with time zone not null default now(),
  agent_sha256 text,
  agent_since timestamp with time zone,
  agent_unheard_seconds real not null default 0,
  former_name text,
  failed_moves integer not null default 0,
  move_due_at timestamp with time zone,
  move_error text,
  constraint machine_nodes_intent_check CHECK ((intent = ANY (ARRAY['present'::text, 'absent'::text]))),
  constraint machine_nodes_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'active'::text, 'failed'::text]))),
  constraint machine_nodes_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id),
  constraint machine_nodes_machine_id_fkey FOREIGN KEY (machine_id) REFERENCES machines(id),
  constraint machine_nodes_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id),
  constraint machine_nodes_pkey PRIMARY KEY (name)
);
CREATE INDEX machine_nodes_deployment ON public.machine_nodes USING btree (deployment_id);
CREATE INDEX machine_nodes_former_name ON public.machine_nodes USING btree (former_name);
CREATE INDEX machine_nodes_machine ON public.machine_nodes USING btree (machine_id);
CREATE INDEX machine_nodes_node ON public.machine_nodes USING btree (node_id);

create table machine_reservations (
  name text not null,
  node jsonb not null,
  token_id bigint not null,
  secret text,
  machine_id bigint,
  constraint machine_reservations_machine_id_fkey FOREIGN KEY (machine_id) REFERENCES machines(id),
  constraint machine_reservations_token_id_fkey FOREIGN KEY (token_id) REFERENCES machine_tokens(id),
  constraint machine_reservations_pkey PRIMARY KEY (name)
);
CREATE INDEX machine_reservations_machine ON public.machine_reservations USING btree (machine_id);
CREATE UNIQUE INDEX machine_reservations_token ON public.machine_reservations USING btree (token_id);

create table machine_resources (
  kind text not null,
  name text not null,
  deployment_id bigint not null,
  node_id bigint,
  spec jsonb not null,
  constraint machine_resources_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id),
  constraint machine_resources_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id),
  constraint machine_resources_pkey PRIMARY KEY (kind, name)
);
CREATE INDEX machine_resources_deployment ON public.machine_resources USING btree (deployment_id);
CREATE INDEX machine_resources_node ON public.machine_resources USING btree (node_id);

create table machine_tokens (
  id bigint not null generated always as identity,
  cell text not null,
  region text not null,
  zone text not null,
  secret_hash bytea not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  machine_id bigint,
  constraint machine_tokens_machine_id_fkey FOREIGN KEY (machine_id) REFERENCES machines(id),
  constraint machine_tokens_pkey PRIMARY KEY (id)
);
CREATE INDEX machine_tokens_machine ON public.machine_tokens USING btree (machine_id);

create table machines (
  id bigint not null generated always as identity,
  cell text not null,
  region text not null,
  zone text not null,
  hostname text not null,
  address text not null,
  processor text not null,
  cpus integer not null,
  memory_mib integer not null,
  disk_gib integer not null,
  status text not null default 'active'::text,
  credential_hash bytea not null,
  credential_confirmed boolean not null default false,
  agent_version text not null,
  generation bigint not null default 1,
  observed_generation bigint not null default 0,
  joined_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone,
  removed_at timestamp with time zone,
  agent_sha256 text,
  wanted_agent text,
  wanted_attempt integer,
  agent_refusal text,
  reserved_for text,
  wanted_at timestamp with time zone,
  constraint machines_cpus_check CHECK ((cpus > 0)),
  constraint machines_disk_gib_check CHECK ((disk_gib >= 0)),
  constraint machines_memory_mib_check CHECK ((memory_mib >= 0)),
  constraint machines_processor_check CHECK ((processor = ANY (ARRAY['x64'::text, 'arm64'::text]))),
  constraint machines_status_check CHECK ((status = ANY (ARRAY['active'::text, 'draining'::text, 'removed'::text]))),
  constraint machines_wanted_attempt_fkey FOREIGN KEY (wanted_attempt) REFERENCES agent_rollouts(id),
  constraint machines_pkey PRIMARY KEY (id)
);
CREATE INDEX machines_attempt ON public.machines USING btree (wanted_attempt);
CREATE INDEX machines_place ON public.machines USING btree (cell, region, zone) WHERE (status <> 'removed'::text);

create table mails (
  id bigint not null generated always as identity,
  message_id text not null,
  recipient text not null,
  subject text not null,
  body text not null,
  status text not null default 'waiting'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  last_error text,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  html text,
  constraint mails_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint mails_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text]))),
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_message_id_key UNIQUE (message_id)
);
CREATE INDEX mails_due ON public.mails USING btree (next_attempt_at) WHERE (status = 'waiting'::text);
CREATE INDEX mails_ended ON public.mails USING btree (ended_at) WHERE (status <> 'waiting'::text);

create table member_roles (
  tenant_id bigint not null,
  user_id bigint not null,
  role_id bigint not null,
  constraint member_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id),
  constraint member_roles_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES members(tenant_id, user_id) ON DELETE CASCADE,
  constraint member_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id)
);
CREATE INDEX member_roles_role ON public.member_roles USING btree (role_id);

create table members (
  tenant_id bigint not null,
  user_id bigint not null,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  division_id bigint,
  constraint members_division_id_fkey FOREIGN KEY (division_id) REFERENCES divisions(id),
  constraint members_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint members_pkey PRIMARY KEY (tenant_id, user_id)
);
CREATE INDEX members_user ON public.members USING btree (user_id);

create table metering_intervals (
  id bigint not null generated always as identity,
  event_key text not null,
  tenant_id bigint not null,
  deployment_id bigint not null,
  effective_at timestamp with time zone not null default now(),
  shape jsonb,
  monthly_compute_usd numeric(14,2) not null,
  monthly_storage_usd numeric(14,2) not null,
  pricing_version text not null,
  constraint metering_intervals_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint metering_intervals_pkey PRIMARY KEY (id),
  constraint metering_intervals_event_key_key UNIQUE (event_key)
);
CREATE INDEX metering_intervals_deployment ON public.metering_intervals USING btree (deployment_id, effective_at, id);
CREATE TRIGGER keep_books BEFORE INSERT ON public.metering_intervals FOR EACH ROW EXECUTE FUNCTION keep_books();
CREATE TRIGGER metering_not_truncated BEFORE TRUNCATE ON public.metering_intervals FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER metering_unchanged BEFORE DELETE OR UPDATE ON public.metering_intervals FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

create table metering_transfers (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  deployment_id bigint not null,
  effective_at timestamp with time zone not null,
  bytes bigint not null,
  usd_per_gb numeric(14,6) not null,
  pricing_version text not null,
  metered_at timestamp with time zone not null default now(),
  constraint metering_transfers_bytes_check CHECK ((bytes > 0)),
  constraint metering_transfers_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint metering_transfers_pkey PRIMARY KEY (id)
);
CREATE INDEX metering_transfers_deployment ON public.metering_transfers USING btree (deployment_id, effective_at) INCLUDE (bytes, usd_per_gb);
CREATE TRIGGER keep_books BEFORE INSERT ON public.metering_transfers FOR EACH ROW EXECUTE FUNCTION keep_books();
CREATE TRIGGER metering_not_truncated BEFORE TRUNCATE ON public.metering_transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER metering_unchanged BEFORE DELETE OR UPDATE ON public.metering_transfers FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

create table migrations (
  id integer not null default nextval('migrations_id_seq'::regclass),
  timestamp bigint not null,
  name character varying not null,
  constraint PK_8c82d7f526340ab734260ea46be PRIMARY KEY (id)
);

create table node_alerts (
  node_id bigint not null,
  kind text not null,
  above integer not null,
  since timestamp with time zone,
  sampled_at timestamp with time zone not null,
  constraint node_alerts_kind_check CHECK ((kind = ANY (ARRAY['cpu'::text, 'memory'::text, 'disk'::text]))),
  constraint node_alerts_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint node_alerts_pkey PRIMARY KEY (node_id, kind)
);

create table node_documents (
  node_id bigint not null,
  timeline bigint not null,
  generation bigint not null,
  hash text not null,
  spec text not null,
  published_at timestamp with time zone not null default now(),
  trace_id text not null default ''::text,
  constraint node_documents_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint node_documents_pkey PRIMARY KEY (node_id)
);

create table node_heartbeats (
  deployment_id bigint not null,
  minute timestamp with time zone not null,
  node_id bigint not null,
  beats integer not null,
  last_at timestamp with time zone not null,
  status text not null,
  agent_version text,
  constraint node_heartbeats_pkey PRIMARY KEY (deployment_id, minute, node_id)
) partition by RANGE (minute);

create table node_log_cursors (
  node_id bigint not null,
  cursor text not null,
  previous text,
  stored_at timestamp with time zone not null default now(),
  day date not null default '1970-01-01'::date,
  day_bytes bigint not null default 0,
  day_left_out bigint not null default 0,
  constraint node_log_cursors_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint node_log_cursors_pkey PRIMARY KEY (node_id)
);

create table node_logs (
  id bigint not null generated always as identity,
  deployment_id bigint not null,
  node_id bigint not null,
  at timestamp with time zone not null,
  runtime text not null,
  level text not null,
  message text not null,
  constraint node_logs_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint node_logs_pkey PRIMARY KEY (deployment_id, at, id)
) partition by RANGE (at);
CREATE INDEX node_logs_level ON ONLY public.node_logs USING btree (deployment_id, level, at, id) WHERE (level <> 'info'::text);
CREATE INDEX node_logs_node ON ONLY public.node_logs USING btree (deployment_id, node_id, at, id);
CREATE INDEX node_logs_tail ON ONLY public.node_logs USING btree (deployment_id, id);

create table node_metric_rollups (
  deployment_id bigint not null,
  node_id bigint not null,
  runtime text not null,
  minute timestamp with time zone not null,
  cpu_percent double precision,
  memory_bytes double precision,
  disk_bytes double precision,
  messages double precision,
  streams double precision,
  topics double precision,
  partitions double precision,
  segments double precision,
  clients double precision,
  consumer_groups double precision,
  messages_in double precision,
  messages_out double precision,
  bytes_in double precision,
  bytes_out double precision,
  messages_moved double precision,
  messages_failed double precision,
  lag double precision,
  subscriptions double precision,
  refused_connections double precision,
  refused_logins double precision,
  constraint node_metric_rollups_pkey PRIMARY KEY (deployment_id, node_id, runtime, minute)
) partition by RANGE (minute);

create table node_metrics (
  deployment_id bigint not null,
  node_id bigint not null,
  runtime text not null,
  minute timestamp with time zone not null,
  cpu_percent double precision,
  memory_bytes double precision,
  disk_bytes double precision,
  messages double precision,
  streams double precision,
  topics double precision,
  partitions double precision,
  segments double precision,
  clients double precision,
  consumer_groups double precision,
  messages_in double precision,
  messages_out double precision,
  bytes_in double precision,
  bytes_out double precision,
  messages_moved double precision,
  messages_failed double precision,
  lag double precision,
  subscriptions double precision,
  refused_connections double precision,
  refused_logins double precision,
  constraint node_metrics_pkey PRIMARY KEY (deployment_id, node_id, runtime, minute)
) partition by RANGE (minute);
CREATE INDEX node_metrics_minute ON ONLY public.node_metrics USING brin (minute) WITH (pages_per_range='32');

create table node_orders (
  id bigint not null generated always as identity,
  node_id bigint not null,
  operation_id bigint not null,
  kind text not null,
  parts jsonb not null default '{}'::jsonb,
  options jsonb not null default '{}'::jsonb,
  objects jsonb not null default '{}'::jsonb,
  status text not null default 'open'::text,
  error text,
  results jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint node_orders_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint node_orders_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text, 'failed'::text]))),
  constraint node_orders_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint node_orders_pkey PRIMARY KEY (id)
);
CREATE INDEX node_orders_node ON public.node_orders USING btree (node_id, id);
CREATE INDEX node_orders_operation ON public.node_orders USING btree (operation_id);

create table node_ports (
  address text not null,
  port integer not null,
  node_id bigint not null,
  purpose text not null,
  constraint node_ports_port_check CHECK (((port >= 1) AND (port <= 65535))),
  constraint node_ports_purpose_check CHECK ((purpose = ANY (ARRAY['tcp'::text, 'http'::text, 'websocket'::text, 'udp'::text, 'peer'::text]))),
  constraint node_ports_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint node_ports_pkey PRIMARY KEY (address, port),
  constraint node_ports_node_id_purpose_key UNIQUE (node_id, purpose)
);

create table node_requests (
  id bigint not null generated always as identity,
  node_id bigint not null,
  body jsonb not null,
  answer text,
  error text,
  created_at timestamp with time zone not null default now(),
  answered_at timestamp with time zone,
  constraint node_requests_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint node_requests_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint node_requests_pkey PRIMARY KEY (id)
);
CREATE INDEX node_requests_node ON public.node_requests USING btree (node_id, id);

create table node_revivals (
  node_id bigint not null,
  tries integer not null,
  tried_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  gone_since timestamp with time zone,
  constraint node_revivals_tries_check CHECK ((tries >= 0)),
  constraint node_revivals_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint node_revivals_pkey PRIMARY KEY (node_id)
);

create table nodes (
  id bigint not null generated always as identity,
  deployment_id bigint not null,
  ordinal smallint not null,
  name text not null,
  status text not null default 'pending'::text,
  status_reason text,
  role text not null,
  broker_driver text,
  broker_version text,
  image_id text not null,
  zone text,
  storage_type text not null,
  storage_size integer not null,
  private_ip text,
  public_ip text,
  listen_address text,
  epoch integer not null default 1,
  bootstrap_token text,
  bootstrap_token_hash bytea,
  credential_hash bytea,
  credential_confirmed boolean not null default false,
  agent_version text,
  last_seen_at timestamp with time zone,
  observed_timeline bigint not null default 0,
  observed_generation bigint not null default 0,
  observed_hash text not null default ''::text,
  runtimes jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  drained_at timestamp with time zone,
  unreachable_since timestamp with time zone,
  gauges jsonb not null default '{}'::jsonb,
  variant text,
  memory_mib integer,
  credentials_version integer not null default 1,
  config_id bigint,
  stopped_at timestamp with time zone,
  restarts integer not null default 0,
  held_at timestamp with time zone,
  connectors_stopped_at timestamp with time zone,
  connector_restarts integer not null default 0,
  down_since timestamp with time zone,
  connector_counts jsonb not null default '[]'::jsonb,
  bootstrap_expires_at timestamp with time zone not null default (now() + '00:30:00'::interval),
  constraint nodes_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint nodes_memory_mib_check CHECK ((memory_mib > 0)),
  constraint nodes_role_check CHECK ((role = ANY (ARRAY['leader'::text, 'follower'::text]))),
  constraint nodes_config_id_fkey FOREIGN KEY (config_id) REFERENCES configs(id),
  constraint nodes_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint nodes_pkey PRIMARY KEY (id),
  constraint nodes_deployment_id_ordinal_key UNIQUE (deployment_id, ordinal)
);
CREATE INDEX nodes_config ON public.nodes USING btree (config_id);
CREATE INDEX nodes_unreachable ON public.nodes USING btree (deployment_id) WHERE (unreachable_since IS NOT NULL);

create table notification_channels (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  division_id bigint,
  channel text not null,
  name text not null,
  enabled boolean not null default true,
  destination text not null default ''::text,
  settings text,
  secret text,
  previous_secret text,
  previous_until timestamp with time zone,
  remarks text,
  tested_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  confirmed_address bytea,
  redelivered_at timestamp with time zone,
  notice_due boolean not null default false,
  constraint notification_channels_channel_check CHECK ((channel = ANY (ARRAY['slack'::text, 'webhook'::text, 'email'::text]))),
  constraint notification_channels_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint notification_channels_division_id_fkey FOREIGN KEY (division_id) REFERENCES divisions(id),
  constraint notification_channels_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint notification_channels_pkey PRIMARY KEY (id)
);
CREATE INDEX notification_channels_notice ON public.notification_channels USING btree (tenant_id, id) WHERE notice_due;
CREATE INDEX notification_channels_tenant ON public.notification_channels USING btree (tenant_id, id DESC);
CREATE UNIQUE INDEX notification_channels_name ON public.notification_channels USING btree (tenant_id, COALESCE(division_id, (0)::bigint), lower(name));

create table notification_deliveries (
  id bigint not null generated always as identity,
  created_at timestamp with time zone not null default now(),
  channel_id bigint not null,
  sequence bigint not null,
  message_id uuid not null,
  message_type text not null,
  tenant_id bigint not null,
  division_id bigint,
  environment_id bigint,
  deployment_id bigint,
  subject text not null,
  content text not null,
  data jsonb not null,
  event_at timestamp with time zone not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  give_up_at timestamp with time zone not null default (now() + '24:00:00'::interval),
  delivered_at timestamp with time zone,
  log jsonb not null default '[]'::jsonb,
  status_reason text,
  constraint notification_deliveries_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint notification_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'suppressed'::text]))),
  constraint notification_deliveries_pkey PRIMARY KEY (created_at, id)
) partition by RANGE (created_at);
CREATE INDEX notification_deliveries_again ON ONLY public.notification_deliveries USING btree (channel_id, next_attempt_at) WHERE ((status = 'pending'::text) AND (attempts > 0));
CREATE INDEX notification_deliveries_channel ON ONLY public.notification_deliveries USING btree (channel_id, id DESC);
CREATE INDEX notification_deliveries_first ON ONLY public.notification_deliveries USING btree (channel_id, sequence) WHERE ((status = 'pending'::text) AND (attempts = 0));
CREATE INDEX notification_deliveries_history ON ONLY public.notification_deliveries USING btree (channel_id, id DESC) WHERE (delivered_at IS NOT NULL);

create table notification_lanes (
  channel_id bigint not null,
  last_sequence bigint not null default 0,
  signal_seq bigint not null default 0,
  due_at timestamp with time zone,
  leased_until timestamp with time zone,
  lease_token bigint not null default 0,
  failing_since timestamp with time zone,
  constraint notification_lanes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES notification_channels(id) ON DELETE CASCADE,
  constraint notification_lanes_pkey PRIMARY KEY (channel_id)
);
CREATE INDEX notification_lanes_due ON public.notification_lanes USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX notification_lanes_failing ON public.notification_lanes USING btree (failing_since) WHERE (failing_since IS NOT NULL);

create table notification_subscriptions (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  channel_id bigint not null,
  message_types text[] not null,
  scope_tenant_ids bigint[] not null default '{}'::bigint[],
  scope_division_ids bigint[] not null default '{}'::bigint[],
  scope_environment_ids bigint[] not null default '{}'::bigint[],
  scope_deployment_ids bigint[] not null default '{}'::bigint[],
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint notification_subscriptions_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint notification_subscriptions_message_types_check CHECK ((cardinality(message_types) > 0)),
  constraint notification_subscriptions_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES notification_channels(id) ON DELETE CASCADE,
  constraint notification_subscriptions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint notification_subscriptions_pkey PRIMARY KEY (id)
);
CREATE INDEX notification_subscriptions_channel ON public.notification_subscriptions USING btree (channel_id, id DESC);
CREATE INDEX notification_subscriptions_tenant ON public.notification_subscriptions USING btree (tenant_id);

create table operation_events (
  operation_id bigint not null,
  seq bigint not null,
  at timestamp with time zone not null default clock_timestamp(),
  event text not null,
  step text not null,
  status text not null,
  attempt integer not null,
  detail text,
  constraint operation_events_event_check CHECK ((event = ANY (ARRAY['step'::text, 'waiting'::text, 'retry'::text, 'incident'::text, 'ended'::text]))),
  constraint operation_events_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operations(id),
  constraint operation_events_pkey PRIMARY KEY (operation_id, seq)
);
CREATE INDEX operation_events_at ON public.operation_events USING brin (at);

create table operation_steps (
  operation_id bigint not null,
  seq integer not null,
  name text not null,
  status text not null,
  attempts integer not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone not null,
  error text,
  constraint operation_steps_status_check CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text, 'undone'::text, 'skipped'::text]))),
  constraint operation_steps_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operations(id),
  constraint operation_steps_pkey PRIMARY KEY (operation_id, seq)
);

create table operations (
  id bigint not null generated always as identity,
  type text not null,
  queue text not null,
  tenant_id bigint not null,
  division_id bigint,
  environment_id bigint,
  deployment_id bigint,
  changing boolean not null,
  status text not null default 'pending'::text,
  step text not null,
  step_seq integer not null default 1,
  step_entered_at timestamp with time zone not null default now(),
  step_started_at timestamp with time zone,
  attempt integer not null default 0,
  memo jsonb not null default '{}'::jsonb,
  undo text[] not null default '{}'::text[],
  undoing boolean not null default false,
  wake_at timestamp with time zone not null default now(),
  deadline timestamp with time zone,
  lease_until timestamp with time zone,
  lease_token bigint not null default 0,
  signal_seq bigint not null default 0,
  last_error text,
  reason text,
  incident_id bigint,
  author_id bigint,
  api_key_id bigint,
  trace_id text not null,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  event_seq bigint not null default 0,
  skip_step text,
  cancel_reason text,
  constraint operations_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint operations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))),
  constraint operations_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id),
  constraint operations_pkey PRIMARY KEY (id)
);
CREATE INDEX operations_deployment ON public.operations USING btree (deployment_id, id DESC);
CREATE INDEX operations_due ON public.operations USING btree (queue, wake_at) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text]));
CREATE INDEX operations_tenant ON public.operations USING btree (tenant_id, id DESC);
CREATE UNIQUE INDEX operations_changing ON public.operations USING btree (deployment_id) WHERE (changing AND (status = ANY (ARRAY['pending'::text, 'running'::text])));
CREATE UNIQUE INDEX operations_connectors ON public.operations USING btree (deployment_id) WHERE ((type = 'run_connectors'::text) AND (status = ANY (ARRAY['pending'::text, 'running'::text])));

create table operator_actions (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  operator text not null,
  verb text not null,
  subject text not null,
  tenant_id bigint,
  detail jsonb not null default '{}'::jsonb,
  constraint operator_actions_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint operator_actions_pkey PRIMARY KEY (id)
);

create table outbox (
  id bigint not null generated always as identity,
  event_key text not null,
  type text not null,
  tenant_id bigint not null,
  division_id bigint,
  environment_id bigint,
  deployment_id bigint,
  subject text not null,
  data jsonb not null default '{}'::jsonb,
  trace_id text not null,
  created_at timestamp with time zone not null default now(),
  dispatched_at timestamp with time zone,
  message_id uuid not null default gen_random_uuid(),
  division_name text,
  environment_name text,
  deployment_name text,
  constraint outbox_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_event_key_key UNIQUE (event_key)
);
CREATE INDEX outbox_dispatched ON public.outbox USING btree (dispatched_at) WHERE (dispatched_at IS NOT NULL);
CREATE INDEX outbox_waiting ON public.outbox USING btree (id) WHERE (dispatched_at IS NULL);

create table ownership_transfers (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  from_user_id bigint not null,
  to_user_id bigint not null,
  status text not null default 'pending'::text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  constraint ownership_transfers_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint ownership_transfers_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text, 'replaced'::text]))),
  constraint ownership_transfers_from_user_id_fkey FOREIGN KEY (from_user_id) REFERENCES users(id),
  constraint ownership_transfers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint ownership_transfers_to_user_id_fkey FOREIGN KEY (to_user_id) REFERENCES users(id),
  constraint ownership_transfers_pkey PRIMARY KEY (id)
);
CREATE INDEX ownership_transfers_to ON public.ownership_transfers USING btree (to_user_id, id DESC);
CREATE UNIQUE INDEX ownership_transfers_pending ON public.ownership_transfers USING btree (tenant_id) WHERE (status = 'pending'::text);

create table payment_methods (
  tenant_id bigint not null,
  provider text not null,
  created_at timestamp with time zone not null default now(),
  reference text,
  updated_at timestamp with time zone not null default now(),
  constraint payment_methods_provider_check CHECK ((provider = ANY (ARRAY['manual'::text, 'card'::text]))),
  constraint payment_methods_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint payment_methods_pkey PRIMARY KEY (tenant_id)
);

create table private_connection_consumers (
  id bigint not null generated always as identity,
  private_connection_id bigint not null,
  connection_id text not null,
  owner text not null,
  network text,
  endpoint text,
  status text not null,
  created_at timestamp with time zone not null default now(),
  constraint private_connection_consumers_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint private_connection_consumers_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text, 'closed'::text, 'needs_attention'::text]))),
  constraint private_connection_consumers_private_connection_id_fkey FOREIGN KEY (private_connection_id) REFERENCES private_connections(id) ON DELETE CASCADE,
  constraint private_connection_consumers_pkey PRIMARY KEY (id),
  constraint private_connection_consumers_private_connection_id_connecti_key UNIQUE (private_connection_id, connection_id)
);

create table private_connections (
  id bigint not null generated always as identity,
  deployment_id bigint not null,
  cell text not null,
  kind text not null,
  name text not null,
  remarks text not null default ''::text,
  spec jsonb not null,
  status text not null,
  reason text,
  attributes jsonb,
  deleting_at timestamp with time zone,
  deleted_at timestamp with time zone,
  looked_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  constraint private_connections_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint private_connections_kind_check CHECK ((kind = ANY (ARRAY['vpc_peering'::text, 'network_peering'::text, 'endpoint_service'::text, 'service_attachment'::text]))),
  constraint private_connections_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id),
  constraint private_connections_pkey PRIMARY KEY (id)
);
CREATE INDEX private_connections_looked ON public.private_connections USING btree (cell, looked_at, id) WHERE ((deleted_at IS NULL) AND (deleting_at IS NULL));
CREATE UNIQUE INDEX private_connections_name ON public.private_connections USING btree (deployment_id, kind, lower(name)) WHERE (deleted_at IS NULL);

create table protection_codes (
  action_type text not null,
  resource_id bigint not null,
  tenant_id bigint not null,
  salt bytea not null,
  code_hash bytea not null,
  attempts integer not null default 0,
  requested_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint protection_codes_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint protection_codes_salt_check CHECK ((length(salt) = 16)),
  constraint protection_codes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint protection_codes_pkey PRIMARY KEY (action_type, resource_id)
);
CREATE INDEX protection_codes_expiry ON public.protection_codes USING btree (expires_at);

create table rate_counts (
  subject text not null,
  slot bigint not null,
  count integer not null,
  constraint rate_counts_pkey PRIMARY KEY (subject, slot)
);
CREATE INDEX rate_counts_slot ON public.rate_counts USING btree (slot);

create table roles (
  id bigint not null generated always as identity,
  tenant_id bigint not null,
  name text not null,
  kind text not null,
  permissions jsonb not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint roles_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint roles_kind_check CHECK ((kind = ANY (ARRAY['system'::text, 'custom'::text, 'api_key'::text]))),
  constraint roles_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint roles_pkey PRIMARY KEY (id)
);
CREATE INDEX roles_tenant ON public.roles USING btree (tenant_id, id DESC);
CREATE UNIQUE INDEX roles_name ON public.roles USING btree (tenant_id, lower(name)) WHERE (kind <> 'api_key'::text);

create table schedules (
  name text not null,
  due_at timestamp with time zone not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  last_error text,
  constraint schedules_pkey PRIMARY KEY (name)
);

create table schema_requirements (
  migration text not null,
  reason text not null,
  since timestamp with time zone not null default now(),
  constraint schema_requirements_pkey PRIMARY KEY (migration)
);

create table sessions (
  id bigint not null generated always as identity,
  user_id bigint not null,
  token_hash bytea not null,
  address text not null,
  user_agent text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint sessions_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint sessions_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX sessions_expires ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id, id DESC);

create table sign_in_locks (
  subject text not null,
  failures integer not null,
  since timestamp with time zone not null,
  locked_until timestamp with time zone,
  constraint sign_in_locks_pkey PRIMARY KEY (subject)
);
CREATE INDEX sign_in_locks_since ON public.sign_in_locks USING btree (since);

create table tasks (
  id bigint not null generated always as identity,
  deployment_id bigint not null,
  operation_id bigint not null,
  type text not null,
  config_id bigint,
  author_id bigint,
  created_at timestamp with time zone not null default now(),
  constraint tasks_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint tasks_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployment_runtimes(deployment_id),
  constraint tasks_pkey PRIMARY KEY (id)
);
CREATE INDEX tasks_deployment ON public.tasks USING btree (deployment_id, id DESC);
CREATE INDEX tasks_operation ON public.tasks USING btree (operation_id);

create table telemetry_rollup (
  is_only boolean not null default true,
  rolled_up_to timestamp with time zone not null,
  constraint telemetry_rollup_is_only_check CHECK (is_only),
  constraint telemetry_rollup_pkey PRIMARY KEY (is_only)
);

create table tenants (
  id bigint not null generated always as identity,
  name text not null,
  description text not null default ''::text,
  email text not null default ''::text,
  protected boolean not null default false,
  owner_id bigint not null,
  plan text not null,
  plan_overrides jsonb not null default '{}'::jsonb,
  plan_since timestamp with time zone not null default now(),
  email_domain text,
  email_domain_verified_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  join_policy text not null default 'invite_only'::text,
  block_external_invitations boolean not null default false,
  enforce_domain_only_invitations boolean not null default false,
  external_id uuid not null default gen_random_uuid(),
  code_email text,
  code_email_until timestamp with time zone,
  constraint tenants_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint tenants_join_policy_check CHECK ((join_policy = ANY (ARRAY['invite_only'::text, 'open'::text, 'request_to_join'::text]))),
  constraint tenants_plan_check CHECK ((plan = ANY (ARRAY['basic'::text, 'pro'::text, 'enterprise'::text]))),
  constraint tenants_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint tenants_pkey PRIMARY KEY (id)
);
CREATE INDEX tenants_owner ON public.tenants USING btree (owner_id);
CREATE UNIQUE INDEX tenants_email_domain ON public.tenants USING btree (lower(email_domain)) WHERE ((email_domain IS NOT NULL) AND (deleted_at IS NULL));

create table transfer_marks (
  node_id bigint not null,
  deployment_id bigint not null,
  minute timestamp with time zone not null,
  bytes double precision not null,
  constraint transfer_marks_pkey PRIMARY KEY (node_id)
);
CREATE INDEX transfer_marks_deployment ON public.transfer_marks USING btree (deployment_id);

create table users (
  id bigint not null generated always as identity,
  email text not null,
  name text not null,
  password_hash text not null,
  email_verified_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  password_changed_at timestamp with time zone not null default now(),
  email_canonical text not null default ''::text,
  email_doubled boolean not null default false,
  constraint users_has_mailbox CHECK ((email_canonical <> ''::text)),
  constraint users_id_check CHECK ((id <= '9007199254740991'::bigint)),
  constraint users_pkey PRIMARY KEY (id)
);
CREATE INDEX users_email_canonical ON public.users USING btree (email_canonical);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));
CREATE UNIQUE INDEX users_mailbox ON public.users USING btree (email_canonical) WHERE (NOT email_doubled);
CREATE TRIGGER users_email_canonical BEFORE INSERT OR UPDATE OF email ON public.users FOR EACH ROW EXECUTE FUNCTION fill_email_canonical();

CREATE OR REPLACE FUNCTION public.apply_upgrade(operation bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
declare
  upgrade record;
begin
  update deployment_upgrades set status = 'applied', settled_at = now()
   where operation_id = operation and status = 'pending'
     and exists (select 1 from operations o where o.id = operation and o.status = 'succeeded')
  returning deployment_id, to_shape into upgrade;
  if not found then return; end if;
  update deployments d
     set tier = upgrade.to_shape ->> 'tier',
         managed_tier = upgrade.to_shape ->> 'managed_tier',
         storage_size = (upgrade.to_shape #>> '{storage,size}')::int,
         monthly_compute = (upgrade.to_shape ->> 'monthly_compute')::numeric,
         monthly_storage = (upgrade.to_shape ->> 'monthly_storage')::numeric,
         pricing_version = upgrade.to_shape ->> 'pricing_version',
         telemetry_days = case when d.telemetry_days_explicit
           then least(d.telemetry_days, coalesce((upgrade.to_shape ->> 'telemetry_days')::int, d.telemetry_days))
           else coalesce((upgrade.to_shape ->> 'telemetry_days')::int, d.telemetry_days) end,
         updated_at = now()
   where d.id = upgrade.deployment_id;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_expired_notifications()
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
 SET lock_timeout TO '2s'
AS $function$
declare
  month record;
  dropped text[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_notification_partitions'));
  for month in
    select c.relname as name, to_date(right(c.relname, 7), 'YYYY_MM') as began
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'notification_deliveries'::regclass
  loop
    if (month.began + interval '1 month') at time zone 'utc' < now() - interval '90 days' then
      execute format('drop table %I', month.name);
      dropped := dropped || month.name;
    end if;
  end loop;
  return dropped;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_expired_partitions()
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
 SET lock_timeout TO '2s'
AS $function$
declare
  days int;
  partition text;
  month date;
  dropped text[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_partitions'));
  foreach days in array array[7, 90, 365] loop
    for partition in
      select inhrelid::regclass::text from pg_inherits where inhparent = ('audit_entries_' || days)::regclass order by 1
    loop
      month := to_date(right(partition, 7), 'YYYY_MM');
      continue when (month + interval '1 month') at time zone 'utc' > now() - make_interval(days => days);
      continue when exists (
        select from audit_unsealed u where u.retention_class = days
           and u.created_at < (month + interval '1 month') at time zone 'utc');
      execute 'drop table ' || partition;
      delete from audit_counters c where c.retention_class = days and c.day >= month and c.day < month + interval '1 month';
      dropped := dropped || partition;
    end loop;
  end loop;
  return dropped;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_expired_telemetry()
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
 SET lock_timeout TO '2s'
AS $function$
declare
  longest int := coalesce((select max(telemetry_days) from deployments), 0);
  rolled_up timestamptz := (select rolled_up_to from telemetry_rollup);
  parent text;
  partition text;
  over timestamptz;
  dropped text[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_telemetry_partitions'));
  foreach parent in array array['node_heartbeats', 'node_metrics', 'node_metric_rollups', 'node_logs'] loop
    for partition in select inhrelid::regclass::text from pg_inherits where inhparent = parent::regclass order by 1 loop
      over := (to_date(right(partition, 10), 'YYYY_MM_DD') + 1)::timestamp at time zone 'utc';
      continue when over > now() - make_interval(days => case parent when 'node_metrics' then 2 else greatest(longest, 2) end);
      continue when parent = 'node_metrics' and over > rolled_up;
      execute 'drop table ' || partition;
      dropped := dropped || partition;
    end loop;
  end loop;
  return dropped;
end $function$;

CREATE OR REPLACE FUNCTION public.ensure_notification_partitions()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
declare
  month date;
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_notification_partitions'));
  for ahead in 0..3 loop
    month := date_trunc('month', now() at time zone 'utc') + make_interval(months => ahead);
    execute format(
      'create table if not exists %I partition of notification_deliveries for values from (%L) to (%L)',
      'notification_deliveries' || to_char(month, '_YYYY_MM'),
      month::timestamp at time zone 'utc', (month + interval '1 month')::timestamp at time zone 'utc');
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.ensure_partitions()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
 SET lock_timeout TO '2s'
AS $function$
declare
  parent text;
  partition text;
  month date;
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_partitions'));
  foreach parent in array array['audit_entries_7', 'audit_entries_90', 'audit_entries_365'] loop
    for ahead in 0..3 loop
      month := date_trunc('month', now() at time zone 'utc') + make_interval(months => ahead);
      partition := parent || to_char(month, '_YYYY_MM');
      continue when to_regclass(partition) is not null;
      begin
        execute format(
          'create table %I partition of %I for values from (%L) to (%L)', partition, parent,
          month::timestamp at time zone 'utc', (month + interval '1 month')::timestamp at time zone 'utc');
        perform guard_from_truncate(partition::regclass);
      exception when lock_not_available then
        if ahead = 0 then raise; end if;
        return;
      end;
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.ensure_telemetry_partitions()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
 SET lock_timeout TO '2s'
AS $function$
declare
  parent text;
  partition text;
  day date;
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_telemetry_partitions'));
  for ahead in -1..3 loop
    day := (now() at time zone 'utc')::date + ahead;
    foreach parent in array array['node_heartbeats', 'node_metrics', 'node_metric_rollups', 'node_logs'] loop
      partition := parent || to_char(day, '_YYYY_MM_DD');
      continue when to_regclass(partition) is not null;
      begin
        execute format('create table %I partition of %I for values from (%L) to (%L)', partition, parent,
          day::timestamp at time zone 'utc', (day + 1)::timestamp at time zone 'utc');
      exception when lock_not_available then
        if ahead <= 0 then raise; end if;
        return;
      end;
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.fill_email_canonical()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if new.email_canonical = '' or (tg_op = 'UPDATE' and new.email is distinct from old.email
                                       and new.email_canonical is not distinct from old.email_canonical) then
      new.email_canonical := lower(new.email);
    end if;
    return new;
  end $function$;

CREATE OR REPLACE FUNCTION public.guard_from_truncate(name regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
begin
  execute format(
    'create trigger audit_not_truncated before truncate on %s for each statement execute function refuse_audit_change()',
    name);
end $function$;

CREATE OR REPLACE FUNCTION public.keep_books()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('landlord.books', 0));
  new.effective_at := greatest(new.effective_at,
    (select (max(month) + interval '1 month')::timestamp at time zone 'utc' from billing_months));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
begin
  insert into audit_unsealed (tenant_id, id, retention_class, created_at, type, division_id)
  values (new.tenant_id, new.id, new.retention_class, new.created_at, new.type, new.division_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only: what is written there is never changed or deleted', tg_table_name
    using errcode = 'restrict_violation', hint = 'Whole partitions leave once their retention is over.';
end $function$;

CREATE OR REPLACE FUNCTION public.round_half_even(amount numeric, places integer)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select case
    when abs(amount * 10::numeric ^ places) % 1 = 0.5 then round(2 * round(amount * 10::numeric ^ places / 2) / 10::numeric ^ places, places)
    else round(amount, places)
  end
$function$;
