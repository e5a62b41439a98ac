# The id of the deployment.
terraform import landlord_broker_config.orders 3
