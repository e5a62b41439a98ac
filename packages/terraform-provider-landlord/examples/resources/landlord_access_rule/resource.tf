resource "landlord_access_rule" "office" {
  deployment_id = landlord_deployment.orders.id
  name          = "office"
  cidr_blocks   = ["203.0.113.0/24"]
  rules         = { broker_tcp = true, broker_websocket = true }
}
