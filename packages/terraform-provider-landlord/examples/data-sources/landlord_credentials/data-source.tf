data "landlord_credentials" "orders" {
  deployment_id = landlord_deployment.orders.id
}

output "password" {
  value     = data.landlord_credentials.orders.password
  sensitive = true
}
