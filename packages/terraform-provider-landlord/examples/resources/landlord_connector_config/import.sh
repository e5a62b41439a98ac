# The id of the deployment, the type and the key of the connector, and the key of the instance.
terraform import landlord_connector_config.hook 3/sink/http/hook
