# The ids of the deployment and of the peering.
terraform import landlord_network_peering.data_team 3/1
