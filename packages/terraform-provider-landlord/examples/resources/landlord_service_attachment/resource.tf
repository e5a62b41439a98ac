resource "landlord_service_attachment" "data_team" {
  deployment_id         = landlord_deployment.orders.id
  name                  = "data-team"
  connection_preference = "accept_manual"
  consumer_accept_lists = ["their-project"]
}
