resource "landlord_network_peering" "data_team" {
  deployment_id   = landlord_deployment.orders.id
  name            = "data team"
  peer_vpc_name   = "default"
  peer_project_id = "their-project"
  peer_vpc_cidr   = "172.30.0.0/16"
}
