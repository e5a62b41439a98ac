# The ids of the deployment and of the endpoint service.
terraform import landlord_endpoint_service.data_team 3/1
