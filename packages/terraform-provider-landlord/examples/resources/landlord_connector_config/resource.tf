variable "hook_token" {
  type      = string
  sensitive = true
}

resource "landlord_connector_config" "hook" {
  deployment_id  = landlord_connector.hook.deployment_id
  connector_type = landlord_connector.hook.connector_type
  connector_key  = landlord_connector.hook.connector_key
  name           = landlord_connector.hook.instance_key
  values = jsonencode({
    enabled       = true
    streams       = [{ stream = "orders", topics = ["new"], schema = "json" }]
    plugin_config = { url = "https://service.example.com/orders" }
  })
  secret_values = jsonencode({ plugin_config = { headers = { authorization = "Bearer ${var.hook_token}" } } })
}
