resource "landlord_connector" "hook" {
  deployment_id  = landlord_deployment.orders.id
  connector_type = "sink"
  connector_key  = "http"
  instance_key   = "hook"
}
