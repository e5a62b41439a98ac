resource "landlord_endpoint_service" "data_team" {
  deployment_id      = landlord_deployment.orders.id
  name               = "data team"
  allowed_principals = ["arn:aws:iam::123456789012:root"]
}
