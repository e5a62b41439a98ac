resource "landlord_deployment" "orders" {
  division_id    = landlord_division.payments.id
  environment_id = landlord_environment.production.id
  name           = "orders"
  cloud          = "aws"
  region         = "us-east-1"
  managed_tier   = "enterprise"
  tier           = "small"
  cluster        = "cluster"
  storage        = { type = "network_balanced", size = 200 }
  protected      = true
  spend_limit    = 500

  timeouts = { create = "30m" }
}
