# The id of the tenant.
terraform import landlord_tenant_config.rules 1
