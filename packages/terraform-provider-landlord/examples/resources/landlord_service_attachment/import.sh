# The ids of the deployment and of the service attachment.
terraform import landlord_service_attachment.data_team 3/1
