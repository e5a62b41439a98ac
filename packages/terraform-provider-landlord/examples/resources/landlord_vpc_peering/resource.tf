resource "landlord_vpc_peering" "data_team" {
  deployment_id = landlord_deployment.orders.id
  name          = "data team"
  peer_vpc_id   = "vpc-0123456789abcdef0"
  peer_owner_id = "123456789012"
  peer_vpc_cidr = "172.30.0.0/16"
}
