# The ids of the deployment and of the peering.
terraform import landlord_vpc_peering.data_team 3/1
