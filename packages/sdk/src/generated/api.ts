// Made by `npm run clients` from the OpenAPI documents. Do not edit.

import type { Accepted, EventMethod, Method, PagedMethod } from '../calls.js';
import type * as Main from './main-types.js';
import type * as Supervisor from './supervisor-types.js';

/** The methods for every request of both APIs. */
export interface Api {
  accessRules: {
    /**
     * Allows clients of the CIDRs to connect by the enabled protocols. Every node enforces the rule within one second.
     *
     * Needs the permission `deployment:access:manage`.
     *
     * `POST /deployments/{deployment_id}/access_rules`
     */
    create: Method<Supervisor.AccessRulesCreateData, Supervisor.AccessRulesCreateResponses[201]>;
    /**
     * Ends the rule at once: connections that no other rule allows are cut.
     *
     * Needs the permission `deployment:access:manage`.
     *
     * `DELETE /deployments/{deployment_id}/access_rules/{access_rule_id}`
     */
    delete: Method<Supervisor.AccessRulesDeleteData, void>;
    /**
     * Reads the address from which the Supervisor sees the caller, for a rule that admits the caller.
     *
     * Needs the permission `deployment:access:read`.
     *
     * `GET /deployments/{deployment_id}/access_rules/caller`
     */
    getCaller: Method<Supervisor.AccessRulesGetCallerData, Supervisor.AccessRulesGetCallerResponses[200]>;
    /**
     * Lists the access rules, newest first. Without a rule no client can connect.
     *
     * Needs the permission `deployment:access:read`.
     *
     * `GET /deployments/{deployment_id}/access_rules`
     */
    list: Method<Supervisor.AccessRulesListData, Supervisor.AccessRulesListResponses[200]>;
  };
  account: {
    /**
     * Changes your password, and ends all your other sessions. Wrong passwords count like those at sign-in.
     *
     * `PUT /account/password`
     */
    changePassword: Method<Main.AccountChangePasswordData, void>;
    /**
     * Reads the signed-in user and the tenants of the user.
     *
     * `GET /account`
     */
    get: Method<Main.AccountGetData, Main.AccountGetResponses[200]>;
    /**
     * Mails another link to verify the address, which replaces the last one; at most one a minute.
     *
     * `POST /account/verification`
     */
    sendVerification: Method<Main.AccountSendVerificationData, void>;
    /**
     * Creates a user and a tenant of plan Basic that the user owns. The response is the same when the address already
     * has an account: the owner of the address gets a mail. A mailed link verifies the address. Before that, the user
     * can only read and change the own account, and every other request is 403 `email_not_verified`.
     *
     * `POST /account/sign_up`
     */
    signUp: Method<Main.AccountSignUpData, Main.AccountSignUpResponses[201]>;
    /**
     * Changes your name.
     *
     * `PUT /account/settings`
     */
    update: Method<Main.AccountUpdateData, void>;
    /**
     * Verifies the e-mail address with the token of the mailed link and the password of the account. A wrong password
     * counts like a failed sign-in and does not use up the token. The first user with an address in an organization's
     * domain claims the domain for the own tenant. Later users follow the join policy of that tenant.
     *
     * `POST /account/verify`
     */
    verifyEmail: Method<Main.AccountVerifyEmailData, Main.AccountVerifyEmailResponses[200]>;
  };
  activities: {
    /**
     * Lists the actions on the runtimes of the nodes, newest first, one entry for each node.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/activities`
     */
    list: PagedMethod<Supervisor.ActivitiesListData, Supervisor.ActivitiesListResponses[200]>;
    /**
     * Starts, stops, restarts or reconfigures the runtime of all nodes, or of some nodes. Nodes change one at a time,
     * and the next node waits until the node before is healthy. A node that does not start with a new configuration
     * returns to the old configuration.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /deployments/{deployment_id}/activities/{runtime}/{action}`
     */
    request: Method<Supervisor.ActivitiesRequestData, Accepted<Supervisor.ActivitiesRequestResponses[202]>>;
  };
  apiKeys: {
    /**
     * Creates a key. Only this response contains the secret. A caller cannot grant permissions that the caller does not
     * hold.
     *
     * Needs the permission `api_key:manage`.
     *
     * `POST /tenants/{tenant_id}/api_keys`
     */
    create: Method<Main.ApiKeysCreateData, Main.ApiKeysCreateResponses[201]>;
    /**
     * Deletes a key. The key stops working at once in both APIs, and streams that it opened end. Allowed callers: the
     * owner of the key and the owner of the tenant, both by session, and every caller who holds all permissions of the
     * key.
     *
     * Needs the permission `api_key:manage`.
     *
     * `DELETE /tenants/{tenant_id}/api_keys/{api_key_id}`
     */
    delete: Method<Main.ApiKeysDeleteData, void>;
    /**
     * Reads one key with its permissions.
     *
     * Needs the permission `api_key:read`.
     *
     * `GET /tenants/{tenant_id}/api_keys/{api_key_id}`
     */
    get: Method<Main.ApiKeysGetData, Main.ApiKeysGetResponses[200]>;
    /**
     * Reads the calling key. Use this request to validate a key and to see its scope. The response is never 403.
     *
     * `GET /tenants/{tenant_id}/api_keys/context`
     */
    getContext: Method<Main.ApiKeysGetContextData, Main.ApiKeysGetContextResponses[200]>;
    /**
     * Lists the keys of the tenant. A key of a division sees the keys of that division.
     *
     * Needs the permission `api_key:read`.
     *
     * `GET /tenants/{tenant_id}/api_keys`
     */
    list: PagedMethod<Main.ApiKeysListData, Main.ApiKeysListResponses[200]>;
    /**
     * Restricts a key to IP addresses, or removes the restriction. A caller who allows more addresses for another
     * user's key needs all permissions of the key and becomes its owner.
     *
     * Needs the permission `api_key:manage`.
     *
     * `PUT /tenants/{tenant_id}/api_keys/{api_key_id}/security`
     */
    restrict: Method<Main.ApiKeysRestrictData, void>;
    /**
     * Replaces the secret of a key. Both secrets work for `overlap_seconds`. Role, scope and expiry stay unchanged. The
     * caller needs all permissions of the key and becomes the owner of the key. An expired key cannot be rotated. Of
     * several rotations at the same time, one takes place, and the others get 409. The previous secret of a key rotates
     * it no more.
     *
     * Needs the permission `api_key:manage`.
     *
     * `POST /tenants/{tenant_id}/api_keys/{api_key_id}/rotate`
     */
    rotate: Method<Main.ApiKeysRotateData, Main.ApiKeysRotateResponses[200]>;
  };
  audit: {
    /**
     * Streams the entries that the filters find, oldest first, one JSON document a line. An export that is cut short
     * has no proper end: the connection breaks.
     *
     * Needs the permission `audit:read`.
     *
     * `GET /audit/tenants/{tenant_id}/export`
     */
    export: Method<Main.AuditExportData, Response>;
    /**
     * Lists the events of the tenant, newest first. A key of a division sees the events of that division.
     *
     * Needs the permission `audit:read`.
     *
     * `GET /audit/tenants/{tenant_id}`
     */
    list: PagedMethod<Main.AuditListData, Main.AuditListResponses[200]>;
    /**
     * Lists the types of audit entries.
     *
     * Needs the permission `audit:read`.
     *
     * `GET /audit/types`
     */
    listTypes: Method<Main.AuditListTypesData, Main.AuditListTypesResponses[200]>;
    /**
     * Verifies that no entry was changed, deleted or inserted after it was sealed.
     *
     * Needs the permission `audit:read`.
     *
     * `GET /audit/tenants/{tenant_id}/verify`
     */
    verify: Method<Main.AuditVerifyData, Main.AuditVerifyResponses[200]>;
  };
  availableConnectors: {
    /**
     * Lists the catalogue of connectors: which the nodes have, which the plan includes, and which are activated.
     *
     * Needs the permission `deployment:connector:read`.
     *
     * `GET
     * /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/connectors`
     */
    list: PagedMethod<Main.AvailableConnectorsListData, Main.AvailableConnectorsListResponses[200]>;
  };
  backupSchedules: {
    /**
     * Ends the schedule. Its backups stay until they expire. Experimental.
     *
     * Needs the permission `deployment:manage`.
     *
     * `DELETE /deployments/{deployment_id}/backups/schedule`
     */
    delete: Method<Supervisor.BackupSchedulesDeleteData, void>;
    /**
     * Reads the schedule of the backups. Experimental.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/backups/schedule`
     */
    get: Method<Supervisor.BackupSchedulesGetData, Supervisor.BackupSchedulesGetResponses[200]>;
    /**
     * Sets when the deployment is backed up, and how many of these backups stay. Only backups of the schedule are
     * deleted. After an outage one missed backup is taken. Experimental.
     *
     * Needs the permission `deployment:manage`.
     *
     * `PUT /deployments/{deployment_id}/backups/schedule`
     */
    put: Method<Supervisor.BackupSchedulesPutData, Supervisor.BackupSchedulesPutResponses[200]>;
  };
  backups: {
    /**
     * Takes a backup of all nodes, or of one node, while clients stay connected. The list and the operation show the
     * progress. Available for AWS deployments with network storage. Experimental.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /deployments/{deployment_id}/backups`
     */
    create: Method<Supervisor.BackupsCreateData, Accepted<{ backup_id: number }>>;
    /**
     * Deletes a backup and its stored data. A backup that is being taken cannot be deleted. Experimental.
     *
     * Needs the permission `deployment:manage`.
     *
     * `DELETE /deployments/{deployment_id}/backups/{backup_id}`
     */
    delete: Method<Supervisor.BackupsDeleteData, Accepted<object>>;
    /**
     * Lists the backups of the deployment, newest first. Experimental.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/backups`
     */
    list: Method<Supervisor.BackupsListData, Supervisor.BackupsListResponses[200]>;
    /**
     * Replaces the data of the nodes with the data of the backup. The deployment stops and starts again, and data
     * written after the backup is lost. The operation rejects a damaged backup before the deployment stops.
     * Experimental.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /deployments/{deployment_id}/backups/{backup_id}/restore`
     */
    restore: Method<Supervisor.BackupsRestoreData, Accepted<object>>;
  };
  billing: {
    /**
     * Removes the payment method. Afterwards the tenant cannot create or upgrade paid deployments. The request is
     * refused while paid deployments exist.
     *
     * Needs the permission `billing:manage`.
     *
     * `DELETE /tenants/{tenant_id}/billing/payments/method`
     */
    deletePaymentMethod: Method<Main.BillingDeletePaymentMethodData, void>;
    /**
     * Reads the billing address of the tenant.
     *
     * Needs the permission `billing:read`.
     *
     * `GET /tenants/{tenant_id}/billing/info`
     */
    getInfo: Method<Main.BillingGetInfoData, Main.BillingGetInfoResponses[200]>;
    /**
     * Reads how the tenant pays.
     *
     * Needs the permission `billing:read`.
     *
     * `GET /tenants/{tenant_id}/billing/payments/method`
     */
    getPaymentMethod: Method<Main.BillingGetPaymentMethodData, Main.BillingGetPaymentMethodResponses[200]>;
    /**
     * Changes the billing address of the tenant. Members that are left out stay unchanged. Issued invoices keep the old
     * address.
     *
     * Needs the permission `billing:manage`.
     *
     * `PUT /tenants/{tenant_id}/billing/info`
     */
    setInfo: Method<Main.BillingSetInfoData, Main.BillingSetInfoResponses[200]>;
    /**
     * Sets the payment method of the tenant and replaces the current method. The method `manual` needs an invoice
     * agreement from the operator of the installation.
     *
     * Needs the permission `billing:manage`.
     *
     * `PUT /tenants/{tenant_id}/billing/payments/method`
     */
    setPaymentMethod: Method<Main.BillingSetPaymentMethodData, Main.BillingSetPaymentMethodResponses[200]>;
  };
  billingReports: {
    /**
     * Reads the report of a month with the charges of each deployment.
     *
     * Needs the permission `billing:read`.
     *
     * `GET /tenants/{tenant_id}/billing/reports/{billing_report_id}`
     */
    get: Method<Main.BillingReportsGetData, Main.BillingReportsGetResponses[200]>;
    /**
     * Lists the months with charges. A caller of one division sees the division's part.
     *
     * Needs the permission `billing:read`.
     *
     * `GET /tenants/{tenant_id}/billing/reports`
     */
    list: PagedMethod<Main.BillingReportsListData, Main.BillingReportsListResponses[200]>;
    /**
     * Lists the charges of each deployment, highest first.
     *
     * Needs the permission `billing:read`.
     *
     * `GET /tenants/{tenant_id}/billing/reports/{billing_report_id}/lines`
     */
    listLines: PagedMethod<Main.BillingReportsListLinesData, Main.BillingReportsListLinesResponses[200]>;
  };
  byoc: {
    /**
     * Checks whether deployments can be created in an account of the customer. The request creates nothing there.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/byoc/validate`
     */
    validate: Method<Supervisor.ByocValidateData, Supervisor.ByocValidateResponses[200]>;
  };
  catalog: {
    /**
     * Lists the clouds.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/clouds`
     */
    listClouds: Method<Main.CatalogListCloudsData, Main.CatalogListCloudsResponses[200]>;
    /**
     * Lists the regions of a cloud.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/clouds/{cloud}/regions`
     */
    listRegions: Method<Main.CatalogListRegionsData, Main.CatalogListRegionsResponses[200]>;
    /**
     * Lists the storage types in a region.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/clouds/{cloud}/regions/{region}/storages`
     */
    listStorages: Method<Main.CatalogListStoragesData, Main.CatalogListStoragesResponses[200]>;
    /**
     * Lists the compute sizes in a region, with how many more the plan permits.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/clouds/{cloud}/regions/{region}/tiers`
     */
    listTiers: Method<Main.CatalogListTiersData, Main.CatalogListTiersResponses[200]>;
  };
  certificates: {
    /**
     * Reads the certificate that every node of the deployment presents, and the certificate authority that verifies it.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/certificates`
     */
    get: Method<Supervisor.CertificatesGetData, Supervisor.CertificatesGetResponses[200]>;
    /**
     * Replaces the certificate and the key of every node. Existing connections stay open, and new connections get the
     * new certificate. This API shows the old certificate until the operation has succeeded.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /deployments/{deployment_id}/certificates/rotate`
     */
    rotate: Method<Supervisor.CertificatesRotateData, Accepted<Supervisor.CertificatesRotateResponses[202]>>;
  };
  channels: {
    /**
     * Creates a channel. A channel without subscriptions receives every event of its owner. Only this response contains
     * the secret of a webhook. An e-mail channel sends nothing until its address is confirmed by a mailed link. The
     * verified address of an active member needs no link.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/channels`
     */
    create: Method<Main.ChannelsCreateData, Main.ChannelsCreateResponses[201]>;
    /**
     * Creates a channel. A channel without subscriptions receives every event of its owner. Only this response contains
     * the secret of a webhook. An e-mail channel sends nothing until its address is confirmed by a mailed link. The
     * verified address of an active member needs no link.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/channels`
     */
    createInDivision: Method<Main.ChannelsCreateInDivisionData, Main.ChannelsCreateInDivisionResponses[201]>;
    /**
     * Deletes a channel with its subscriptions. Pending deliveries are dropped.
     *
     * Needs the permission `notifications:manage`.
     *
     * `DELETE /tenants/{tenant_id}/channels/{channel_id}`
     */
    delete: Method<Main.ChannelsDeleteData, void>;
    /**
     * Deletes a channel with its subscriptions. Pending deliveries are dropped.
     *
     * Needs the permission `notifications:manage`.
     *
     * `DELETE /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}`
     */
    deleteInDivision: Method<Main.ChannelsDeleteInDivisionData, void>;
    /**
     * Reads one channel with destination and settings. Header values are masked. Callers with read permission only get
     * a masked destination.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/channels/{channel_id}`
     */
    get: Method<Main.ChannelsGetData, Main.ChannelsGetResponses[200]>;
    /**
     * Reads one channel with destination and settings. Header values are masked. Callers with read permission only get
     * a masked destination.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}`
     */
    getInDivision: Method<Main.ChannelsGetInDivisionData, Main.ChannelsGetInDivisionResponses[200]>;
    /**
     * Lists the channels: of the tenant, or of the division, without destination and settings.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/channels`
     */
    list: PagedMethod<Main.ChannelsListData, Main.ChannelsListResponses[200]>;
    /**
     * Lists the channels: of the tenant, or of the division, without destination and settings.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/channels`
     */
    listInDivision: PagedMethod<Main.ChannelsListInDivisionData, Main.ChannelsListInDivisionResponses[200]>;
    /**
     * Mails another confirmation link to the address of the channel. Each address gets at most one such mail an hour.
     * Each tenant mails to at most 20 addresses a day that do not belong to its members.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/channels/{channel_id}/confirmation`
     */
    requestConfirmation: Method<Main.ChannelsRequestConfirmationData, void>;
    /**
     * Mails another confirmation link to the address of the channel. Each address gets at most one such mail an hour.
     * Each tenant mails to at most 20 addresses a day that do not belong to its members.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/confirmation`
     */
    requestConfirmationInDivision: Method<Main.ChannelsRequestConfirmationInDivisionData, void>;
    /**
     * Replaces the signing secret of a webhook. Deliveries carry both signatures for `overlap_seconds`. Of several
     * rotations at the same time, one takes place, and the others get 409.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/channels/{channel_id}/rotate`
     */
    rotate: Method<Main.ChannelsRotateData, Main.ChannelsRotateResponses[200]>;
    /**
     * Replaces the signing secret of a webhook. Deliveries carry both signatures for `overlap_seconds`. Of several
     * rotations at the same time, one takes place, and the others get 409.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/rotate`
     */
    rotateInDivision: Method<Main.ChannelsRotateInDivisionData, Main.ChannelsRotateInDivisionResponses[200]>;
    /**
     * Sends a test notification and ignores subscriptions. The result appears in the deliveries. Limited to one test
     * every 10 seconds.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/channels/{channel_id}/test`
     */
    test: Method<Main.ChannelsTestData, void>;
    /**
     * Sends a test notification and ignores subscriptions. The result appears in the deliveries. Limited to one test
     * every 10 seconds.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/test`
     */
    testInDivision: Method<Main.ChannelsTestInDivisionData, void>;
    /**
     * Changes a channel. Members that are left out, and masks that are sent back, stay unchanged. Stored values of
     * headers are not kept for a destination with another scheme, host or port. A changed e-mail address is
     * unconfirmed.
     *
     * Needs the permission `notifications:manage`.
     *
     * `PUT /tenants/{tenant_id}/channels/{channel_id}`
     */
    update: Method<Main.ChannelsUpdateData, void>;
    /**
     * Changes a channel. Members that are left out, and masks that are sent back, stay unchanged. Stored values of
     * headers are not kept for a destination with another scheme, host or port. A changed e-mail address is
     * unconfirmed.
     *
     * Needs the permission `notifications:manage`.
     *
     * `PUT /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}`
     */
    updateInDivision: Method<Main.ChannelsUpdateInDivisionData, void>;
  };
  cloudAccounts: {
    /**
     * Saves a cloud account of the tenant.
     *
     * Needs the permission `settings:manage`.
     *
     * `POST /tenants/{tenant_id}/cloud_accounts`
     */
    create: Method<Main.CloudAccountsCreateData, Main.CloudAccountsCreateResponses[201]>;
    /**
     * Removes a cloud account. Its BYOC deployments keep running, but cannot be provisioned again.
     *
     * Needs the permission `settings:manage`.
     *
     * `DELETE /tenants/{tenant_id}/cloud_accounts/{cloud_account_id}`
     */
    delete: Method<Main.CloudAccountsDeleteData, void>;
    /**
     * Reads one cloud account with settings and remarks.
     *
     * Needs the permission `settings:read`.
     *
     * `GET /tenants/{tenant_id}/cloud_accounts/{cloud_account_id}`
     */
    get: Method<Main.CloudAccountsGetData, Main.CloudAccountsGetResponses[200]>;
    /**
     * Lists the cloud accounts, without settings and remarks.
     *
     * Needs the permission `settings:read`.
     *
     * `GET /tenants/{tenant_id}/cloud_accounts`
     */
    list: PagedMethod<Main.CloudAccountsListData, Main.CloudAccountsListResponses[200]>;
    /**
     * Changes a cloud account; members that are left out stay unchanged.
     *
     * Needs the permission `settings:manage`.
     *
     * `PUT /tenants/{tenant_id}/cloud_accounts/{cloud_account_id}`
     */
    update: Method<Main.CloudAccountsUpdateData, void>;
  };
  configs: {
    /**
     * Makes a version the active one. Nodes keep their configuration until a task of type `broker:reconfigure` applies
     * the active version.
     *
     * Needs the permission `deployment:config:manage`.
     *
     * `PUT /deployments/{deployment_id}/configs/broker/{config_name}/activate/{version}`
     */
    activate: Method<Supervisor.ConfigsActivateData, void>;
    /**
     * Saves a configuration as the next version of its name. Nodes keep their current configuration until the new
     * version is applied.
     *
     * Needs the permission `deployment:config:manage`.
     *
     * `POST /deployments/{deployment_id}/configs/broker`
     */
    create: Method<Supervisor.ConfigsCreateData, Supervisor.ConfigsCreateResponses[201]>;
    /**
     * Deletes a version that is not the active one and that no node runs by.
     *
     * Needs the permission `deployment:config:manage`.
     *
     * `DELETE /deployments/{deployment_id}/configs/broker/{config_id}`
     */
    delete: Method<Supervisor.ConfigsDeleteData, void>;
    /**
     * Compares two versions and returns the changed keys, defaults included. For secrets the response shows only that
     * they changed.
     *
     * Needs the permission `deployment:config:read`.
     *
     * `GET /deployments/{deployment_id}/configs/broker/{config_name}/versions/{version}/diff`
     */
    diff: Method<Supervisor.ConfigsDiffData, Supervisor.ConfigsDiffResponses[200]>;
    /**
     * Reads one version by its id.
     *
     * Needs the permission `deployment:config:read`.
     *
     * `GET /deployments/{deployment_id}/configs/broker/{config_id}`
     */
    get: Method<Supervisor.ConfigsGetData, Supervisor.ConfigsGetResponses[200]>;
    /**
     * Reads the active configuration. Nodes may still run by another: a task or an activity applies it.
     *
     * Needs the permission `deployment:config:read`.
     *
     * `GET /deployments/{deployment_id}/configs/broker/primary`
     */
    getPrimary: Method<Supervisor.ConfigsGetPrimaryData, Supervisor.ConfigsGetPrimaryResponses[200]>;
    /**
     * Returns the schema of the broker's configuration, by section.
     *
     * Needs the permission `deployment:config:read`.
     *
     * `GET /deployments/{deployment_id}/configs/broker/schema`
     */
    getSchema: Method<Supervisor.ConfigsGetSchemaData, Supervisor.ConfigsGetSchemaResponses[200]>;
    /**
     * Reads one version by name and number.
     *
     * Needs the permission `deployment:config:read`.
     *
     * `GET /deployments/{deployment_id}/configs/broker/{config_name}/versions/{version}`
     */
    getVersion: Method<Supervisor.ConfigsGetVersionData, Supervisor.ConfigsGetVersionResponses[200]>;
    /**
     * Lists all versions of all named configurations, newest first.
     *
     * Needs the permission `deployment:config:read`.
     *
     * `GET /deployments/{deployment_id}/configs/broker`
     */
    list: Method<Supervisor.ConfigsListData, Supervisor.ConfigsListResponses[200]>;
    /**
     * Lists the versions of one configuration, newest first.
     *
     * Needs the permission `deployment:config:read`.
     *
     * `GET /deployments/{deployment_id}/configs/broker/{config_name}/versions`
     */
    listVersions: Method<Supervisor.ConfigsListVersionsData, Supervisor.ConfigsListVersionsResponses[200]>;
  };
  connectorConfigs: {
    /**
     * Makes a version of the instance the active one and reconfigures the instance.
     *
     * Needs the permission `deployment:config:manage`.
     *
     * `PUT /deployments/{deployment_id}/configs/connector:{type}:{key}/{config_name}/activate/{version}`
     */
    activate: Method<Supervisor.ConnectorConfigsActivateData, Accepted<object>>;
    /**
     * Saves the configuration of the instance with the key `name` as its next version. With `activate` the instance is
     * reconfigured at once. Otherwise the instance keeps its current configuration.
     *
     * Needs the permission `deployment:config:manage`.
     *
     * `POST /deployments/{deployment_id}/configs/connector:{type}:{key}`
     */
    create: Method<Supervisor.ConnectorConfigsCreateData, Accepted<Supervisor.ConnectorConfigsCreateResponses[201]>>;
    /**
     * Deletes a version. The active version, and a version that the instance still runs with, cannot be deleted.
     *
     * Needs the permission `deployment:config:manage`.
     *
     * `DELETE /deployments/{deployment_id}/configs/connector:{type}:{key}/{config_id}`
     */
    delete: Method<Supervisor.ConnectorConfigsDeleteData, void>;
    /**
     * Reads the active configuration of an instance, secrets masked.
     *
     * Needs the permission `deployment:config:read`.
     *
     * `GET /deployments/{deployment_id}/configs/connector:{type}:{key}/primary`
     */
    getPrimary: Method<Supervisor.ConnectorConfigsGetPrimaryData, Supervisor.ConnectorConfigsGetPrimaryResponses[200]>;
    /**
     * Returns the schema of the configuration of the connector's instances: the section of its type, and
     * `plugin_config`.
     *
     * Needs the permission `deployment:config:read`.
     *
     * `GET /deployments/{deployment_id}/configs/connector:{type}:{key}/schema`
     */
    getSchema: Method<Supervisor.ConnectorConfigsGetSchemaData, Supervisor.ConnectorConfigsGetSchemaResponses[200]>;
    /**
     * Lists the versions of the configuration of an instance, newest first.
     *
     * Needs the permission `deployment:config:read`.
     *
     * `GET /deployments/{deployment_id}/configs/connector:{type}:{key}/{config_name}/versions`
     */
    listVersions: Method<Supervisor.ConnectorConfigsListVersionsData, Supervisor.ConnectorConfigsListVersionsResponses[200]>;
  };
  connectors: {
    /**
     * Activates a connector with a disabled configuration. The connector starts its work when an enabled configuration
     * becomes active.
     *
     * Needs the permission `deployment:connector:manage`.
     *
     * `POST
     * /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/connectors/activate`
     */
    activate: Method<Main.ConnectorsActivateData, Accepted<Main.ConnectorsActivateResponses[202]>>;
    /**
     * Stops an instance and removes it from all nodes, with its configurations. Its key can be used again.
     *
     * Needs the permission `deployment:connector:manage`.
     *
     * `DELETE /deployments/{deployment_id}/connectors/instances/{connector_instance_id}`
     */
    delete: Method<Supervisor.ConnectorsDeleteData, void>;
    /**
     * Lists the activated connectors, in the order of their activation.
     *
     * Needs the permission `deployment:connector:read`.
     *
     * `GET /deployments/{deployment_id}/connectors/instances`
     */
    list: Method<Supervisor.ConnectorsListData, Supervisor.ConnectorsListResponses[200]>;
  };
  deadLetters: {
    /**
     * Deletes all refused messages of an instance.
     *
     * Needs the permission `deployment:connector:manage`.
     *
     * `DELETE /deployments/{deployment_id}/connectors/instances/{connector_instance_id}/dead_letters`
     */
    delete: Method<Supervisor.DeadLettersDeleteData, void>;
    /**
     * Lists the messages that the destination of a sink refused for good, oldest first. The node keeps at most 10,000
     * messages of all its sinks, for seven days.
     *
     * Needs the permission `deployment:connector:read`.
     *
     * `GET /deployments/{deployment_id}/connectors/instances/{connector_instance_id}/dead_letters`
     */
    list: PagedMethod<Supervisor.DeadLettersListData, Supervisor.DeadLettersListResponses[200]>;
    /**
     * Delivers refused messages again. A message that is refused again stays, with one more attempt.
     *
     * Needs the permission `deployment:connector:manage`.
     *
     * `POST /deployments/{deployment_id}/connectors/instances/{connector_instance_id}/dead_letters/replay`
     */
    replay: Method<Supervisor.DeadLettersReplayData, Supervisor.DeadLettersReplayResponses[200]>;
  };
  deliveries: {
    /**
     * Reads one delivery with its attempts.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/channels/{channel_id}/deliveries/{delivery_id}`
     */
    get: Method<Main.DeliveriesGetData, Main.DeliveriesGetResponses[200]>;
    /**
     * Reads one delivery with its attempts.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/deliveries/{delivery_id}`
     */
    getInDivision: Method<Main.DeliveriesGetInDivisionData, Main.DeliveriesGetInDivisionResponses[200]>;
    /**
     * Lists the deliveries of the channel, with the last attempt of each.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/channels/{channel_id}/deliveries`
     */
    list: PagedMethod<Main.DeliveriesListData, Main.DeliveriesListResponses[200]>;
    /**
     * Lists the notifications that were delivered; they are kept for 90 days.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/channels/{channel_id}/notifications`
     */
    listAttempts: PagedMethod<Main.DeliveriesListAttemptsData, Main.DeliveriesListAttemptsResponses[200]>;
    /**
     * Lists the notifications that were delivered; they are kept for 90 days.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/notifications`
     */
    listAttemptsInDivision: PagedMethod<Main.DeliveriesListAttemptsInDivisionData, Main.DeliveriesListAttemptsInDivisionResponses[200]>;
    /**
     * Lists the deliveries of the channel, with the last attempt of each.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/deliveries`
     */
    listInDivision: PagedMethod<Main.DeliveriesListInDivisionData, Main.DeliveriesListInDivisionResponses[200]>;
    /**
     * Redelivers a delivery that succeeded or failed, with the same `webhook-id` and retries for 24 hours. Limited to
     * one redelivery every 10 seconds.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/channels/{channel_id}/deliveries/{delivery_id}/redeliver`
     */
    redeliver: Method<Main.DeliveriesRedeliverData, void>;
    /**
     * Redelivers a delivery that succeeded or failed, with the same `webhook-id` and retries for 24 hours. Limited to
     * one redelivery every 10 seconds.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/deliveries/{delivery_id}/redeliver`
     */
    redeliverInDivision: Method<Main.DeliveriesRedeliverInDivisionData, void>;
  };
  deployments: {
    /**
     * Creates a deployment in the customer's own account. The deployment is readable at once, and its operation shows
     * the progress.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/byoc`
     */
    createByoc: Method<Main.DeploymentsCreateByocData, Accepted<Main.DeploymentsCreateByocResponses[202]>>;
    /**
     * Creates a managed deployment. The deployment is readable at once, and its operation shows the progress.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/managed`
     */
    createManaged: Method<Main.DeploymentsCreateManagedData, Accepted<Main.DeploymentsCreateManagedResponses[202]>>;
    /**
     * Creates a Free deployment with one node. A missing environment is created.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/deployments/starter`
     */
    createStarter: Method<Main.DeploymentsCreateStarterData, Accepted<Main.DeploymentsCreateStarterResponses[202]>>;
    /**
     * Deletes a deployment with its nodes, data, configuration, backups and telemetry. The deletion takes precedence
     * over running operations.
     *
     * Needs the permission `deployment:manage`.
     *
     * `DELETE /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}`
     */
    delete: Method<Main.DeploymentsDeleteData, Accepted<Main.DeploymentsDeleteResponses[202]>>;
    /**
     * Reserved: the number of nodes follows the throughput at creation, and no deployment is extended.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST
     * /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/extend`
     */
    extend: Method<Main.DeploymentsExtendData, Main.DeploymentsExtendResponses[200]>;
    /**
     * Reads one deployment. The Supervisor at `supervisor_url` has its live state.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}`
     */
    get: Method<Main.DeploymentsGetData, Main.DeploymentsGetResponses[200]>;
    /**
     * Returns the steps that prepare an account at the cloud provider for deployments. The request creates nothing.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/byoc/setup`
     */
    getByocSetup: Method<Main.DeploymentsGetByocSetupData, Main.DeploymentsGetByocSetupResponses[200]>;
    /**
     * Lists the deployments of the environment.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments`
     */
    list: PagedMethod<Main.DeploymentsListData, Main.DeploymentsListResponses[200]>;
    /**
     * Lists the deployments of all environments that the caller may read.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/deployments`
     */
    listAll: PagedMethod<Main.DeploymentsListAllData, Main.DeploymentsListAllResponses[200]>;
    /**
     * Validates a shape and returns the resulting deployment and its price, and whether a creation would be refused
     * now. The request creates nothing.
     *
     * Needs the permission `deployment:read`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/preview`
     */
    preview: Method<Main.DeploymentsPreviewData, Main.DeploymentsPreviewResponses[200]>;
    /**
     * Returns the deployment after an upgrade and the difference in price. The request changes nothing.
     *
     * Needs the permission `deployment:read`.
     *
     * `POST
     * /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/upgrade/preview`
     */
    previewUpgrade: Method<Main.DeploymentsPreviewUpgradeData, Main.DeploymentsPreviewUpgradeResponses[200]>;
    /**
     * Sets how long metrics, logs and heartbeats are kept, up to the days of the terms.
     *
     * Needs the permission `deployment:manage`.
     *
     * `PUT
     * /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/retention`
     */
    setRetention: Method<Main.DeploymentsSetRetentionData, Main.DeploymentsSetRetentionResponses[200]>;
    /**
     * Sets the monthly spend at which the tenant is notified.
     *
     * Needs the permission `deployment:manage`.
     *
     * `PUT
     * /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/spend_limit`
     */
    setSpendLimit: Method<Main.DeploymentsSetSpendLimitData, Main.DeploymentsSetSpendLimitResponses[200]>;
    /**
     * Changes name, description and protection. Members that are left out stay unchanged.
     *
     * Needs the permission `deployment:manage`.
     *
     * `PUT /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}`
     */
    update: Method<Main.DeploymentsUpdateData, Main.DeploymentsUpdateResponses[200]>;
    /**
     * Asks for a larger compute size, larger Network Drive storage, a higher managed tier, or several. Nodes get their
     * new size one after the other; a request for terms only touches none.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST
     * /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/upgrade`
     */
    upgrade: Method<Main.DeploymentsUpgradeData, Accepted<Main.DeploymentsUpgradeResponses[202]>>;
  };
  divisions: {
    /**
     * Creates a division.
     *
     * Needs the permission `division:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions`
     */
    create: Method<Main.DivisionsCreateData, Main.DivisionsCreateResponses[201]>;
    /**
     * Deletes a division and its environments. The division must not contain deployments.
     *
     * Needs the permission `division:manage`.
     *
     * `DELETE /tenants/{tenant_id}/divisions/{division_id}`
     */
    delete: Method<Main.DivisionsDeleteData, void>;
    /**
     * Reads one division.
     *
     * Needs the permission `division:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}`
     */
    get: Method<Main.DivisionsGetData, Main.DivisionsGetResponses[200]>;
    /**
     * Lists the divisions that the caller may read.
     *
     * Needs the permission `division:read`.
     *
     * `GET /tenants/{tenant_id}/divisions`
     */
    list: PagedMethod<Main.DivisionsListData, Main.DivisionsListResponses[200]>;
    /**
     * Changes a division; members that are left out stay unchanged.
     *
     * Needs the permission `division:manage`.
     *
     * `PUT /tenants/{tenant_id}/divisions/{division_id}`
     */
    update: Method<Main.DivisionsUpdateData, void>;
  };
  downloads: {
    /**
     * Returns the archive of a download link from `GET …/snapshots/{snapshot_id}/download`.
     *
     * `GET /downloads/{token}`
     */
    fetch: Method<Supervisor.DownloadsFetchData, Response>;
  };
  endpointServices: {
    /**
     * Creates an endpoint service for the deployment. Interface endpoints in other VPCs use its name.
     *
     * Needs the permission `deployment:network:manage`.
     *
     * `POST /deployments/{deployment_id}/network/aws/private_link`
     */
    create: Method<Supervisor.EndpointServicesCreateData, Accepted<{ endpoint_service_id: number }>>;
    /**
     * Deletes the endpoint service; endpoints of consumers stop working.
     *
     * Needs the permission `deployment:network:manage`.
     *
     * `DELETE /deployments/{deployment_id}/network/aws/private_link/{service_id}`
     */
    delete: Method<Supervisor.EndpointServicesDeleteData, Accepted<object>>;
    /**
     * Lists the endpoint services of the deployment, newest first.
     *
     * Needs the permission `deployment:network:read`.
     *
     * `GET /deployments/{deployment_id}/network/aws/private_link`
     */
    list: Method<Supervisor.EndpointServicesListData, Supervisor.EndpointServicesListResponses[200]>;
  };
  environments: {
    /**
     * Creates an environment.
     *
     * Needs the permission `environment:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/environments`
     */
    create: Method<Main.EnvironmentsCreateData, Main.EnvironmentsCreateResponses[201]>;
    /**
     * Deletes an environment that holds no deployments.
     *
     * Needs the permission `environment:manage`.
     *
     * `DELETE /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}`
     */
    delete: Method<Main.EnvironmentsDeleteData, void>;
    /**
     * Reads one environment.
     *
     * Needs the permission `environment:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}`
     */
    get: Method<Main.EnvironmentsGetData, Main.EnvironmentsGetResponses[200]>;
    /**
     * Lists the environments that the caller may read.
     *
     * Needs the permission `environment:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/environments`
     */
    list: PagedMethod<Main.EnvironmentsListData, Main.EnvironmentsListResponses[200]>;
    /**
     * Changes an environment; members that are left out stay unchanged.
     *
     * Needs the permission `environment:manage`.
     *
     * `PUT /tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}`
     */
    update: Method<Main.EnvironmentsUpdateData, void>;
  };
  errors: {
    /**
     * Lists every error code with its status and its remedy.
     *
     * `GET /errors`
     */
    list: Method<Main.ErrorsListData, Main.ErrorsListResponses[200]>;
  };
  health: {
    /**
     * Returns 200 while the process runs.
     *
     * `GET /health/live`
     */
    live: Method<Main.HealthLiveData, Main.HealthLiveResponses[200]>;
    /**
     * Returns 200 when the process can serve requests, and otherwise 503 with the missing parts.
     *
     * `GET /health/ready`
     */
    ready: Method<Main.HealthReadyData, Main.HealthReadyResponses[200]>;
  };
  heartbeats: {
    /**
     * Lists the reports of the nodes, newest first, one item for each node and minute.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/heartbeats`
     */
    list: PagedMethod<Supervisor.HeartbeatsListData, Supervisor.HeartbeatsListResponses[200]>;
    /**
     * Lists the reports of the node, newest first, one item for each minute.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/nodes/{node_id}/heartbeats`
     */
    listOfNode: PagedMethod<Supervisor.HeartbeatsListOfNodeData, Supervisor.HeartbeatsListOfNodeResponses[200]>;
  };
  invitations: {
    /**
     * Invites a user by mail. The invitation expires after seven days. A caller cannot grant permissions that the
     * caller does not hold. The limit of members is checked when the user accepts.
     *
     * Needs the permission `member:manage`.
     *
     * `POST /tenants/{tenant_id}/invitations`
     */
    create: Method<Main.InvitationsCreateData, Main.InvitationsCreateResponses[201]>;
    /**
     * Cancels a pending invitation. The invitation counts against the limit of invitations for 30 more days. An
     * answered or expired invitation leaves the list and counts no longer.
     *
     * Needs the permission `member:manage`.
     *
     * `DELETE /tenants/{tenant_id}/invitations/{invitation_id}`
     */
    delete: Method<Main.InvitationsDeleteData, void>;
    /**
     * Reads one invitation.
     *
     * Needs the permission `member:read`.
     *
     * `GET /tenants/{tenant_id}/invitations/{invitation_id}`
     */
    get: Method<Main.InvitationsGetData, Main.InvitationsGetResponses[200]>;
    /**
     * Lists the invitations of the tenant and their answers.
     *
     * Needs the permission `member:read`.
     *
     * `GET /tenants/{tenant_id}/invitations`
     */
    list: PagedMethod<Main.InvitationsListData, Main.InvitationsListResponses[200]>;
  };
  invoices: {
    /**
     * Returns the invoice as PDF. A caller of one division gets an extract for the division.
     *
     * Needs the permission `billing:read`.
     *
     * `GET /tenants/{tenant_id}/billing/invoices/{invoice_id}/pdf`
     */
    downloadPdf: Method<Main.InvoicesDownloadPdfData, Response>;
    /**
     * Reads an invoice with the charges of each deployment.
     *
     * Needs the permission `billing:read`.
     *
     * `GET /tenants/{tenant_id}/billing/invoices/{invoice_id}`
     */
    get: Method<Main.InvoicesGetData, Main.InvoicesGetResponses[200]>;
    /**
     * Lists the invoices. A caller of one division sees the invoices that charge the division, with the division's
     * part.
     *
     * Needs the permission `billing:read`.
     *
     * `GET /tenants/{tenant_id}/billing/invoices`
     */
    list: PagedMethod<Main.InvoicesListData, Main.InvoicesListResponses[200]>;
    /**
     * Lists the charges of each deployment, highest first.
     *
     * Needs the permission `billing:read`.
     *
     * `GET /tenants/{tenant_id}/billing/invoices/{invoice_id}/lines`
     */
    listLines: PagedMethod<Main.InvoicesListLinesData, Main.InvoicesListLinesResponses[200]>;
  };
  joinRequests: {
    /**
     * Approves the request and notifies the user. A caller cannot grant permissions that the caller does not hold.
     *
     * Needs the permission `member:manage`.
     *
     * `PUT /tenants/{tenant_id}/join_requests/{join_request_id}/approve`
     */
    approve: Method<Main.JoinRequestsApproveData, void>;
    /**
     * Reads one request.
     *
     * Needs the permission `member:read`.
     *
     * `GET /tenants/{tenant_id}/join_requests/{join_request_id}`
     */
    get: Method<Main.JoinRequestsGetData, Main.JoinRequestsGetResponses[200]>;
    /**
     * Lists current and past requests to join the tenant.
     *
     * Needs the permission `member:read`.
     *
     * `GET /tenants/{tenant_id}/join_requests`
     */
    list: PagedMethod<Main.JoinRequestsListData, Main.JoinRequestsListResponses[200]>;
    /**
     * Declines the request and notifies the user.
     *
     * Needs the permission `member:manage`.
     *
     * `PUT /tenants/{tenant_id}/join_requests/{join_request_id}/reject`
     */
    reject: Method<Main.JoinRequestsRejectData, void>;
  };
  limits: {
    /**
     * Reads the limits of the plan, with their usage.
     *
     * Needs the permission `info:read`.
     *
     * `GET /tenants/{tenant_id}/limits`
     */
    get: Method<Main.LimitsGetData, Main.LimitsGetResponses[200]>;
  };
  loginCodes: {
    /**
     * Creates a key for a command line on this computer: for 90 days, with all permissions of the caller. The answer
     * has no secret, but a code for the key. The code works once and for two minutes, and only for the program that
     * knows the `code_verifier`.
     *
     * Needs the permission `api_key:manage`.
     *
     * `POST /tenants/{tenant_id}/login_codes`
     */
    create: Method<Main.LoginCodesCreateData, Main.LoginCodesCreateResponses[201]>;
    /**
     * Exchanges a code for the secret of its key. Only this response contains the secret.
     *
     * `POST /login_codes/redeem`
     */
    redeem: Method<Main.LoginCodesRedeemData, Main.LoginCodesRedeemResponses[200]>;
  };
  logs: {
    /**
     * Lists the log lines of the nodes' processes, newest first.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/logs`
     */
    list: PagedMethod<Supervisor.LogsListData, Supervisor.LogsListResponses[200]>;
    /**
     * Streams log lines as Server-Sent Events until the caller disconnects or loses the permission. The stream
     * continues after `last-event-id`, the id of a line of the last day. Without this header the stream starts now.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/logs/stream`
     */
    stream: EventMethod<Supervisor.LogsStreamData, Supervisor.LogLineView>;
  };
  members: {
    /**
     * Reads one member.
     *
     * Needs the permission `member:read`.
     *
     * `GET /tenants/{tenant_id}/members/{member_id}`
     */
    get: Method<Main.MembersGetData, Main.MembersGetResponses[200]>;
    /**
     * Reads the permissions of the caller: all roles of a member, limited by the key when a key calls.
     *
     * `GET /tenants/{tenant_id}/members/permissions`
     */
    getPermissions: Method<Main.MembersGetPermissionsData, Main.MembersGetPermissionsResponses[200]>;
    /**
     * Leaves the tenant. The keys that the caller has there are deleted. The owner cannot leave.
     *
     * `DELETE /tenants/{tenant_id}/membership`
     */
    leave: Method<Main.MembersLeaveData, void>;
    /**
     * Lists the members of the tenant. A caller of one division sees the members of that division.
     *
     * Needs the permission `member:read`.
     *
     * `GET /tenants/{tenant_id}/members`
     */
    list: PagedMethod<Main.MembersListData, Main.MembersListResponses[200]>;
    /**
     * Removes a member. Callers cannot remove themselves or the owner. The request deletes the keys of the member and
     * cancels the member's pending invitations.
     *
     * Needs the permission `member:manage`.
     *
     * `DELETE /tenants/{tenant_id}/members/{member_id}`
     */
    remove: Method<Main.MembersRemoveData, void>;
    /**
     * Changes the roles of a member, or whether the member is active. Callers cannot change their own membership or the
     * owner's. A caller cannot grant permissions that the caller does not hold, and nobody can grant the role `owner`.
     * Pending invitations that the member may no longer send are cancelled. The keys of an inactive member do not work
     * until the member is active again.
     *
     * Needs the permission `member:manage`.
     *
     * `PUT /tenants/{tenant_id}/members/{member_id}`
     */
    update: Method<Main.MembersUpdateData, void>;
  };
  network: {
    /**
     * Reads the network of a deployment: addresses, ports and CIDR.
     *
     * Needs the permission `deployment:network:read`.
     *
     * `GET /deployments/{deployment_id}/network/info`
     */
    getInfo: Method<Supervisor.NetworkGetInfoData, Supervisor.NetworkGetInfoResponses[200]>;
  };
  networkPeerings: {
    /**
     * Creates our half of a peering with your VPC network. The peering stays inactive until you create your half.
     *
     * Needs the permission `deployment:network:manage`.
     *
     * `POST /deployments/{deployment_id}/network/gcp/vpc_peering`
     */
    create: Method<Supervisor.NetworkPeeringsCreateData, Accepted<{ peering_id: number }>>;
    /**
     * Removes our half of the peering; yours is yours to remove.
     *
     * Needs the permission `deployment:network:manage`.
     *
     * `DELETE /deployments/{deployment_id}/network/gcp/vpc_peering/{peering_id}`
     */
    delete: Method<Supervisor.NetworkPeeringsDeleteData, Accepted<object>>;
    /**
     * Returns your next steps for the current state of the peering, with every id that you type.
     *
     * Needs the permission `deployment:network:read`.
     *
     * `GET /deployments/{deployment_id}/network/gcp/vpc_peering/{peering_id}/instructions`
     */
    getInstructions: Method<Supervisor.NetworkPeeringsGetInstructionsData, Supervisor.NetworkPeeringsGetInstructionsResponses[200]>;
    /**
     * Lists the VPC peerings of the deployment, newest first.
     *
     * Needs the permission `deployment:network:read`.
     *
     * `GET /deployments/{deployment_id}/network/gcp/vpc_peering`
     */
    list: Method<Supervisor.NetworkPeeringsListData, Supervisor.NetworkPeeringsListResponses[200]>;
  };
  nodeMetrics: {
    /**
     * The same as OpenMetrics text, for scrapers.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/metrics/prometheus`
     */
    exportPrometheus: Method<Supervisor.NodeMetricsExportPrometheusData, Response>;
    /**
     * Reads the newest metrics of each node that has reported.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/metrics`
     */
    getLatest: Method<Supervisor.NodeMetricsGetLatestData, Supervisor.NodeMetricsGetLatestResponses[200]>;
    /**
     * Reads metrics of a runtime of a node over time.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/nodes/{node_id}/metrics/{runtime}`
     */
    getSeries: Method<Supervisor.NodeMetricsGetSeriesData, Supervisor.NodeMetricsGetSeriesResponses[200]>;
  };
  notifications: {
    /**
     * Confirms an e-mail channel by the token of the mailed link: notifications are sent to the address from then on.
     *
     * `POST /notifications/confirm`
     */
    confirmAddress: Method<Main.NotificationsConfirmAddressData, void>;
    /**
     * Lists the event types that channels can receive.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /notifications/types`
     */
    listTypes: Method<Main.NotificationsListTypesData, Main.NotificationsListTypesResponses[200]>;
    /**
     * Ends the notifications of a channel to an address, by the token in each of their mails; the channel is
     * unconfirmed again.
     *
     * `POST /notifications/unsubscribe`
     */
    unsubscribeAddress: Method<Main.NotificationsUnsubscribeAddressData, void>;
  };
  operations: {
    /**
     * Reads one operation. With `wait` the response comes when the operation has ended, or after that many seconds.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/operations/{operation_id}`
     */
    get: Method<Main.OperationsGetData, Main.OperationsGetResponses[200]>;
    /**
     * Lists operations, newest first, filtered to the deployments that the caller may read.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/operations`
     */
    list: PagedMethod<Main.OperationsListData, Main.OperationsListResponses[200]>;
    /**
     * Streams the events of one operation as Server-Sent Events, numbered from 1, until the operation has ended. The
     * stream starts after `last-event-id`. The response is 204 when no event can follow, and an EventSource then does
     * not reconnect.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/operations/{operation_id}/events`
     */
    streamEvents: EventMethod<Main.OperationsStreamEventsData, Main.OperationEventView>;
  };
  ownershipTransfers: {
    /**
     * Becomes the owner of the tenant; the former owner becomes an admin.
     *
     * `PUT /account/ownership_transfers/{ownership_transfer_id}/accept`
     */
    accept: Method<Main.OwnershipTransfersAcceptData, void>;
    /**
     * Reads one of them.
     *
     * `GET /account/ownership_transfers/{ownership_transfer_id}`
     */
    get: Method<Main.OwnershipTransfersGetData, Main.OwnershipTransfersGetResponses[200]>;
    /**
     * Lists the tenants that their owners have offered to you.
     *
     * `GET /account/ownership_transfers`
     */
    list: PagedMethod<Main.OwnershipTransfersListData, Main.OwnershipTransfersListResponses[200]>;
    /**
     * Offers the tenant to a member, who has seven days to accept. A new offer replaces a pending one. Only the owner
     * can offer the tenant, by session, with a one-time code for `transfer_tenant` that is mailed to the owner's own
     * address. On acceptance the member becomes the owner, and the former owner becomes an admin.
     *
     * `PUT /tenants/{tenant_id}/owner`
     */
    offer: Method<Main.OwnershipTransfersOfferData, void>;
    /**
     * Declines; the owner stays the owner.
     *
     * `PUT /account/ownership_transfers/{ownership_transfer_id}/reject`
     */
    reject: Method<Main.OwnershipTransfersRejectData, void>;
  };
  passwordResets: {
    /**
     * Sets a new password with the token of the mailed link. The token works once, for 30 minutes. The request ends all
     * sessions of the user and verifies the e-mail address. When the address was not verified before, another person
     * may have used the account. The request then also removes the user's API keys and pending invitations, and the
     * notification channels of the user's tenants.
     *
     * `PUT /account/password_reset`
     */
    complete: Method<Main.PasswordResetsCompleteData, void>;
    /**
     * Mails a link to choose a new password, if the address has an account. The answer is the same if not.
     *
     * `POST /account/password_reset`
     */
    request: Method<Main.PasswordResetsRequestData, void>;
  };
  permissions: {
    /**
     * Checks whether the caller has a permission in a scope. The response names the role that grants the permission, or
     * the missing permission.
     *
     * `GET /tenants/{tenant_id}/permissions/check`
     */
    check: Method<Main.PermissionsCheckData, Main.PermissionsCheckResponses[200]>;
  };
  pricing: {
    /**
     * Reads all prices. This request needs no key.
     *
     * `GET /pricing`
     */
    get: Method<Main.PricingGetData, Main.PricingGetResponses[200]>;
  };
  protectionCodes: {
    /**
     * Mails a one-time code to the contact address of the organization, or to the earlier address for 24 hours after a
     * change. The DELETE of a protected resource takes the code as `?code=`. A new code replaces the last one. The
     * caller needs the permission of that DELETE on the resource in the payload. A code for `transfer_tenant` goes to
     * the owner's own address, and only the owner can request it, by session.
     *
     * `PUT /tenants/{tenant_id}/request_code`
     */
    request: Method<Main.ProtectionCodesRequestData, void>;
  };
  receivedInvitations: {
    /**
     * Becomes a member, as the invitation says.
     *
     * `PUT /account/invitations/{invitation_id}/accept`
     */
    accept: Method<Main.ReceivedInvitationsAcceptData, void>;
    /**
     * Reads one of them.
     *
     * `GET /account/invitations/{invitation_id}`
     */
    get: Method<Main.ReceivedInvitationsGetData, Main.ReceivedInvitationsGetResponses[200]>;
    /**
     * Lists the invitations to the address of the session, of all tenants.
     *
     * `GET /account/invitations`
     */
    list: PagedMethod<Main.ReceivedInvitationsListData, Main.ReceivedInvitationsListResponses[200]>;
    /**
     * Declines the invitation.
     *
     * `PUT /account/invitations/{invitation_id}/reject`
     */
    reject: Method<Main.ReceivedInvitationsRejectData, void>;
  };
  roles: {
    /**
     * Assigns the role to other members. A caller cannot grant permissions that the caller does not hold. The role
     * `owner` moves by a transfer of ownership only.
     *
     * Needs the permission `role:manage`.
     *
     * `PUT /tenants/{tenant_id}/roles/{role_id}/members/assign`
     */
    assign: Method<Main.RolesAssignData, void>;
    /**
     * Creates a role. A caller cannot grant permissions that the caller does not hold.
     *
     * Needs the permission `role:manage`.
     *
     * `POST /tenants/{tenant_id}/roles`
     */
    create: Method<Main.RolesCreateData, Main.RolesCreateResponses[201]>;
    /**
     * Deletes a custom role that no member and no key has.
     *
     * Needs the permission `role:manage`.
     *
     * `DELETE /tenants/{tenant_id}/roles/{role_id}`
     */
    delete: Method<Main.RolesDeleteData, void>;
    /**
     * Reads one role.
     *
     * Needs the permission `role:read`.
     *
     * `GET /tenants/{tenant_id}/roles/{role_id}`
     */
    get: Method<Main.RolesGetData, Main.RolesGetResponses[200]>;
    /**
     * Lists the roles of the tenant.
     *
     * Needs the permission `role:read`.
     *
     * `GET /tenants/{tenant_id}/roles`
     */
    list: PagedMethod<Main.RolesListData, Main.RolesListResponses[200]>;
    /**
     * Lists the members with the role.
     *
     * Needs the permission `role:read`.
     *
     * `GET /tenants/{tenant_id}/roles/{role_id}/members`
     */
    listMembers: PagedMethod<Main.RolesListMembersData, Main.RolesListMembersResponses[200]>;
    /**
     * Revokes the role from other members, except the owner. Pending invitations that these members may no longer send
     * are cancelled.
     *
     * Needs the permission `role:manage`.
     *
     * `PUT /tenants/{tenant_id}/roles/{role_id}/members/revoke`
     */
    revoke: Method<Main.RolesRevokeData, void>;
    /**
     * Changes a role. The change applies at once to every member and key with the role.
     *
     * Needs the permission `role:manage`.
     *
     * `PUT /tenants/{tenant_id}/roles/{role_id}`
     */
    update: Method<Main.RolesUpdateData, void>;
  };
  runtime: {
    /**
     * Reads the live state of a deployment: status, network, configurations, nodes.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}`
     */
    get: Method<Supervisor.RuntimeGetData, Supervisor.RuntimeGetResponses[200]>;
    /**
     * Reads the credentials of the broker's clients.
     *
     * Needs the permission `deployment:credentials:read`.
     *
     * `GET /deployments/{deployment_id}/credentials`
     */
    getCredentials: Method<Supervisor.RuntimeGetCredentialsData, Supervisor.RuntimeGetCredentialsResponses[200]>;
    /**
     * Replaces the client password, one node at a time. This API shows the old credentials until the operation has
     * succeeded. From then on, both passwords work for `overlap_seconds`. Then each node disconnects the clients with
     * the old password. With 0, each node disconnects its clients when it takes the new password.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /deployments/{deployment_id}/credentials/rotate`
     */
    rotateCredentials: Method<Supervisor.RuntimeRotateCredentialsData, Accepted<Supervisor.RuntimeRotateCredentialsResponses[202]>>;
  };
  runtimeOperations: {
    /**
     * Reads one operation. With `wait` the response comes when the operation has ended, or after that many seconds.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/operations/{operation_id}`
     */
    get: Method<Supervisor.RuntimeOperationsGetData, Supervisor.RuntimeOperationsGetResponses[200]>;
    /**
     * Lists operations, newest first, filtered to the deployments that the caller may read.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/operations`
     */
    list: PagedMethod<Supervisor.RuntimeOperationsListData, Supervisor.RuntimeOperationsListResponses[200]>;
    /**
     * Streams the events of one operation as Server-Sent Events, numbered from 1, until the operation has ended. The
     * stream starts after `last-event-id`. The response is 204 when no event can follow, and an EventSource then does
     * not reconnect.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/operations/{operation_id}/events`
     */
    streamEvents: EventMethod<Supervisor.RuntimeOperationsStreamEventsData, Supervisor.OperationEventView>;
  };
  serviceAttachments: {
    /**
     * Creates a service attachment for the deployment. Other projects connect to it by Private Service Connect.
     *
     * Needs the permission `deployment:network:manage`.
     *
     * `POST /deployments/{deployment_id}/network/gcp/psc`
     */
    create: Method<Supervisor.ServiceAttachmentsCreateData, Accepted<{ attachment_id: number }>>;
    /**
     * Deletes the service attachment; endpoints of consumers stop working.
     *
     * Needs the permission `deployment:network:manage`.
     *
     * `DELETE /deployments/{deployment_id}/network/gcp/psc/{attachment_id}`
     */
    delete: Method<Supervisor.ServiceAttachmentsDeleteData, Accepted<object>>;
    /**
     * Returns the steps with which a consumer connects, with every id that the consumer types.
     *
     * Needs the permission `deployment:network:read`.
     *
     * `GET /deployments/{deployment_id}/network/gcp/psc/{attachment_id}/instructions`
     */
    getInstructions: Method<Supervisor.ServiceAttachmentsGetInstructionsData, Supervisor.ServiceAttachmentsGetInstructionsResponses[200]>;
    /**
     * Lists the service attachments of the deployment, newest first.
     *
     * Needs the permission `deployment:network:read`.
     *
     * `GET /deployments/{deployment_id}/network/gcp/psc`
     */
    list: Method<Supervisor.ServiceAttachmentsListData, Supervisor.ServiceAttachmentsListResponses[200]>;
    /**
     * Lists the connections of the attachment, newest first.
     *
     * Needs the permission `deployment:network:read`.
     *
     * `GET /deployments/{deployment_id}/network/gcp/psc/{attachment_id}/connections`
     */
    listConnections: Method<Supervisor.ServiceAttachmentsListConnectionsData, Supervisor.ServiceAttachmentsListConnectionsResponses[200]>;
  };
  sessions: {
    /**
     * Ends one session of the user at once.
     *
     * `DELETE /account/sessions/{session_id}`
     */
    end: Method<Main.SessionsEndData, void>;
    /**
     * Ends all sessions of the user except the current session.
     *
     * `DELETE /account/sessions`
     */
    endOthers: Method<Main.SessionsEndOthersData, void>;
    /**
     * Lists where you are signed in.
     *
     * `GET /account/sessions`
     */
    list: PagedMethod<Main.SessionsListData, Main.SessionsListResponses[200]>;
    /**
     * Starts a session. The response sets the cookie `ld_session` (over HTTPS `__Host-ld_session`) and contains the
     * token that writes send as `x-csrf-token`. After five failures within 15 minutes, from one IP address for one
     * e-mail address, each further try waits longer.
     *
     * `POST /account/sign_in`
     */
    signIn: Method<Main.SessionsSignInData, Main.SessionsSignInResponses[200]>;
    /**
     * Starts a session of the first owner by the link that a start of Landlord prints. The link works once, for 15
     * minutes, only in a browser on the same machine, and only while the main API listens on a loopback address. A new
     * start replaces the link.
     *
     * `POST /account/first_sign_in`
     */
    signInFirst: Method<Main.SessionsSignInFirstData, Main.SessionsSignInFirstResponses[200]>;
    /**
     * Ends the session that asks.
     *
     * `DELETE /account/sign_out`
     */
    signOut: Method<Main.SessionsSignOutData, void>;
  };
  snapshots: {
    /**
     * Collects diagnostic data from every node that responds. The list and the operation show the progress. The archive
     * contains `report.html`, facts as JSON, the last lines of all logs and, with `include_iggy`, the data of each
     * broker.
     *
     * Needs the permission `deployment:manage`.
     *
     * `POST /deployments/{deployment_id}/snapshots`
     */
    create: Method<Supervisor.SnapshotsCreateData, Accepted<{ snapshot_id: number }>>;
    /**
     * Deletes a snapshot and its archive. A snapshot that is being taken cannot be deleted.
     *
     * Needs the permission `deployment:manage`.
     *
     * `DELETE /deployments/{deployment_id}/snapshots/{snapshot_id}`
     */
    delete: Method<Supervisor.SnapshotsDeleteData, Accepted<object>>;
    /**
     * Returns an address of the archive that works for five minutes without a key. Everybody with the address can read
     * the archive.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/snapshots/{snapshot_id}/download`
     */
    download: Method<Supervisor.SnapshotsDownloadData, Supervisor.SnapshotsDownloadResponses[200]>;
    /**
     * Lists the diagnostic snapshots of the deployment, newest first.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/snapshots`
     */
    list: PagedMethod<Supervisor.SnapshotsListData, Supervisor.SnapshotsListResponses[200]>;
  };
  subscriptions: {
    /**
     * Adds a subscription to a channel. From now on the channel receives only events that match a subscription.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/channels/{channel_id}/subscriptions`
     */
    create: Method<Main.SubscriptionsCreateData, Main.SubscriptionsCreateResponses[201]>;
    /**
     * Adds a subscription to a channel. From now on the channel receives only events that match a subscription.
     *
     * Needs the permission `notifications:manage`.
     *
     * `POST /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/subscriptions`
     */
    createInDivision: Method<Main.SubscriptionsCreateInDivisionData, Main.SubscriptionsCreateInDivisionResponses[201]>;
    /**
     * Deletes a subscription. A channel without subscriptions receives every event.
     *
     * Needs the permission `notifications:manage`.
     *
     * `DELETE /tenants/{tenant_id}/channels/{channel_id}/subscriptions/{subscription_id}`
     */
    delete: Method<Main.SubscriptionsDeleteData, void>;
    /**
     * Deletes a subscription. A channel without subscriptions receives every event.
     *
     * Needs the permission `notifications:manage`.
     *
     * `DELETE /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/subscriptions/{subscription_id}`
     */
    deleteInDivision: Method<Main.SubscriptionsDeleteInDivisionData, void>;
    /**
     * Reads one subscription with its full scope.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/channels/{channel_id}/subscriptions/{subscription_id}`
     */
    get: Method<Main.SubscriptionsGetData, Main.SubscriptionsGetResponses[200]>;
    /**
     * Reads one subscription with its full scope.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/subscriptions/{subscription_id}`
     */
    getInDivision: Method<Main.SubscriptionsGetInDivisionData, Main.SubscriptionsGetInDivisionResponses[200]>;
    /**
     * Lists the subscriptions of a channel.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/channels/{channel_id}/subscriptions`
     */
    list: PagedMethod<Main.SubscriptionsListData, Main.SubscriptionsListResponses[200]>;
    /**
     * Lists the subscriptions of a channel.
     *
     * Needs the permission `notifications:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/subscriptions`
     */
    listInDivision: PagedMethod<Main.SubscriptionsListInDivisionData, Main.SubscriptionsListInDivisionResponses[200]>;
    /**
     * Replaces all subscriptions of a channel. With an empty list the channel receives every event. The etag is that of
     * the list, read as one page.
     *
     * Needs the permission `notifications:manage`.
     *
     * `PUT /tenants/{tenant_id}/channels/{channel_id}/subscriptions`
     */
    replace: Method<Main.SubscriptionsReplaceData, void>;
    /**
     * Replaces all subscriptions of a channel. With an empty list the channel receives every event. The etag is that of
     * the list, read as one page.
     *
     * Needs the permission `notifications:manage`.
     *
     * `PUT /tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/subscriptions`
     */
    replaceInDivision: Method<Main.SubscriptionsReplaceInDivisionData, void>;
  };
  summaries: {
    /**
     * Reads the health of the division's deployments in this cell, within the caller's scope.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/divisions/{division_id}/summary`
     */
    ofDivision: Method<Supervisor.SummariesOfDivisionData, Supervisor.SummariesOfDivisionResponses[200]>;
    /**
     * Reads the health of the tenant's deployments in this cell, within the caller's scope.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /tenants/{tenant_id}/summary`
     */
    ofTenant: Method<Supervisor.SummariesOfTenantData, Supervisor.SummariesOfTenantResponses[200]>;
  };
  supervisorHealth: {
    /**
     * Returns 200 while the process runs.
     *
     * `GET /health/live`
     */
    live: Method<Supervisor.SupervisorHealthLiveData, Supervisor.SupervisorHealthLiveResponses[200]>;
    /**
     * Returns 200 when the process can serve requests, and otherwise 503 with the missing parts.
     *
     * `GET /health/ready`
     */
    ready: Method<Supervisor.SupervisorHealthReadyData, Supervisor.SupervisorHealthReadyResponses[200]>;
  };
  supervisorTokens: {
    /**
     * Creates a token with which a page in a browser calls one Supervisor for 15 minutes, with what the user holds in
     * the tenant at each request. The token ends with the session, with the membership and with a change of the
     * password. It opens only that Supervisor, is no API key, and counts against no limit of the plan.
     *
     * `POST /tenants/{tenant_id}/supervisor_tokens`
     */
    create: Method<Main.SupervisorTokensCreateData, Main.SupervisorTokensCreateResponses[200]>;
  };
  tasks: {
    /**
     * Applies the active configuration, one node at a time. A node that does not start with the new configuration
     * returns to the old one. The following nodes stay unchanged, and the task is rejected with the message of the
     * runtime.
     *
     * Needs the permission `deployment:task:manage`.
     *
     * `POST /deployments/{deployment_id}/tasks`
     */
    create: Method<Supervisor.TasksCreateData, Accepted<Supervisor.TasksCreateResponses[202]>>;
    /**
     * Lists the newest 50 tasks, newest first, with the result of each node.
     *
     * Needs the permission `deployment:read`.
     *
     * `GET /deployments/{deployment_id}/tasks`
     */
    list: Method<Supervisor.TasksListData, Supervisor.TasksListResponses[200]>;
  };
  tenantConfig: {
    /**
     * Reads the settings for joining the tenant and for invitations.
     *
     * Needs the permission `settings:read`.
     *
     * `GET /tenants/{tenant_id}/config`
     */
    get: Method<Main.TenantConfigGetData, Main.TenantConfigGetResponses[200]>;
    /**
     * Replaces the three settings. A request without a change publishes no event.
     *
     * Needs the permission `settings:manage`.
     *
     * `PUT /tenants/{tenant_id}/config`
     */
    update: Method<Main.TenantConfigUpdateData, void>;
  };
  tenants: {
    /**
     * Creates a tenant of plan Basic that the caller owns, with the system roles, a division and an environment.
     *
     * `POST /tenants`
     */
    create: Method<Main.TenantsCreateData, Main.TenantsCreateResponses[201]>;
    /**
     * Deletes the tenant permanently, with its memberships and keys. Only the owner can delete the tenant, with a
     * one-time code.
     *
     * `DELETE /tenants/{tenant_id}`
     */
    delete: Method<Main.TenantsDeleteData, void>;
    /**
     * Reads the tenant, with the limits and capabilities of its plan.
     *
     * Needs the permission `info:read`.
     *
     * `GET /tenants/{tenant_id}`
     */
    get: Method<Main.TenantsGetData, Main.TenantsGetResponses[200]>;
    /**
     * Reads the organization as a tree of divisions, environments and deployments within the scope of the key.
     *
     * `GET /tenants/{tenant_id}/structure`
     */
    getStructure: Method<Main.TenantsGetStructureData, Main.TenantsGetStructureResponses[200]>;
    /**
     * Counts divisions, environments and deployments within the scope of the key.
     *
     * `GET /tenants/{tenant_id}/summary`
     */
    getSummary: Method<Main.TenantsGetSummaryData, Main.TenantsGetSummaryResponses[200]>;
    /**
     * Lists the tenants of the caller. A key sees its own tenant, and a session sees all tenants with an active
     * membership of the user.
     *
     * `GET /tenants`
     */
    list: PagedMethod<Main.TenantsListData, Main.TenantsListResponses[200]>;
    /**
     * Reads the subscription of the tenant: its plan, and since when it is valid.
     *
     * Needs the permission `subscription:read`.
     *
     * `GET /tenants/{tenant_id}/subscription`
     */
    subscription: Method<Main.TenantsSubscriptionData, Main.TenantsSubscriptionResponses[200]>;
    /**
     * Changes the tenant. Members that are left out stay unchanged. A change of `email` is mailed to the old address,
     * which also receives protection codes for another 24 hours.
     *
     * Needs the permission `info:manage`.
     *
     * `PUT /tenants/{tenant_id}`
     */
    update: Method<Main.TenantsUpdateData, void>;
  };
  usage: {
    /**
     * Reads the usage and cost between two times, by deployment, highest cost first. A caller of one division sees that
     * division only. Compute and storage count up to now. Transfer counts up to the last full hour, or the hour before.
     *
     * Needs the permission `billing:read`.
     *
     * `GET /tenants/{tenant_id}/billing/usage`
     */
    list: Method<Main.UsageListData, Main.UsageListResponses[200]>;
  };
  vpcPeerings: {
    /**
     * Requests a peering from AWS with your VPC. The operation ends when AWS has accepted the request. The peering then
     * waits for your acceptance.
     *
     * Needs the permission `deployment:network:manage`.
     *
     * `POST /deployments/{deployment_id}/network/aws/vpc_peering`
     */
    create: Method<Supervisor.VpcPeeringsCreateData, Accepted<{ peering_id: number }>>;
    /**
     * Deletes the peering; routes and security groups in your VPC are yours to remove.
     *
     * Needs the permission `deployment:network:manage`.
     *
     * `DELETE /deployments/{deployment_id}/network/aws/vpc_peering/{peering_id}`
     */
    delete: Method<Supervisor.VpcPeeringsDeleteData, Accepted<object>>;
    /**
     * Returns your next steps for the current status of the peering, with every id that you type.
     *
     * Needs the permission `deployment:network:read`.
     *
     * `GET /deployments/{deployment_id}/network/aws/vpc_peering/{peering_id}/instructions`
     */
    getInstructions: Method<Supervisor.VpcPeeringsGetInstructionsData, Supervisor.VpcPeeringsGetInstructionsResponses[200]>;
    /**
     * Lists the VPC peerings of the deployment, newest first.
     *
     * Needs the permission `deployment:network:read`.
     *
     * `GET /deployments/{deployment_id}/network/aws/vpc_peering`
     */
    list: Method<Supervisor.VpcPeeringsListData, Supervisor.VpcPeeringsListResponses[200]>;
  };
}
