resource "landlord_broker_config" "orders" {
  deployment_id = landlord_deployment.orders.id
  values        = jsonencode({ mqtt = { max_connections = 500 } })
}
