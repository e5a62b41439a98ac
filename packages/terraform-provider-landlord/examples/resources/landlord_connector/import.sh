# The ids of the deployment and of the connector.
terraform import landlord_connector.hook 3/2
